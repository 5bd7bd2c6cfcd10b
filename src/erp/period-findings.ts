// What a connection check says about closed periods: one finding a reason, or that every day is open.
import type { IsoDate } from '../domain/source-document.js';
import type { Finding } from './erp-adapter.js';
import { remedyOf, told } from './told.js';

/** `closed` says why nothing can be booked on a day, in words that do not depend on the day where that is possible. */
export function periodFindings(
  days: readonly IsoDate[] | undefined,
  closed: (day: IsoDate) => string | null,
): Finding[] {
  if (days === undefined || days.length === 0) return [];
  const byReason = new Map<string, IsoDate[]>();
  for (const day of [...days].sort()) {
    const reason = closed(day);
    if (reason !== null) byReason.set(reason, [...(byReason.get(reason) ?? []), day]);
  }
  if (byReason.size === 0)
    return [{ severity: 'ok', about: 'period', message: `All ${days.length} posting dates are open.` }];
  return [...byReason].map(([reason, found]) => ({
    severity: 'error',
    about: 'period',
    lacks: { days: found },
    message: `${span(found)} cannot be booked on. ${reason}`,
    ...remedyOf(told('OPEN_THE_PERIOD')),
  }));
}

function span(days: readonly IsoDate[]): string {
  const [first = ''] = days;
  return days.length === 1 ? first : `${days.length} days from ${first} to ${days.at(-1) ?? first}`;
}
