// dk reckons the krónur of a line by its own rate, and a line cannot tell it another. So a journal goes in its currency only where that rate
// is the document's, as near as rates of one day are, and in krónur otherwise.
import { type Decimal, sum } from '../../domain/decimal.js';
import type { Journal } from '../../domain/journal.js';
import type { Clock } from '../../domain/runtime.js';
import type { ReadAnswer } from '../answer.js';
import { Remembered } from '../remembered.js';
import { RATE_TOLERANCE } from './assumptions.js';
import type { DkClient } from './client.js';
import type { DkPlusConfiguration } from './config.js';
import { linesInCurrency } from './translate.js';

const RATES_LIFE_MS = 5 * 60 * 1000;

export class DkRates {
  readonly #rates: Remembered<ReadonlyMap<string, Decimal>>;
  readonly #foreignDocuments: DkPlusConfiguration['foreignDocuments'];

  constructor(client: DkClient, { foreignDocuments }: DkPlusConfiguration, clock: Clock) {
    this.#foreignDocuments = foreignDocuments;
    this.#rates = new Remembered(clock, RATES_LIFE_MS, async () => {
      const answer = await client.currencies();
      if (answer.outcome !== 'ok') return answer;
      return { outcome: 'ok', value: new Map(answer.value.map(({ Number: code, Rate }) => [code, Rate])) };
    });
  }

  /** Whether the lines of this journal are to be in its currency. */
  async isInCurrency(journal: Journal): Promise<ReadAnswer<boolean>> {
    if (this.#foreignDocuments !== 'in-currency' || !isWholeInCurrency(journal)) return no;
    const rates = await this.#rates.get();
    if (rates.outcome !== 'ok') return rates;
    const rate = rates.value.get(journal.currency);
    const off = rate?.div(journal.exchangeRate).minus(1).abs();
    return { outcome: 'ok', value: off?.lessThanOrEqualTo(RATE_TOLERANCE) === true };
  }
}

const no = { outcome: 'ok', value: false } as const;

/** Every line has an amount in the currency of the document, but for what evens out our own rounding, and they come to nothing. */
export function isWholeInCurrency(journal: Journal): boolean {
  const { currency, lines } = journal;
  if (currency === 'ISK') return false;
  const foreign = linesInCurrency(journal);
  if (foreign.length < 2 || foreign.some((line) => line.currency !== currency)) return false;
  const rest = lines.filter((line) => !foreign.includes(line));
  if (rest.some(({ role }) => role !== 'rounding')) return false;
  return sum(foreign.flatMap(({ currencyAmount }) => currencyAmount ?? [])).isZero();
}
