// Daily rates by month, fetched once and kept: a month that is over does not change, the present one is looked at again after
// an hour, and a source that is down is asked again after five minutes. Many who ask at once share one request.
import type { Decimal } from '../domain/decimal.js';
import type { RateAnswer, RateSource } from '../domain/rate-source.js';
import type { Clock } from '../domain/runtime.js';
import type { IsoDate } from '../domain/source-document.js';

/** Currency → day → ISK for one unit. */
export type DailyRates = ReadonlyMap<string, ReadonlyMap<IsoDate, Decimal>>;

export interface MonthReading {
  readonly rates: DailyRates;
  /** Why it may lack something; null when it is all there is. */
  readonly problem: string | null;
}

interface KeptMonth extends MonthReading {
  readonly readAt: number;
}

const PRESENT_LIFE_MS = 3_600_000;
const FAILED_LIFE_MS = 300_000;
/** A rate may be corrected some days later; after these a month is over for good. */
const SETTLING_DAYS = 7;
const MONTHS_MAX = 60;
const DAY_MS = 86_400_000;

export class MonthlyRates implements RateSource {
  readonly #origin: string;
  readonly #clock: Clock;
  readonly #read: (month: string) => Promise<MonthReading>;
  readonly #kept = new Map<string, KeptMonth>();
  readonly #underWay = new Map<string, Promise<KeptMonth>>();

  /** `read` never throws: what goes wrong is the reading's `problem`. */
  constructor(origin: string, clock: Clock, read: (month: string) => Promise<MonthReading>) {
    this.#origin = origin;
    this.#clock = clock;
    this.#read = read;
  }

  async rateOn(currency: string, wanted: IsoDate, maxAgeDays: number): Promise<RateAnswer> {
    const today = this.#clock.now().toISOString().slice(0, 10);
    const day = wanted > today ? today : wanted;
    const oldest = dayBefore(wanted, maxAgeDays);
    if (oldest > day) return { outcome: 'none' };
    const months = [...new Set([day.slice(0, 7), oldest.slice(0, 7)])];
    for (const month of months) {
      const reading = await this.#month(month);
      const found = latest(reading.rates.get(currency), oldest, day);
      // What a source that fails has shown so far may not be its latest word; only the very day is certain.
      if (reading.problem !== null && found?.day !== day)
        return { outcome: 'unavailable', problem: reading.problem };
      if (found) return { outcome: 'found', ...found, origin: this.#origin };
    }
    return { outcome: 'none' };
  }

  #month(month: string): Promise<KeptMonth> {
    const kept = this.#kept.get(month);
    if (kept && this.#isFresh(month, kept)) return Promise.resolve(kept);
    const underWay = this.#underWay.get(month) ?? this.#fetch(month, kept);
    this.#underWay.set(month, underWay);
    return underWay;
  }

  async #fetch(month: string, before: KeptMonth | undefined): Promise<KeptMonth> {
    try {
      const reading = await this.#read(month);
      const rates = reading.problem !== null && before ? before.rates : reading.rates;
      const kept = { rates, problem: reading.problem, readAt: this.#clock.now().getTime() };
      this.#kept.delete(month);
      this.#kept.set(month, kept);
      const oldest = this.#kept.keys().next();
      if (this.#kept.size > MONTHS_MAX && !oldest.done) this.#kept.delete(oldest.value);
      return kept;
    } finally {
      this.#underWay.delete(month);
    }
  }

  #isFresh(month: string, { problem, readAt }: KeptMonth): boolean {
    const ageMs = this.#clock.now().getTime() - readAt;
    if (problem !== null) return ageMs < FAILED_LIFE_MS;
    const settled = Date.parse(`${month}-01T00:00:00Z`) + (31 + SETTLING_DAYS) * DAY_MS;
    return readAt > settled || ageMs < PRESENT_LIFE_MS;
  }
}

function latest(
  days: ReadonlyMap<IsoDate, Decimal> | undefined,
  from: IsoDate,
  to: IsoDate,
): { day: IsoDate; rate: Decimal } | null {
  let best: { day: IsoDate; rate: Decimal } | null = null;
  for (const [day, rate] of days ?? [])
    if (day >= from && day <= to && (best === null || day > best.day)) best = { day, rate };
  return best;
}

function dayBefore(day: IsoDate, days: number): IsoDate {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);
}
