// Where the fast path starts. The filter is day-granular and its edges are unstated for invoices, and the host's clock may be
// off, so it reaches back further than it should need to.
import type { IsoDate } from '../../domain/source-document.js';

export const OVERLAP_DAYS = 3;

const MINUTE_MS = 60_000;
export const FULL_SWEEP_EVERY_MS = { least: 15 * MINUTE_MS, most: 24 * 60 * MINUTE_MS } as const;
const PAGE = 100;
const MS_PER_PAGE = 3 * MINUTE_MS;

/** A full sweep reads what waits, so it is as rare as that is much: within this a document is found that the counts hide. */
export function fullSweepEveryMs(waiting: number): number {
  const { least, most } = FULL_SWEEP_EVERY_MS;
  return Math.min(most, Math.max(least, Math.ceil(waiting / PAGE) * MS_PER_PAGE));
}

export function fastFrom(cursor: IsoDate, cutOver: IsoDate): IsoDate {
  const from = addDays(cursor, -OVERLAP_DAYS);
  return from < cutOver ? cutOver : from;
}

export function addDays(date: IsoDate, days: number): IsoDate {
  const moment = new Date(`${date}T00:00:00Z`);
  moment.setUTCDate(moment.getUTCDate() + days);
  return moment.toISOString().slice(0, 10);
}
