// limit and page, with the limits of the choices and the faults that make pages repeat, shift, end early or lack records.
import { Refusal } from '../service/refusal.js';
import type { Exchange } from './exchange.js';
import type { DataObject } from '../service/data-object.js';
import type { DateField } from '../service/document-index.js';
import type { DocumentFilter } from '../service/invoices.js';
import type { CostFilter } from '../service/costs.js';

export interface Page {
  /** null: all records. */
  readonly limit: number | null;
  readonly page: number;
  readonly offset: number;
}

export function readPage(exchange: Exchange, defaultLimit: number | null, pageSizeMax: number): Page {
  const asked = wholeNumber(exchange, 'limit') ?? defaultLimit;
  const limit = pageSizeMax > 0 ? Math.min(asked ?? pageSizeMax, pageSizeMax) : asked;
  const wanted = Math.max(1, wholeNumber(exchange, 'page') ?? 1);
  const page = exchange.fault('repeated-page') === undefined ? wanted : 1;
  const shifting = wanted > 1 ? exchange.fault('shifting-page') : undefined;
  const shift = shifting === undefined ? 0 : (shifting.shift ?? 1);
  const start = limit === null ? (page > 1 ? Infinity : 0) : (page - 1) * limit;
  return { limit, page: wanted, offset: Math.max(0, start + shift) };
}

/** 0 and nothing mean the default. */
function wholeNumber(exchange: Exchange, name: string): number | null {
  const text = exchange.fields.text(name);
  if (text === '') return null;
  if (!/^\d{1,9}$/.test(text)) throw new Refusal('field-format', `Field ${name} must be a whole number`);
  return Number(text) || null;
}

export function pageOf<T>(rows: readonly T[], { limit, offset }: Page): T[] {
  return rows.slice(offset, limit === null ? undefined : offset + limit);
}

/** What stands on a page, and beside it. */
export interface ListedPage<T> {
  readonly rows: readonly T[];
  readonly beside: object;
}

export function asFaultsHaveIt<T>(exchange: Exchange, { rows, beside }: ListedPage<T>): ListedPage<T> {
  const short = exchange.fault('short-page');
  const kept = short === undefined ? rows : rows.slice(0, -(short.shift ?? 1));
  const endsEarly = exchange.fault('early-end') !== undefined;
  return { rows: kept, beside: endsEarly ? { ...beside, hasMore: false } : beside };
}

// The filters and orders that invoice and cost lists share on both surfaces.

export function invoiceFilter(fields: DataObject): DocumentFilter {
  const dateFilter = fields.oneOf('date_filter', ['issue_date', 'created_date'], 'issue_date');
  return { ...common(fields), dateFilter: dateFilter === 'issue_date' ? 'issue' : 'created' };
}

export function costFilter(fields: DataObject): CostFilter {
  const dateFilter = fields.oneOf('date_filter', ['date', 'created_date'], 'date');
  return {
    ...common(fields),
    dateFilter: dateFilter === 'date' ? 'issue' : 'created',
    type: fields.text('type'),
    supplierId: fields.text('supplier_id'),
  };
}

function common(fields: DataObject) {
  return {
    accountingStatus: fields.text('accounting_status'),
    from: fields.date('from_date'),
    to: fields.date('to_date'),
  };
}

interface SortOrder {
  readonly sortBy: DateField;
  readonly descending: boolean;
}

const SORTS = {
  date_desc: { sortBy: 'issue', descending: true },
  date_asc: { sortBy: 'issue', descending: false },
  created_desc: { sortBy: 'created', descending: true },
  created_asc: { sortBy: 'created', descending: false },
} as const satisfies Record<string, SortOrder>;

export function sortOrder(fields: DataObject): SortOrder {
  return SORTS[fields.oneOf('sort', ['date_desc', 'date_asc', 'created_desc', 'created_asc'], 'date_desc')];
}
