// From what a person has at hand to documents: a search, and the one posting that is meant.
import type { TenantName } from '../domain/ids.js';
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import type { Companies } from './access/reach.js';
import type { ReadingDeps } from './deps.js';
import { DOCUMENT_FIELDS, type DocumentQuery, meaningsOf } from './document-query.js';
import { checkedInput } from './field-schemas.js';
import { refuseUnknownTenant } from './known-tenant.js';
import { documentView } from './in-words.js';
import { PAGE_DEFAULT, PAGE_MAX } from './page-size.js';
import type { DocumentPage } from './views/document.js';

export function companiesOf(tenant: TenantName | null | undefined): Companies {
  return tenant === null || tenant === undefined ? null : [tenant];
}

export async function searchDocuments(deps: ReadingDeps, query: DocumentQuery): Promise<DocumentPage> {
  const { text, ...filters } = checkedInput(DOCUMENT_FIELDS, query, 'SEARCH_UNUSABLE');
  await refuseUnknownTenant(deps, filters.tenant);
  const dated = filters.issuedFrom !== undefined || filters.issuedTo !== undefined;
  const order = filters.order ?? (dated ? 'issued' : 'found');
  const meanings = text === undefined || text === '' ? null : meaningsOf(text);
  const { rows, next, tooMany } = await deps.records.search(
    { ...filters, limit: filters.limit ?? PAGE_DEFAULT, order },
    meanings,
    companiesOf(filters.tenant),
  );
  return { items: rows.map((row) => documentView(deps.language, row)), next, order, tooMany };
}

/** Page by page, so that nobody has to hold all of them. A text that fits too many of them is refused: which they are would be chance. */
export async function* allThatFit(
  search: (query: DocumentQuery) => Promise<DocumentPage>,
  query: Omit<DocumentQuery, 'after' | 'limit'>,
): AsyncGenerator<DocumentPage['items']> {
  let after: string | null | undefined;
  while (after !== null) {
    const page = await search({ ...query, limit: PAGE_MAX, ...(after === undefined ? {} : { after }) });
    if (page.tooMany) throw coded('QUERY_INVALID', message('TOO_MANY_FIT'));
    yield page.items;
    after = page.next;
  }
}

const NAMED_MAX = 5;

export async function identify(
  deps: ReadingDeps,
  reference: string,
  tenant: TenantName | undefined,
): Promise<string> {
  await refuseUnknownTenant(deps, tenant);
  const found = await deps.records.identify(reference.trim(), companiesOf(tenant), NAMED_MAX);
  const [only, another] = found;
  if (only === undefined) throw coded('DOCUMENT_NOT_FOUND', message('REFERENCE_UNKNOWN', { reference }));
  if (another !== undefined)
    throw coded('DOCUMENT_AMBIGUOUS', message('REFERENCE_AMBIGUOUS', { reference, ids: found.join(', ') }));
  return only;
}
