// Where the fast path starts. The filter is day-granular and its edges are unstated for invoices, and the host's clock may be
// off, so it reaches back further than it should need to.
import type { IsoDate } from '../../domain/source-document.js';

export const OVERLAP_DAYS = 3;
export const FULL_SWEEP_EVERY_MS = 24 * 60 * 60 * 1000;

export function fastFrom(cursor: IsoDate, cutOver: IsoDate): IsoDate {
  const from = addDays(cursor, -OVERLAP_DAYS);
  return from < cutOver ? cutOver : from;
}

export function addDays(date: IsoDate, days: number): IsoDate {
  const moment = new Date(`${date}T00:00:00Z`);
  moment.setUTCDate(moment.getUTCDate() + days);
  return moment.toISOString().slice(0, 10);
}
