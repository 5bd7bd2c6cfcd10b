// When things happen: on working days, most of all at the end of a month, and in office hours.
import { addDays, daysBetween } from '../clock.js';
import type { DateText, TimestampText } from '../model.js';
import type { Random } from '../random.js';

const DAYS_MAX = 36_600;

export class WorkingDays {
  readonly #days: readonly DateText[];
  readonly #until: Float64Array;
  readonly from: DateText;
  readonly to: DateText;

  constructor(from: DateText, to: DateText) {
    const count = daysBetween(from, to) + 1;
    if (count < 1 || count > DAYS_MAX) throw new RangeError(`There is no period from ${from} to ${to}.`);
    this.from = from;
    this.to = to;
    this.#days = Array.from({ length: count }, (_, index) => addDays(from, index));
    this.#until = new Float64Array(count);
    let sum = 0;
    for (const [index, day] of this.#days.entries()) this.#until[index] = sum += busyness(day);
  }

  /** So many days, in order. */
  draw(random: Random, count: number): DateText[] {
    const total = this.#until.at(-1) ?? 0;
    const moments = Float64Array.from({ length: count }, () => random.next() * total).sort();
    let index = 0;
    return Array.from(moments, (moment) => {
      while ((this.#until[index] ?? total) <= moment && index < this.#days.length - 1) index++;
      return this.#days[index] ?? this.to;
    });
  }

  /** Some days later, but not after the last day. */
  later(day: DateText, days: number): DateText {
    const moved = days === 0 ? day : addDays(day, days);
    return moved > this.to ? this.to : moved;
  }
}

function busyness(day: DateText): number {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  if (weekday === 0 || weekday === 6) return 0.08;
  return Number(day.slice(8)) >= 27 ? 3 : 1;
}

export function officeHour(random: Random, day: DateText): TimestampText {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${day} ${two(between(random, 8, 17))}:${two(random.below(60))}:${two(random.below(60))}`;
}

// Choices by chance, all from one seeded source.
export function pick<T>(random: Random, options: readonly [T, ...T[]] | readonly T[]): T {
  const chosen = options[random.below(options.length)];
  if (chosen === undefined) throw new RangeError('Nothing to choose from.');
  return chosen;
}

/** True once in a while: 0.1 is one time in ten. */
export function happens(random: Random, probability: number): boolean {
  return random.next() < probability;
}

/** An integer from low to high, both included. */
export function between(random: Random, low: number, high: number): number {
  return low + random.below(high - low + 1);
}

/** Small values often, large ones rarely, as prices and quantities are. */
export function skewed(random: Random, low: number, high: number): number {
  return Math.round(low * (high / low) ** random.next());
}

export function weighted<T>(random: Random, options: readonly (readonly [T, number])[]): T {
  let left = random.next() * options.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [option, weight] of options) {
    left -= weight;
    if (left < 0) return option;
  }
  const [last] = options.at(-1) ?? [];
  if (last === undefined) throw new RangeError('Nothing to choose from.');
  return last;
}

// How much goes differently from the textbook. `tidy`: every document is handed to bookkeeping and can be booked under
// plain rules. `everyday`: with what real companies have. `troubled`: everyday, and one of each problem in problems.ts.

export interface Difficulty {
  /** Shares of all invoices. */
  readonly drafts: number;
  readonly cancelled: number;
  /** Entered days after their issue date. */
  readonly enteredLate: number;
  /** Share of credit notes whose original was then cancelled. */
  readonly creditedCancelled: number;
  /** Customers that pay no VAT whatever they buy. */
  readonly exemptCustomers: boolean;
  /** Shares of all costs. */
  readonly waitingForApproval: number;
  readonly approvedLate: number;
  readonly readByAi: number;
  readonly fromAbroad: number;
  /** Codes that plain rules send to a person. */
  readonly codesForReview: boolean;
  readonly problems: boolean;
}

const EVERYDAY: Difficulty = {
  drafts: 0.02,
  cancelled: 0.01,
  enteredLate: 0.08,
  creditedCancelled: 0.2,
  exemptCustomers: true,
  waitingForApproval: 0.08,
  approvedLate: 0.15,
  readByAi: 0.01,
  fromAbroad: 0.06,
  codesForReview: true,
  problems: false,
};

export const DIFFICULTIES = {
  tidy: {
    ...EVERYDAY,
    drafts: 0,
    cancelled: 0,
    creditedCancelled: 0,
    exemptCustomers: false,
    waitingForApproval: 0,
    readByAi: 0,
    fromAbroad: 0,
    codesForReview: false,
  },
  everyday: EVERYDAY,
  troubled: { ...EVERYDAY, problems: true },
} as const satisfies Record<string, Difficulty>;

export type DifficultyName = keyof typeof DIFFICULTIES;
