// Search over documents, fast at a million rows: every filter leads to an index, pages go by key and never by offset. The
// plans are held to that by a test (test/integration/operations/search-plans.test.ts).
import type { Guid } from '../../domain/ids.js';
import { type BookedKind, SOURCE_KINDS } from '../../domain/source-document.js';
import { isHeldByOperator } from '../../domain/posting.js';
import { instantOf, instantOrNull, type ReasonColumns, toReason } from '../storable.js';
import type { Companies } from '../../operations/access/reach.js';
import type { DocumentOrder } from '../../operations/page-size.js';
import type { CheckedDocumentQuery, TextMeanings } from '../../operations/document-query.js';
import { DOCUMENTS } from '../../operations/document-list.js';
import type { Field } from '../../operations/fields.js';
import { MENDED_CODES } from '../../operations/mending.js';
import type { StoredDocumentRow } from '../../operations/records.js';
import { CodedError } from '../../domain/errors/coded-error.js';
import { POSTING_STATES, type PostingState } from '../../domain/posting.js';
import { type Tx, empty, join, type Sql, sql } from '../db.js';

/** A text that fits more documents than this is not put in order: the answer says so. */
const CANDIDATES_MAX = 5_000;

export interface RawDocumentRow extends ReasonColumns {
  posting_id: string;
  document_id: string;
  tenant_name: string;
  kind: BookedKind;
  guid: Guid;
  number: string;
  counterparty_name: string;
  counterparty_kennitala: string;
  amount: string;
  currency: string;
  issue_date: string;
  source_status: string;
  state: PostingState;
  state_since: Date;
  due_at: Date | null;
  tries: number;
  key: string;
  generation: number;
  document_no: string | null;
  posting_date: string | null;
  total_isk: string | null;
  erp_number: string | null;
  discovered_at: Date;
  posted_at: Date | null;
  acknowledged_at: Date | null;
}

export const DOCUMENT_COLUMNS = sql`p.id AS posting_id, d.id AS document_id, p.tenant_name, p.kind, d.guid, d.number,
  d.counterparty_name, d.counterparty_kennitala, trim_scale(d.amount)::text AS amount, d.currency, d.issue_date, d.source_status,
  p.state, p.state_since, p.reason, p.reason_subject, p.reason_params, p.reason_sentence, p.due_at, p.tries, p.key, p.generation,
  p.document_no, p.posting_date, p.total_isk::text AS total_isk, p.erp_number, p.discovered_at, p.posted_at, p.acknowledged_at`;

export async function searchDocuments(
  db: Pick<Tx, 'rows'>,
  query: CheckedDocumentQuery,
  meanings: TextMeanings | null,
  companies: Companies,
): Promise<{ rows: StoredDocumentRow[]; next: string | null; tooMany: boolean }> {
  const candidates = meanings === null ? null : await candidateIds(db, meanings, companies);
  if (candidates?.length === 0) return { rows: [], next: null, tooMany: false };
  const found = await db.rows<RawDocumentRow>(searchSql(query, candidates, companies));
  const rows = found.slice(0, query.limit);
  const last = found.length > query.limit ? rows.at(-1) : undefined;
  const next = last ? placeOf(last, query.order) : null;
  return { rows: rows.map(toDocumentRow), next, tooMany: (candidates?.length ?? 0) >= CANDIDATES_MAX };
}

/** Each meaning of the text is one look into one index. */
async function candidateIds(
  db: Pick<Tx, 'rows'>,
  meanings: TextMeanings,
  companies: Companies,
): Promise<readonly string[]> {
  const found = await db.rows<{ id: string }>(candidateSql(meanings, companies));
  return found.map(({ id }) => id);
}

export function candidateSql(meanings: TextMeanings, companies: Companies = null): Sql {
  const { guidPrefix, numberPrefix, kennitala, amount, words, key, erpNumber } = meanings;
  // Within each look: others' documents must neither use up the limit nor be counted.
  const limit =
    companies === null
      ? sql`LIMIT ${CANDIDATES_MAX}`
      : sql`AND tenant_name = ANY(${[...companies]}::text[]) LIMIT ${CANDIDATES_MAX}`;
  const branches: Sql[] = [];
  const inDocuments = (where: Sql) => branches.push(sql`(SELECT id FROM document WHERE ${where} ${limit})`);
  const inPostings = (where: Sql) =>
    branches.push(sql`(SELECT document_id AS id FROM posting WHERE ${where} ${limit})`);
  if (guidPrefix !== undefined) inDocuments(sql`lower(guid) LIKE ${prefix(guidPrefix)}`);
  if (numberPrefix !== undefined) {
    inDocuments(sql`lower(number) LIKE ${prefix(numberPrefix)}`);
    inPostings(sql`lower(document_no) LIKE ${prefix(numberPrefix)}`);
  }
  if (kennitala !== undefined) inDocuments(sql`counterparty_kennitala = ${kennitala}`);
  if (amount !== undefined) inDocuments(sql`amount = ${amount}::numeric`);
  if (words !== undefined && words.length > 0) {
    const wanted = words.map((word) => `${word}:*`).join(' & ');
    inDocuments(sql`to_tsvector('simple', counterparty_name) @@ to_tsquery('simple', ${wanted})`);
  }
  if (key !== undefined) inPostings(sql`key = ${key}`);
  if (erpNumber !== undefined) inPostings(sql`erp_number = ${erpNumber}`);
  return sql`SELECT DISTINCT id::text AS id FROM (${join(branches, ' UNION ALL ')}) AS found LIMIT ${CANDIDATES_MAX}`;
}

