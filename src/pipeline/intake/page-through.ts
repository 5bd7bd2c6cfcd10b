// Reads a list to its end without trusting it: pages may shift, repeat, ignore the limit or never end. What was read is handed on
// page by page, so that memory does not know how long the list is.
import type { Runtime } from '../../domain/runtime.js';
import type { InvoicingSource, ListPage, ListQuery } from '../../invoicing/invoicing-source.js';
import { askAgain } from './ask-again.js';

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
