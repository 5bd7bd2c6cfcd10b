// Reads a list to its end without trusting it: pages may shift, repeat, ignore the limit or never end. Guids are gathered
// first and given out in batches afterwards, because work on the first page would move the second.
import type {
  InvoicingSource,
  ListedDocument,
  ListQuery,
  RecordProblem,
} from '../../invoicing/invoicing-source.js';

/** 20,000 pages of 100 are two million documents: more than any account has waiting. */
const PAGES_MAX = 20_000;

export interface Listing {
  readonly documents: ReadonlyMap<string, ListedDocument>;
  readonly problems: readonly RecordProblem[];
  readonly pages: number;
  /** Why reading stopped; only `end` is a natural one. */
  readonly stopped: 'end' | 'repeated-page' | 'too-many-pages';
}

export async function pageThrough(
  source: InvoicingSource,
  query: ListQuery,
  onPage: (pages: number) => Promise<void>,
): Promise<Listing> {
  const documents = new Map<string, ListedDocument>();
  const problems: RecordProblem[] = [];
  let previous: string | null = null;
  for (let page = 1; page <= PAGES_MAX; page++) {
    const read = await source.list(query, page);
    const empty = read.documents.length === 0 && read.problems.length === 0;
    if (empty) return { documents, problems, pages: page, stopped: 'end' };
    if (read.fingerprint === previous) return { documents, problems, pages: page, stopped: 'repeated-page' };
    previous = read.fingerprint;
    for (const document of read.documents) documents.set(document.guid, document);
    problems.push(...read.problems);
    await onPage(page);
    if (read.hasMore === false) return { documents, problems, pages: page, stopped: 'end' };
  }
  return { documents, problems, pages: PAGES_MAX, stopped: 'too-many-pages' };
}
