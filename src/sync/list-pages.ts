// Reads a list of the source without trusting it: pages may shift, repeat, ignore the limit or never end. Every page is handed on when it is read,
// so that memory does not depend on the length of the list.
import { CodedError, waitMsOf } from '../domain/errors/coded-error.js';
import type { Runtime } from '../domain/runtime.js';
import type { InvoicingSource, ListPage, ListQuery } from '../invoicing/invoicing-source.js';

/** 20,000 pages of 100 are two million documents: more than any account has waiting. */
const PAGES_MAX = 20_000;

export interface Listing {
  readonly pages: number;
  /** Why reading stopped; only `end` is a natural one. */
  readonly stopped: 'end' | 'repeated-page' | 'too-many-pages' | 'failed';
  /** What ended it when it failed; the pages before are good all the same. */
  readonly failure?: Error;
}

export interface PageReader {
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

export function rowsOf({ documents, problems }: ListPage): number {
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

export async function readListing(
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

export interface FromEnd {
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

export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

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
