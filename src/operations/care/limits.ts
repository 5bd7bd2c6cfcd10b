// What may be asked of the records as a whole: how far back, for how long, and what stays where it is.
import { CodedError } from '../../domain/errors/coded-error.js';

export const KEPT_YEARS_MAX = 100;
export const LOOK_UP_DAYS_MAX = 3_650;

/** The first day that is kept. Bookkeeping years end with the calendar's: what is kept is kept to the end of its year. */
export function keptSince(years: number, now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear() - years, 0, 1));
}

const DAY_MS = 86_400_000;

/** Whole days, as they begin in UTC. */
export function firstDayKept(days: number, now: Date): Date {
  return new Date(Math.floor(now.getTime() / DAY_MS - days) * DAY_MS);
}

/** Somebody may still ask for the days that no certificate covers. */
export function refuseUncertified(uncertified: readonly unknown[], isAllowed: boolean): void {
  if (uncertified.length === 0 || isAllowed) return;
  throw new CodedError('ARCHIVE_UNCERTIFIED', 'Some of these days are in no certificate: nothing was moved.');
}
