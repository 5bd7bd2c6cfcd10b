// Intake: finds every document that the source has handed over. The from_date cursor is the fast path; the truth is the set
// `accounting_status=Created` since the cut-over; the count says when the fast path missed something. A cursor advances only
// after its window is in the database. Nothing is judged here and nothing is written at the source.
import { errorWords } from '../../domain/errors/coded-error.js';
import { keptWords } from '../../domain/message.js';
import { postingKey } from '../../domain/posting-key.js';
import type { Runtime } from '../../domain/runtime.js';
import type { IsoDate, SourceKind } from '../../domain/source-document.js';
import type { ListedDocument, ListPage, ListQuery } from '../../invoicing/invoicing-source.js';
import { told } from '../../language/messages.js';
import type { FailPoints } from '../fail-points.js';
import type { IntakeStore, SweepReport } from '../records.js';
import type { TenantContext } from '../tenant-context.js';
import { askAgain } from './ask-again.js';
import { fastFrom, fullSweepEveryMs } from './cursor.js';
import { type InTurn, pageFromEnd } from './page-from-end.js';
import { createPageReader, type Listing } from './page-through.js';
import { reportProblems, Shown } from './report-problems.js';
import { readUnlisted } from './unlisted.js';

export interface IntakeStage {
  readonly runtime: Runtime;
  readonly store: IntakeStore;
  readonly failPoints: FailPoints;
  /** Some were recorded, while the sweep goes on. */
  readonly onFound?: () => void;
  /** How many are recorded at once. */
  readonly batch?: number;
  /** Where long lists of many companies are read by turns. */
  readonly inTurn?: InTurn;
}

/** A sweep reads again until it has seen as many as the source counts; pages shift while others work. */
const ROUNDS_MAX = 3;
const BATCH = 500;

/** One kind of one tenant; the caller has checked that the tenant has a cut-over date. Throws what the source throws. */
export async function sweep(
  stage: IntakeStage,
  tenant: TenantContext,
  kind: SourceKind,
  cutOver: IsoDate,
): Promise<SweepReport> {
  const cursor = await stage.store.cursor(tenant.name, kind);
  const today = isoDate(stage.runtime.clock.now());
  const heldHere = await stage.store.countWaiting(tenant.name, kind);
  const fullDue =
    cursor === null ||
    cursor.fullSweepDue ||
    cursor.lastFullSweepAgeMs === null ||
    cursor.lastFullSweepAgeMs > fullSweepEveryMs(heldHere);
  if (fullDue) return fullSweep(stage, tenant, kind, cutOver, today);
  const from = fastFrom(cursor.fromDate, cutOver);
  const fast = await runSweep(stage, tenant, { kind, mode: 'fast', from, today });
  const waiting = await stage.store.countWaiting(tenant.name, kind);
  const query: ListQuery = { kind, accountingStatus: 'Created', fromDate: cutOver };
  const handedOver = await askAgain(stage.runtime, () => tenant.source.count(query));
  // More there means that the fast path cannot see some. Fewer there is work in progress, or some are gone: the count alone does
  // not tell a deleted document from a late one that took its place, so full sweeps come by themselves as well.
  return handedOver > waiting ? fullSweep(stage, tenant, kind, cutOver, today) : fast;
}

function fullSweep(
  stage: IntakeStage,
  tenant: TenantContext,
  kind: SourceKind,
  cutOver: IsoDate,
  today: IsoDate,
): Promise<SweepReport> {
  return runSweep(stage, tenant, { kind, mode: 'full', from: cutOver, today });
}

interface Sweep {
  readonly kind: SourceKind;
  readonly mode: 'fast' | 'full';
  readonly from: IsoDate;
  readonly today: IsoDate;
}

type Found = Pick<SweepReport, 'pages' | 'listed' | 'discovered' | 'reopened' | 'problems'>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type CursorMove = NonNullable<Parameters<IntakeStore['finishSweep']>[4]>;

