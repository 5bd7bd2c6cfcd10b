// Reads a list that our own work makes shorter while it is read: what is told to the source leaves the list, and everything behind it
// moves up. So a long list is read from its end: what leaves has been read, and so has what it moves. A short one is read to its end
// before any of it is worked on, and handed on in its own order.
import type { ListPage } from '../../invoicing/invoicing-source.js';
import { type Listing, readListing, type PageReader, rowsOf } from './page-through.js';

export interface FromEnd {
  /** What the source counts: where the end should be. It may be wrong. */
  readonly expected: number;
  /** So many documents are handed on at once, and kept in memory at most twice. */
  readonly batch: number;
  readonly onPage: () => Promise<void>;
  /** In the order of the list. */
  readonly take: (pages: readonly ListPage[]) => Promise<void>;
}

type Stopped = Exclude<Listing['stopped'], 'failed'>;

export async function pageFromEnd(reader: PageReader, how: FromEnd): Promise<Listing> {
  const beginning: ListPage[] = [];
  const listing = await readListing(reader, async () => {
    const stopped = await readSome(reader, how, 1, beginning);
    if (stopped !== 'full') return stopped;
    return readRest(reader, how, beginning);
  });
  // What was read is kept, whatever ended it.
  if (beginning.length > 0) await how.take(beginning);
  return listing;
}

/** Forward, until there are enough for a batch. */
async function readSome(
  reader: PageReader,
  { batch, onPage }: FromEnd,
  from: number,
  into: ListPage[],
): Promise<Stopped | 'full'> {
  let rows = 0;
  for (let page = from; rows < batch; page++) {
    const read = await reader.read(page);
    if (typeof read === 'string') return read;
    into.push(read);
    rows += rowsOf(read);
    await onPage();
    if (read.hasMore === false) return 'end';
  }
  return 'full';
}

async function readRest(reader: PageReader, how: FromEnd, beginning: readonly ListPage[]): Promise<Stopped> {
  const end = await findEnd(reader, how.expected, beginning);
  if (typeof end === 'string') return end;
  let batch: ListPage[] = [];
  let stopped: Stopped = 'end';
  for (let page = end; page > beginning.length && stopped === 'end'; page--) {
    const read = await reader.read(page);
    if (typeof read === 'string') {
      // The list has become shorter meanwhile: there is nothing here any more.
      stopped = read;
      continue;
    }
    batch.unshift(read);
    await how.onPage();
    if (rowsOfAll(batch) < how.batch) continue;
    await how.take(batch);
    batch = [];
  }
  if (batch.length > 0) await how.take(batch);
  return stopped;
}

/** The last page with anything on it: near where the count says, and found by halving where the count is wrong. */
async function findEnd(
  reader: PageReader,
  expected: number,
  beginning: readonly ListPage[],
): Promise<number | Stopped> {
  const pageSize = Math.max(...beginning.map(rowsOf));
  let filled = beginning.length;
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
