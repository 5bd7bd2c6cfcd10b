// Step 1: a sweep lists the documents that the source has handed over, and records the new ones. The from_date cursor is the fast path; the set
// `accounting_status=Created` since the cut-over is the truth, and the count of the source says when the fast path missed something. The cursor
// advances only after its window is in the database. Nothing is decided here, and nothing is written to the source.
import { errorWords } from '../domain/errors/coded-error.js';
import type { Guid, TenantName } from '../domain/ids.js';
import { keptWords } from '../domain/message.js';
import { postingKey } from '../domain/posting-key.js';
import type { Runtime } from '../domain/runtime.js';
import type { IsoDate, SourceKind } from '../domain/source-document.js';
import type { ListedDocument, ListPage, ListQuery } from '../invoicing/invoicing-source.js';
import { incident } from '../language/incidents/incident-text.js';
import { told } from '../language/messages.js';
import type { FailPoints } from './fail-points.js';
import type { BegunSweep, IntakeStore, ReadAgain, SweepReport } from './intake-records.js';
import { askAgain, createPageReader, type InTurn, type Listing, pageFromEnd } from './list-pages.js';
import type { TenantContext } from './tenant-context.js';

export interface SweepDeps {
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
  stage: SweepDeps,
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
  stage: SweepDeps,
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

async function runSweep(stage: SweepDeps, tenant: TenantContext, what: Sweep): Promise<SweepReport> {
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
  stage: SweepDeps,
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
  stage: SweepDeps,
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
  { store }: SweepDeps,
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

// ---- Where the fast path starts ----
// The filter has the granularity of a day, its edges are not documented for invoices, and the clock of the host may be wrong, so the fast path
// reaches back further than it should need to.

export const OVERLAP_DAYS = 3;

const MINUTE_MS = 60_000;
export const FULL_SWEEP_EVERY_MS = { least: 15 * MINUTE_MS, most: 24 * 60 * MINUTE_MS } as const;
const PAGE = 100;
const MS_PER_PAGE = 3 * MINUTE_MS;

/** A full sweep reads what waits, so it is as rare as that is much: within this a document is found that the counts hide. */
export function fullSweepEveryMs(waiting: number): number {
  const { least, most } = FULL_SWEEP_EVERY_MS;
  return Math.min(most, Math.max(least, Math.ceil(waiting / PAGE) * MS_PER_PAGE));
}

export function fastFrom(cursor: IsoDate, cutOver: IsoDate): IsoDate {
  const from = addDays(cursor, -OVERLAP_DAYS);
  return from < cutOver ? cutOver : from;
}

export function addDays(date: IsoDate, days: number): IsoDate {
  const moment = new Date(`${date}T00:00:00Z`);
  moment.setUTCDate(moment.getUTCDate() + days);
  return moment.toISOString().slice(0, 10);
}

// ---- Documents that a complete list does not show ----
// A complete list does not show a document that we hold to be Created: somebody deleted it, or changed its status. It is read, and the result is
// recorded. Otherwise it would count as handed over for ever, and hide a document that was handed over meanwhile.

/** In one sweep; the others have their turn in the next. */
const READ_AGAIN_MAX = 100;

export async function readUnlisted(
  stage: { readonly runtime: Runtime; readonly store: IntakeStore },
  tenant: TenantContext,
  kind: SourceKind,
  begun: BegunSweep,
): Promise<void> {
  const guids = await stage.store.unlisted(begun, tenant.name, kind, READ_AGAIN_MAX);
  const read: ReadAgain[] = [];
  for (const guid of guids) {
    const fetched = await askAgain(stage.runtime, () => tenant.source.get(kind, guid));
    // What cannot be read is there all the same.
    const status = fetched.outcome === 'found' ? fetched.document.accountingStatus : 'Created';
    read.push({ guid, status: fetched.outcome === 'gone' ? 'gone' : status });
  }
  if (read.length > 0) await stage.store.recordReadAgain(begun, tenant.name, kind, read);
}

// ---- What a list showed besides documents that can be read ----
// A person is told of records that cannot be read, pages that repeat, and a list without end.

/** Counted while it is read, so that memory does not know how long it is. */
export class Shown {
  listed = 0;
  problems = 0;
  /** Records without a guid: they cannot become documents. */
  nameless: { readonly length: number; readonly texts: readonly string[] } = { length: 0, texts: [] };
  /** Listed as Created, and on record otherwise since before the list was read. */
  contradicted = 0;
  readonly #kind: SourceKind;

  constructor(kind: SourceKind) {
    this.#kind = kind;
  }

  /** What becomes a document. A record that cannot be read but has a guid does too: it becomes visible instead of lost. */
  add(pages: readonly ListPage[]): ListedDocument[] {
    const problems = pages.flatMap((page) => page.problems);
    const nameless = problems.filter(({ guid }) => guid === null).map(({ problem }) => problem);
    const documents = new Map<string, ListedDocument>();
    for (const { guid } of problems)
      if (guid !== null) documents.set(guid, unreadableDocument(this.#kind, guid));
    for (const document of pages.flatMap((page) => page.documents)) documents.set(document.guid, document);
    this.listed += documents.size;
    this.problems += problems.length;
    this.nameless = {
      length: this.nameless.length + nameless.length,
      texts: [...this.nameless.texts, ...nameless].slice(0, TOLD_MAX),
    };
    return [...documents.values()];
  }
}

const TOLD_MAX = 5;

export async function reportProblems(
  store: IntakeStore,
  tenantName: TenantName,
  kind: SourceKind,
  { stopped, pages }: Listing,
  { nameless, listed }: Shown,
): Promise<void> {
  if (nameless.length > 0) {
    const problems = nameless.texts.join('; ');
    await store.openIncident(
      tenantName,
      incident(
        'RECORD_WITHOUT_GUID',
        { kind, count: nameless.length, problems },
        { severity: 'critical', fingerprint: `${tenantName}:${kind}` },
      ),
    );
  }
  if (stopped !== 'end') {
    const list = { kind, repeats: stopped === 'repeated-page', pages, documents: listed };
    const about = { severity: 'warning', fingerprint: `${tenantName}:${kind}` } as const;
    await store.openIncident(tenantName, incident('LIST_NEVER_ENDS', list, about));
  }
}

function unreadableDocument(kind: SourceKind, guid: Guid): ListedDocument {
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
