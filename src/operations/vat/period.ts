// The period of a VAT return as people write it: 2026-09..10, 2026-09..2026-10, 2026-09, 2026, or two days.
import type { CodedError } from '../../domain/errors/coded-error.js';
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import { isCalendarDay } from '../../domain/local-time.js';
import type { Period } from '../deps.js';

const YEAR = /^(\d{4})$/;
const MONTHS = /^(\d{4})-(\d{2})(?:\.\.(?:(\d{4})-)?(\d{2}))?$/;
const DAYS = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/;
/** The longest period of settlement is a year. */
const MONTHS_MAX = 12;

export function vatPeriod(written: string): Period {
  const text = written.trim();
  const [, from = '', to = ''] = DAYS.exec(text) ?? [];
  if (isCalendarDay(from) && isCalendarDay(to) && from <= to) return { from, to };
  const year = YEAR.exec(text)?.[1];
  if (year !== undefined) return months(Number(year), 1, Number(year), 12);
  const [, firstYear, first, lastYear, last] = MONTHS.exec(text) ?? [];
  if (firstYear === undefined || first === undefined) throw notAPeriod(written);
  return months(Number(firstYear), Number(first), Number(lastYear ?? firstYear), Number(last ?? first));

  function months(fromYear: number, fromMonth: number, toYear: number, toMonth: number): Period {
    const length = (toYear - fromYear) * 12 + toMonth - fromMonth + 1;
    const areMonths = [fromMonth, toMonth].every((month) => month >= 1 && month <= 12);
    if (!areMonths || length < 1 || length > MONTHS_MAX) throw notAPeriod(written);
    const day = (date: Date) => date.toISOString().slice(0, 10);
    return {
      from: day(new Date(Date.UTC(fromYear, fromMonth - 1, 1))),
      to: day(new Date(Date.UTC(toYear, toMonth, 0))),
    };
  }
}

function notAPeriod(written: string): CodedError {
  return coded('QUERY_INVALID', message('NO_SUCH_PERIOD', { written: written.slice(0, 40) }));
}
