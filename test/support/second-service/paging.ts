import type { Fields } from './fields.js';
import { Refusal } from './refusal.js';

export interface Page<Thing> {
  readonly things: Thing[];
  readonly limit: number;
  readonly page: number;
  readonly more: boolean;
}

/** One page; "`limit` defaults to all records and `page` is the page number" unless a default is given. */
export function takePage<Thing>(
  all: readonly Thing[],
  query: Fields,
  usual?: number,
  cap?: number | null,
): Page<Thing> {
  const asked = query.maybeWhole('limit') ?? usual ?? Math.max(all.length, 1);
  const page = query.maybeWhole('page') ?? 1;
  if (asked < 1 || page < 1) throw new Refusal('limit and page must be positive');
  const limit = cap === undefined || cap === null ? asked : Math.min(asked, cap);
  const things = all.slice((page - 1) * limit, page * limit);
  return { things, limit, page, more: page * limit < all.length };
}

/** Comma-separated values of `accounting_status`, or null for all; "HTTP 400 with error_code" for others. */
export function readStatuses(query: Fields, allowed: readonly string[], several: boolean): string[] | null {
  const text = query.maybeText('accounting_status');
  if (text === null || text === '') return null;
  const values = several ? text.split(',').map((value) => value.trim()) : [text];
  if (values.every((value) => allowed.includes(value))) return values;
  throw new Refusal('Invalid accounting_status', 400, { error_code: 'invalid_accounting_status' });
}

export interface Period {
  readonly from: string | null;
  readonly to: string | null;
}

export const readPeriod = (query: Fields): Period => ({
  from: query.maybeDate('from_date'),
  to: query.maybeDate('to_date'),
});

/** Both ends inclusive, "up to 23:59:59". */
export const isWithin = (date: string, period: Period): boolean =>
  (period.from === null || date >= period.from) && (period.to === null || date <= period.to);