export function searchSql(
  query: CheckedDocumentQuery,
  candidates: readonly string[] | null,
  companies: Companies = null,
): Sql {
  const limit = query.limit + 1;
  const filters = filtersOf(query);
  if (companies !== null) filters.push(sql`p.tenant_name = ANY(${[...companies]}::text[])`);
  if (candidates !== null) filters.push(sql`p.document_id = ANY(${[...candidates]}::uuid[])`);
  if (query.order !== 'found') return sortedSql(query.order, query.after, filters, limit);
  if (query.after !== undefined) filters.push(sql`p.id < ${uuidOf(query.after)}::uuid`);
  const walksByState =
    candidates === null && query.reason === undefined && (narrows(query) || companies !== null);
  return walksByState
    ? byTenantAndState(query, companies, filters, limit)
    : sql`SELECT ${DOCUMENT_COLUMNS} FROM posting p JOIN document d ON d.id = p.document_id
        ${where(filters)} ORDER BY p.id DESC LIMIT ${limit}`;
}

/** Each has an index that gives the rows in its order; ids tell apart what is equal. */
const SORTED: Readonly<Record<Exclude<DocumentOrder, 'found'>, { column: Sql; type: Sql; isUp: boolean }>> = {
  issued: { column: sql`d.issue_date`, type: sql`text`, isUp: false },
  'issued-up': { column: sql`d.issue_date`, type: sql`text`, isUp: true },
  amount: { column: sql`d.amount`, type: sql`numeric`, isUp: false },
  'amount-up': { column: sql`d.amount`, type: sql`numeric`, isUp: true },
};

function sortedSql(
  order: Exclude<DocumentOrder, 'found'>,
  after: string | undefined,
  filters: Sql[],
  limit: number,
): Sql {
  const { column, type, isUp } = SORTED[order];
  const place = after === undefined ? null : sortedPlace(after, order);
  if (place) {
    const [sign, way] = isUp ? [sql`>=`, sql`>`] : [sql`<=`, sql`<`];
    // Said twice: the first alone leads into the index.
    filters.push(sql`${column} ${sign} ${place.value}::${type}`);
    filters.push(
      sql`(${column}, d.id, p.id) ${way} (${place.value}::${type}, ${place.documentId}::uuid, ${place.postingId}::uuid)`,
    );
  }
  const down = isUp ? empty : sql`DESC`;
  return sql`SELECT ${DOCUMENT_COLUMNS} FROM document d JOIN posting p ON p.document_id = d.id
    ${where(filters)} ORDER BY ${column} ${down}, d.id ${down}, p.id ${down} LIMIT ${limit}`;
}

function placeOf(row: RawDocumentRow, order: DocumentOrder): string {
  if (order === 'found') return row.posting_id;
  const value = order.startsWith('amount') ? row.amount : row.issue_date;
  return [value, row.document_id, row.posting_id].join('_');
}

function sortedPlace(after: string, order: DocumentOrder) {
  const [value = '', documentId = '', postingId = ''] = after.split('_');
  const form = order.startsWith('amount') ? /^-?\d{1,18}(\.\d{1,6})?$/ : /^\d{4}-\d\d-\d\d$/;
  if (!form.test(value)) throw notAPlace(after);
  return { value, documentId: uuidOf(documentId), postingId: uuidOf(postingId) };
}

function narrows(query: CheckedDocumentQuery): boolean {
  return query.tenant !== undefined || query.states !== undefined;
}

/**
 * The index (tenant, state, id) gives the newest of each tenant and state; merging these few is the page. It spares two
 * more indexes that every move of every posting would have to keep.
 */
