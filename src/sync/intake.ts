// Step 1: a sweep lists the documents that the source has handed over, and records the new ones. The from_date cursor is the fast path; the set
// `accounting_status=Created` since the cut-over is the truth, and the count of the source says when the fast path missed something. The cursor
// advances only after its window is in the database. Nothing is decided here, and nothing is written to the source.
import { errorWords, CodedError, waitMsOf } from '../domain/errors/coded-error.js';
import type { Guid, TenantName } from '../domain/ids.js';
import { keptWords } from '../domain/message.js';
import { postingKey } from '../domain/posting-key.js';
import type { Runtime } from '../domain/runtime.js';
import type { IsoDate, SourceKind } from '../domain/source-document.js';
import type { ListedDocument, ListPage, ListQuery, InvoicingSource } from '../service/invoicing-source.js';
import { incident } from '../language/incidents/incident-text.js';
import { told } from '../language/messages.js';
import type { FailPoints } from './fail-points.js';
import type { BegunSweep, IntakeStore, ReadAgain, SweepReport } from './intake-records.js';
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

// Reads a list of the source without trusting it: pages may shift, repeat, ignore the limit or never end. Every page is handed on when it is read,
// so that memory does not depend on the length of the list.

/** 20,000 pages of 100 are two million documents: more than any account has waiting. */
const PAGES_MAX = 20_000;

interface Listing {
  readonly pages: number;
  /** Why reading stopped; only `end` is a natural one. */
  readonly stopped: 'end' | 'repeated-page' | 'too-many-pages' | 'failed';
  /** What ended it when it failed; the pages before are good all the same. */
  readonly failure?: Error;
}

interface PageReader {
  /** Pages that were read, empty ones too. */
  readonly pages: number;
  /** Why there is no such page, or the page. */
  read(page: number): Promise<ListPage | Exclude<Listing['stopped'], 'failed'>>;
}

type Read = (page: ListPage) => Promise<void>;

export function createPageReader(
  source: Pick<InvoicingSource, 'list'>,
  query: ListQuery,
  runtime: Pick<Runtime, 'timers' | 'random'>,
): PageReader {
  let pages = 0;
  let previous: { readonly page: number; readonly fingerprint: string } | null = null;
  return {
    get pages() {
      return pages;
    },
    read: async (page) => {
      if (pages >= PAGES_MAX) return 'too-many-pages';
      pages++;
      const read = await askAgain(runtime, () => source.list(query, page));
      if (rowsOf(read) === 0) return 'end';
      const { fingerprint } = read;
      if (fingerprint === previous?.fingerprint && page !== previous.page) return 'repeated-page';
      previous = { page, fingerprint };
      return read;
    },
  };
}

function rowsOf({ documents, problems }: ListPage): number {
  return documents.length + problems.length;
}

/** From the first page to the last; for lists that nobody's work makes shorter. */
export async function pageThrough(
  source: Pick<InvoicingSource, 'list'>,
  query: ListQuery,
  runtime: Pick<Runtime, 'timers' | 'random'>,
  onPage: Read,
): Promise<Listing> {
  const reader = createPageReader(source, query, runtime);
  return readListing(reader, async () => {
    for (let page = 1; ; page++) {
      const read = await reader.read(page);
      if (typeof read === 'string') return read;
      await onPage(read);
      if (read.hasMore === false) return 'end';
    }
  });
}

async function readListing(
  reader: PageReader,
  readAll: () => Promise<Exclude<Listing['stopped'], 'failed'>>,
): Promise<Listing> {
  try {
    const stopped = await readAll();
    return { pages: reader.pages, stopped };
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    return { pages: reader.pages, stopped: 'failed', failure };
  }
}

// ---- A list that our own work makes shorter ----
// A document whose status we write leaves the list, and everything behind it moves up. So a long list is read from its end to its beginning: what
// moves up was read already, or moves to a place that is read later. Its beginning is worked on first, so that nobody waits for the rest, and is
// read again in its turn. A short list is read to its end before any of it is worked on, and keeps its order.
interface FromEnd {
  /** What the source counts: where the end should be. It may be wrong. */
  readonly expected: number;
  /** So many documents are handed on at once, and kept in memory at most twice. */
  readonly batch: number;
  readonly onPage: () => Promise<void>;
  /** Long lists are read a batch at a time, by turns with those of others. */
  readonly inTurn: InTurn;
  /** In the order of the list. */
  readonly take: (pages: readonly ListPage[]) => Promise<void>;
  /** The beginning of a long list: whatever of it is still there then is taken as well. */
  readonly headStart: (pages: readonly ListPage[]) => Promise<void>;
}

type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

