// Income and cost that belong to other months than the document: they wait on an account of the balance sheet, and are released
// from there on days that are fixed when the document is booked. VAT does not wait: it is owed by the document.
import { isCalendarDay } from '../../domain/local-time.js';
import type { IsoDate } from '../../domain/source-document.js';
import { message } from '../../language/messages.js';
import type { RuleBook } from './rules.js';
import { MONTHS_MAX } from './rule-schemas.js';
import { because, type Because } from './outcome.js';

export interface Spread {
  /** On which it waits. */
  readonly waits: Because;
  /** Which rule spreads it, and over which days. */
  readonly why: Because;
  readonly days: readonly IsoDate[];
}

export interface SpreadFacts {
  readonly side: 'invoice' | 'cost';
  /** From which month on: of the delivery, or of the beginning of the e-invoice's period. Empty: nobody says. */
  readonly from: IsoDate;
  /** Of the e-invoice's period. */
  readonly until?: IsoDate | undefined;
  /** A case says so, of this path. */
  readonly months?: { readonly count: number; readonly rule: string } | undefined;
  readonly postingDate: IsoDate;
  /** A credit note undoes from its own day on what its original released, and what it would have. */
  readonly notBefore: IsoDate;
}

/** null: it belongs to the month of its document. */
export function spreadOf(facts: SpreadFacts, book: RuleBook): Spread | null {
  const planned = plannedDays(facts, book);
  if (planned === null) return null;
  const floor = [facts.notBefore, firstOpenDay(book)].reduce(later);
  const days = planned.days.map((day) => later(day, floor));
  const [first, last] = [days[0] ?? '', days.at(-1) ?? ''];
  const month = monthOf(facts.postingDate);
  if (monthOf(first) === month && monthOf(last) === month) return null;
  const waits = waitingAccount(facts.side, monthOf(last) > month, book);
  if (waits === null) return null;
  const why = message('SPREAD_OVER', { releases: new Set(days).size, first, last });
  return { waits, days, why: because('release', `${first} … ${last}`, planned.rule, why) };
}

/** On which account the line stands, and where it goes from there. */
export function spreadReasons(spread: Spread | null, account: Because): readonly Because[] {
  return spread === null ? [account] : [spread.waits, { ...account, field: 'releasedTo' }, spread.why];
}

interface Planned {
  readonly days: readonly IsoDate[];
  readonly rule: string;
}

function plannedDays(
  { side, from, until, months, postingDate }: SpreadFacts,
  book: RuleBook,
): Planned | null {
  const start = isCalendarDay(from) ? from : postingDate;
  if (months !== undefined) return { days: monthEnds(start, months.count), rule: months.rule };
  if (book.rules[side].spread !== 'delivery' || !isCalendarDay(from)) return null;
  const count = until === undefined || until < from ? 1 : monthsBetween(from, until) + 1;
  const days = count === 1 ? [from] : monthEnds(from, Math.min(count, MONTHS_MAX));
  return { days, rule: `${side}.spread` };
}

/** What a later month earns was paid before; what an earlier one earned is only billed now. */
function waitingAccount(side: SpreadFacts['side'], isLater: boolean, { rules }: RuleBook): Because | null {
  const { accounts } = rules;
  const named = (name: 'deferredRevenue' | 'accruedRevenue' | 'prepaidExpense' | 'accruedExpense') =>
    accounts[name] === undefined
      ? null
      : because('account', accounts[name], `accounts.${name}`, message('WAITS_FOR_RELEASE', { isLater }));
  if (side === 'invoice') return (isLater ? null : named('accruedRevenue')) ?? named('deferredRevenue');
  return (isLater ? null : named('accruedExpense')) ?? named('prepaidExpense');
}

/** The last days of so many months, from the month of `from` on. */
function monthEnds(from: IsoDate, count: number): IsoDate[] {
  const [year, month] = [Number(from.slice(0, 4)), Number(from.slice(5, 7))];
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(year, month + index, 0)).toISOString().slice(0, 10),
  );
}

function monthsBetween(from: IsoDate, until: IsoDate): number {
  const months = (day: IsoDate) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return months(until) - months(from);
}

function firstOpenDay({ rules }: RuleBook): IsoDate {
  const { lockedUntil } = rules.period;
  if (!lockedUntil) return '';
  return new Date(Date.parse(lockedUntil) + DAY_MS).toISOString().slice(0, 10);
}

const DAY_MS = 86_400_000;

function monthOf(day: IsoDate): string {
  return day.slice(0, 7);
}

function later(one: IsoDate, other: IsoDate): IsoDate {
  return one > other ? one : other;
}
