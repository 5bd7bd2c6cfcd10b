// Reads a list to its end without trusting it: pages may shift, repeat, ignore the limit or never end. Guids are gathered
// first and given out in batches afterwards, because work on the first page would move the second.
import type { Runtime } from '../../domain/runtime.js';
import type {
  InvoicingSource,
  ListedDocument,
  ListPage,
  ListQuery,
  RecordProblem,
} from '../../invoicing/invoicing-source.js';
import { askAgain } from './ask-again.js';

/** 20,000 pages of 100 are two million documents: more than any account has waiting. */
const PAGES_MAX = 20_000;

export interface Listing {
  readonly documents: ReadonlyMap<string, ListedDocument>;
  readonly problems: readonly RecordProblem[];
  readonly pages: number;
  /** Why reading stopped; only `end` is a natural one. */
  readonly stopped: 'end' | 'repeated-page' | 'too-many-pages' | 'failed';
  /** What ended it when it failed; the pages before are good all the same. */
  readonly failure?: Error;
}

export async function pageThrough(
  source: Pick<InvoicingSource, 'list'>,
  query: ListQuery,
  runtime: Pick<Runtime, 'timers' | 'random'>,
  onPage: (pages: number) => Promise<void>,
): Promise<Listing> {
  const documents = new Map<string, ListedDocument>();
  const problems: RecordProblem[] = [];
  const stop = (stopped: Listing['stopped'], pages: number) => ({ documents, problems, pages, stopped });
  let previous: string | null = null;
  for (let page = 1; page <= PAGES_MAX; page++) {
    let read: ListPage;
    try {
      read = await askAgain(runtime, () => source.list(query, page));
    } catch (error) {
      return { ...stop('failed', page), failure: error instanceof Error ? error : new Error(String(error)) };
    }
    const empty = read.documents.length === 0 && read.problems.length === 0;
    if (empty) return stop('end', page);
    if (read.fingerprint === previous) return stop('repeated-page', page);
    previous = read.fingerprint;
    for (const document of read.documents) documents.set(document.guid, document);
    problems.push(...read.problems);
    await onPage(page);
    if (read.hasMore === false) return stop('end', page);
  }
  return stop('too-many-pages', PAGES_MAX);
}