async function runSweep(stage: IntakeStage, tenant: TenantContext, what: Sweep): Promise<SweepReport> {
  const { kind, mode, from, today } = what;
  const begun = await stage.store.beginSweep(tenant.name, kind, mode);
  const found = { pages: 0, listed: 0, discovered: 0, reopened: 0, problems: 0 };
  const finish = (report: SweepReport, cursor: CursorMove | null) =>
    stage.store.finishSweep(begun, tenant.name, kind, report, cursor);
  try {
    const query: ListQuery = { kind, accountingStatus: 'Created', fromDate: from };
    const { expectedCount, complete, stopped } = await readAll(stage, tenant, query, found);
    const outcome = complete ? 'complete' : 'incomplete';
    const part = { listed: found.listed, expected: expectedCount, stopped };
    const message = complete ? '' : keptWords(told('LISTED_A_PART', part));
    const report: SweepReport = { mode, ...found, expectedCount, outcome, message };
    const cursor = complete
      ? { fromDate: today, fullSweepDue: false, full: mode === 'full' }
      : { fromDate: from, fullSweepDue: true, full: false };
    if (complete && mode === 'full') await readUnlisted(stage, tenant, kind, begun);
    await finish(report, cursor);
    return report;
  } catch (error) {
    const message = keptWords(errorWords(error));
    await finish({ mode, ...found, expectedCount: null, outcome: 'failed', message }, null);
    throw error;
  }
}

/** Counts into `found` as it goes, so that a sweep that fails half-way still says what it has found. */
async function readAll(
  stage: IntakeStage,
  tenant: TenantContext,
  query: ListQuery,
  found: Mutable<Found>,
): Promise<{ expectedCount: number; complete: boolean; stopped: Listing['stopped'] }> {
  let round = await readOnce(stage, tenant, query, found);
  for (let rounds = 1; round.missing > 0 && rounds < ROUNDS_MAX; rounds++)
    round = await readOnce(stage, tenant, query, found);
  const { expectedCount, stopped, missing } = round;
  return { expectedCount, stopped, complete: stopped === 'end' && missing === 0 };
}

async function readOnce(
  stage: IntakeStage,
  tenant: TenantContext,
  query: ListQuery,
  found: Mutable<Found>,
): Promise<{ expectedCount: number; stopped: Listing['stopped']; missing: number }> {
  const { runtime, store } = stage;
  const startedAt = runtime.clock.now().getTime();
  const begunAt = await store.moment();
  const ageMs = () => runtime.clock.now().getTime() - startedAt;
  const count = () => askAgain(runtime, () => tenant.source.count(query));
  const before = await count();
  const shown = new Shown(query.kind);
  const take = async (pages: readonly ListPage[], counted: Shown) => {
    const recorded = await record(stage, tenant, counted.add(pages), ageMs());
    found.discovered += recorded.discovered;
    found.reopened += recorded.reopened;
    counted.contradicted += recorded.contradicted;
    if (recorded.discovered + recorded.reopened > 0) stage.onFound?.();
  };
  const listing = await pageFromEnd(createPageReader(tenant.source, query, runtime), {
    expected: before,
    batch: stage.batch ?? BATCH,
    onPage: () => stage.failPoints.reach('after-sweep-page'),
    inTurn: stage.inTurn ?? ((work) => work()),
    take: (pages) => take(pages, shown),
    // Counted when it is read again: what stands there twice would make up for what is missing.
    headStart: (pages) => take(pages, new Shown(query.kind)),
  });
  found.listed = Math.max(found.listed, shown.listed);
  found.pages += listing.pages;
  found.problems = shown.problems;
  // What was read is kept; the cursor stays where it was, so the next sweep looks at all of it again.
  if (listing.failure) throw listing.failure;
  await reportProblems(store, tenant.name, query.kind, listing, shown);
  // First what is on record, then the source: what is finished in between is missing there only, and taken for nothing lost.
  const waiting = await store.countWaiting(tenant.name, query.kind, begunAt);
  const expectedCount = Math.min(before, await count());
  const seen = waiting + shown.contradicted + shown.nameless.length;
  return { expectedCount, stopped: listing.stopped, missing: Math.max(0, expectedCount - seen) };
}

async function record(
  { store }: IntakeStage,
  tenant: TenantContext,
  documents: readonly ListedDocument[],
  listingAgeMs: number,
) {
  const keyOf = (document: ListedDocument, generation: number) =>
    postingKey({
      environment: tenant.environment,
      sourceAccount: tenant.sourceAccount,
      kind: document.kind,
      guid: document.guid,
      ledger: tenant.erp.ledger,
      generation,
    });
  return store.recordListed(tenant.name, documents, keyOf, listingAgeMs);
}

function isoDate(moment: Date): IsoDate {
  return moment.toISOString().slice(0, 10);
}
