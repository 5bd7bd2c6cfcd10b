// Business Central reckons the krónur of a document by its own table of rates, and the API cannot tell it another. So a document goes in
// its currency only where the rate there is the document's, as near as rates of one day are.
import { Decimal } from '../../domain/decimal.js';
import type { Journal } from '../../domain/journal.js';
import type { ReadAnswer } from '../answer.js';
import type { AuthFailed, Rejected, Transient } from '../erp-adapter.js';
import { rejected, told } from '../told.js';
import { RATE_TOLERANCE } from './assumptions.js';
import { type BcClient, literal } from './client.js';
import { bcExchangeRate } from './wire-documents.js';

const system = 'Business Central';

/** Krónur for one of the currency on that day; undefined where there is none. */
export async function readRate(
  client: BcClient,
  currency: string,
  date: string,
): Promise<ReadAnswer<Decimal | undefined>> {
  const query = {
    $filter: `currencyCode eq ${literal(currency)} and startingDate le ${date}`,
    $orderby: 'startingDate desc',
    $top: '1',
  };
  const answer = await client.list('currencyExchangeRates', query, bcExchangeRate);
  if (answer.outcome !== 'ok') return answer;
  const [rate] = answer.value;
  if (!rate || rate.exchangeRateAmount.isZero()) return { outcome: 'ok', value: undefined };
  return { outcome: 'ok', value: rate.relationalExchangeRateAmount.div(rate.exchangeRateAmount) };
}

/** Null when the krónur will come to what the document says. */
export async function rateProblem(
  client: BcClient,
  { currency, postingDate: date, exchangeRate }: Journal,
): Promise<Rejected | Transient | AuthFailed | null> {
  const rate = await readRate(client, currency, date);
  if (rate.outcome !== 'ok') return rate;
  if (!rate.value) return rejected('invalid', told('RATE_LACKING', { system, currency, date }));
  const off = rate.value.div(exchangeRate).minus(new Decimal(1)).abs();
  if (off.lessThanOrEqualTo(RATE_TOLERANCE)) return null;
  const [found, wanted] = [rate.value.toDecimalPlaces(6).toFixed(), exchangeRate.toFixed()];
  return rejected('invalid', told('RATE_FAR', { system, currency, date, found, wanted }));
}