function byTenantAndState(
  query: CheckedDocumentQuery,
  companies: Companies,
  filters: Sql[],
  limit: number,
): Sql {
  const named = query.tenant === undefined ? companies : [query.tenant];
  const tenants =
    named === null ? sql`SELECT name FROM tenant` : sql`SELECT unnest(${[...named]}::text[]) AS name`;
  const states = [...(query.states ?? POSTING_STATES)];
  return sql`
    SELECT page.* FROM (${tenants}) t CROSS JOIN unnest(${states}::text[]) AS s(state)
    CROSS JOIN LATERAL (
      SELECT ${DOCUMENT_COLUMNS} FROM posting p JOIN document d ON d.id = p.document_id
      ${where([sql`p.tenant_name = t.name`, sql`p.state = s.state`, ...filters])} ORDER BY p.id DESC LIMIT ${limit}
    ) page ORDER BY page.posting_id DESC LIMIT ${limit}`;
}

/** Columns that a declared filter may compare (operations/document-list.ts). */
const COLUMNS: Readonly<Record<string, Sql>> = {
  kind: sql`p.kind`,
  state: sql`p.state`,
  amount: sql`d.amount`,
  issueDate: sql`d.issue_date`,
  sourceStatus: sql`d.source_status`,
};

type Condition = (value: string, query: CheckedDocumentQuery) => Sql[];

/** Filters that are more than one comparison. */
const CONDITIONS: Readonly<Record<string, Condition>> = {
  tenant: (tenant, { order }) => [
    sql`p.tenant_name = ${tenant}`,
    ...(order === 'found' ? [] : [sql`d.tenant_name = ${tenant}`]),
  ],
  reason: (code) => [sql`p.reason = ${code}`],
  subject: (subject) => [sql`p.reason_subject = ${subject}`],
  toMend: (which) => [
    which === 'with'
      ? sql`(p.state <> 'held' OR p.reason = ANY(${[...MENDED_CODES]}))`
      : sql`(p.state <> 'held' OR p.reason IS NULL OR p.reason <> ALL(${[...MENDED_CODES]}))`,
  ],
  // The second condition is for the planner: the index of foreign documents cannot know what the parameter is.
  currency: (currency) => [
    sql`d.currency = ${currency}`,
    ...(currency === 'ISK' ? [] : [sql`d.currency <> 'ISK'`]),
  ],
};

function filtersOf(query: CheckedDocumentQuery): Sql[] {
  const given: Readonly<Record<string, unknown>> = { ...query };
  const conditions = Object.entries(DOCUMENTS.filters).flatMap(([name, filter]) => {
    const value = given[name];
    if (value === undefined) return [];
    return CONDITIONS[name]?.(value as string, query) ?? compared(filter, value);
  });
  return query.fromSource ? [...conditions, sql`p.kind = ANY(${[...SOURCE_KINDS]}::text[])`] : conditions;
}

function compared({ kind, on }: Field, value: unknown): Sql[] {
  // A text has none: its candidates are a condition already.
  if (!on) return [];
  const [name, is] = on;
  const column = COLUMNS[name];
  if (!column) throw new TypeError(`a filter compares ${name}, of which the store knows no column`);
  if (is === 'one of') return [sql`${column} = ANY(${[...(value as string[])]}::text[])`];
  const typed = kind === 'amount' ? sql`${value}::numeric` : sql`${value}`;
  if (is === '=') return [sql`${column} = ${typed}`];
  return [is === '<=' ? sql`${column} <= ${typed}` : sql`${column} >= ${typed}`];
}

function where(filters: readonly Sql[]): Sql {
  return filters.length === 0 ? empty : sql`WHERE ${join([...filters], ' AND ')}`;
}

function prefix(text: string): string {
  return `${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function uuidOf(text: string): string {
  if (UUID.test(text)) return text;
  throw notAPlace(text);
}

function notAPlace(text: string): CodedError {
  return new CodedError('QUERY_INVALID', `"${text}" is not the end of a page of documents.`);
}

export function toDocumentRow(row: RawDocumentRow): StoredDocumentRow {
  const reason = toReason(row);
  return {
    postingId: row.posting_id,
    documentId: row.document_id,
    tenantName: row.tenant_name,
    kind: row.kind,
    guid: row.guid,
    number: row.number,
    counterpartyName: row.counterparty_name,
    counterpartyKennitala: row.counterparty_kennitala,
    amount: row.amount,
    currency: row.currency,
    issueDate: row.issue_date,
    sourceStatus: row.source_status,
    state: row.state,
    stateSince: instantOf(row.state_since),
    held: isHeldByOperator({ state: row.state, reason }),
    reason,
    dueAt: instantOrNull(row.due_at),
    tries: row.tries,
    key: row.key,
    generation: row.generation,
    documentNo: row.document_no,
    postingDate: row.posting_date,
    totalIsk: row.total_isk,
    erpNumber: row.erp_number,
    discoveredAt: instantOf(row.discovered_at),
    postedAt: instantOrNull(row.posted_at),
    acknowledgedAt: instantOrNull(row.acknowledged_at),
  };
}
