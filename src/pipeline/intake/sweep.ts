// Intake: finds every document that the source has handed over. The from_date cursor is the fast path; the truth is the set
// `accounting_status=Created` since the cut-over; the count says when the fast path missed something. A cursor advances only
// after its window is in the database. Nothing is judged here and nothing is written at the source.
import { postingKey } from '../../domain/posting-key.js';
import type { Runtime } from '../../domain/runtime.js';
import type { IsoDate, SourceKind } from '../../domain/source-document.js';
import type { ListedDocument, ListQuery } from '../../invoicing/invoicing-source.js';
import type { FailPoints } from '../fail-points.js';
import type { IntakeStore, SweepReport } from '../records.js';
import type { TenantContext } from '../tenant-context.js';
import { askAgain } from './ask-again.js';
import { fastFrom, fullSweepEveryMs } from './cursor.js';
import { type Listing, pageThrough } from './page-through.js';
import { reportProblems } from './report-problems.js';
import { readUnlisted } from './unlisted.js';

export interface IntakeStage {
  readonly runtime: Runtime;
  readonly store: IntakeStore;
  readonly failPoints: FailPoints;
}

/** A full sweep reads again until it has seen as many as the source counts; pages shift while others work. */
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
    const message = complete ? '' : `listed ${found.listed} of ${expectedCount} (${stopped})`;
    const report: SweepReport = { mode, ...found, expectedCount, outcome, message };
    const cursor = complete
      ? { fromDate: today, fullSweepDue: false, full: mode === 'full' }
      : { fromDate: from, fullSweepDue: true, full: false };
    if (complete && mode === 'full') await readUnlisted(stage, tenant, kind, begun);
    await finish(report, cursor);
    return report;
  } catch (error) {
    const message = (error instanceof Error ? error.message : String(error)).slice(0, 500);
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
  const seen = new Set<string>();
  let expectedCount = 0;
  let stopped: Listing['stopped'] = 'end';
  const onPage = () => stage.failPoints.reach('after-sweep-page');
  const count = () => askAgain(stage.runtime, () => tenant.source.count(query));
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    const startedAt = stage.runtime.clock.now().getTime();
    const before = await count();
    const listing = await pageThrough(tenant.source, query, stage.runtime, onPage);
    const after = listing.failure ? before : await count();
    const recorded = await record(stage, tenant, listing, startedAt);
    for (const guid of listing.documents.keys()) seen.add(guid);
    found.listed = seen.size;
    found.pages += listing.pages;
    found.discovered += recorded.discovered;
    found.reopened += recorded.reopened;
    found.problems = listing.problems.length;
    stopped = listing.stopped;
    // What was read is kept; the cursor stays where it was, so the next sweep looks at all of it again.
    if (listing.failure) throw listing.failure;
    await reportProblems(stage.store, tenant.name, query.kind, listing);
    // Documents that were finished while we read are gone from the list and from the later count.
    expectedCount = Math.min(before, after);
    if (seen.size + listing.problems.length >= expectedCount) break;
  }
  const complete = stopped === 'end' && seen.size + found.problems >= expectedCount;
  return { expectedCount, complete, stopped };
}

async function record(stage: IntakeStage, tenant: TenantContext, listing: Listing, startedAt: number) {
  const keyOf = (document: ListedDocument, generation: number) =>
    postingKey({
      environment: tenant.environment,
      sourceAccount: tenant.sourceAccount,
      kind: document.kind,
      guid: document.guid,
      ledger: tenant.erp.ledger,
      generation,
    });
  // A record that cannot be read but has a guid is a document all the same: it becomes visible instead of lost.
  const unreadable = listing.problems.flatMap((problem) =>
    problem.guid === null ? [] : [unreadableDocument(problem.kind, problem.guid)],
  );
  const documents = [...listing.documents.values(), ...unreadable];
  const recorded = { discovered: 0, reopened: 0 };
  for (let start = 0; start < documents.length; start += BATCH) {
    const listingAgeMs = stage.runtime.clock.now().getTime() - startedAt;
    const batch = await stage.store.recordListed(
      tenant.name,
      documents.slice(start, start + BATCH),
      keyOf,
      listingAgeMs,
    );
    recorded.discovered += batch.discovered;
    recorded.reopened += batch.reopened;
  }
  return recorded;
}

function unreadableDocument(kind: SourceKind, guid: string): ListedDocument {
  return {
    guid,
    kind,
    accountingStatus: 'Created',
    issueDate: '',
    number: '',
    amount: '0',
    currency: '',
    counterpartyName: '',
    counterpartyKennitala: '',
    updatedTimestamp: '',
  };
}

function isoDate(moment: Date): IsoDate {
  return moment.toISOString().slice(0, 10);
}