type Stopped = Exclude<Listing['stopped'], 'failed'>;

export async function pageFromEnd(reader: PageReader, how: FromEnd): Promise<Listing> {
  let beginning: ListPage[] = [];
  const listing = await readListing(reader, async () => {
    let stopped = await readSome(reader, how, beginning, PAGES_UNASKED);
    if (stopped === null && rowsOfAll(beginning) < how.batch)
      stopped = await how.inTurn(() => readSome(reader, how, beginning, Infinity));
    if (stopped !== null) return stopped;
    const known = { pages: beginning.length, pageSize: Math.max(...beginning.map(rowsOf)) };
    await how.headStart(beginning);
    // Not kept until the end: many companies may have long lists, and each page is a large text.
    beginning = [];
    return readBackward(reader, how, known);
  });
  // What was read is kept, whatever ended it.
  if (beginning.length > 0) await how.take(beginning);
  return listing;
}

/** The first pages, all of them full. */
interface Beginning {
  readonly pages: number;
  readonly pageSize: number;
}

/** Most lists end with their first page, and are known to at the second: nobody waits for a turn to read these. */
const PAGES_UNASKED = 2;

/** Forward, until there are enough for a batch, or so many pages; null: there may be more. */
async function readSome(
  reader: PageReader,
  { batch, onPage }: FromEnd,
  into: ListPage[],
  pagesMax: number,
): Promise<Stopped | null> {
  while (rowsOfAll(into) < batch && into.length < pagesMax) {
    const read = await reader.read(into.length + 1);
    if (typeof read === 'string') return read;
    into.push(read);
    await onPage();
    if (read.hasMore === false) return 'end';
  }
  return null;
}

async function readBackward(reader: PageReader, how: FromEnd, beginning: Beginning): Promise<Stopped> {
  const end = await findEnd(reader, how.expected, beginning);
  if (typeof end === 'string') return end;
  let left: Left = { page: end, stopped: 'end' };
  while (left.page > 0 && left.stopped === 'end') {
    const { page } = left;
    left = await how.inTurn(() => readBatch(reader, how, page));
  }
  return left.stopped;
}

interface Left {
  /** The next one that is not read yet. */
  readonly page: number;
  readonly stopped: Stopped;
}

/** Backward, until there are enough. */
async function readBatch(reader: PageReader, how: FromEnd, from: number): Promise<Left> {
  const batch: ListPage[] = [];
  let page = from;
  let stopped: Stopped = 'end';
  while (page > 0 && stopped === 'end' && rowsOfAll(batch) < how.batch) {
    const read = await reader.read(page--);
    if (typeof read !== 'string') {
      batch.unshift(read);
      await how.onPage();
    }
    // The list has become shorter meanwhile: there is nothing here any more, or what was read has moved here.
    else if (read === 'too-many-pages') stopped = read;
  }
  if (batch.length > 0) await how.take(batch);
  return { page, stopped };
}

/** The last page with anything on it: near where the count says, and found by halving where the count is wrong. */
async function findEnd(
  reader: PageReader,
  expected: number,
  { pages, pageSize }: Beginning,
): Promise<number | Stopped> {
  let filled = pages;
  let empty = Infinity;
  let probe = Math.max(filled + 1, Math.ceil(expected / pageSize));
  for (let step = 1; empty - filled > 1; step *= 2) {
    const read = await reader.read(probe);
    if (read === 'end') empty = probe;
    else if (typeof read === 'string') return read;
    else if (read.hasMore === false || rowsOf(read) < pageSize) return probe;
    else filled = probe;
    probe = empty === Infinity ? filled + step : Math.floor((filled + empty) / 2);
  }
  return filled;
}

function rowsOfAll(pages: readonly ListPage[]): number {
  return pages.reduce((rows, page) => rows + rowsOf(page), 0);
}

// ---- One bad answer ----
// A read has no effect, so one bad answer among a thousand pages does not restart the sweep: the page is requested a few times more. A longer
// failure is an outage, and the caller waits.

/** ± half of each is random. */
export const ASK_AGAIN_MS = [300, 1_500] as const;

export async function askAgain<T>(
  { timers, random }: Pick<Runtime, 'timers' | 'random'>,
  ask: () => Promise<T>,
): Promise<T> {
  for (const waitMs of ASK_AGAIN_MS) {
    try {
      return await ask();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await timers.sleep(Math.round(waitMs * (0.5 + random.next())));
    }
  }
  return ask();
}

/** Trouble of the moment; who said when to come back is not asked before. */
function isPassing(error: unknown): boolean {
  return (
    error instanceof CodedError && error.definition.disposition === 'retry' && waitMsOf(error) === undefined
  );
}
