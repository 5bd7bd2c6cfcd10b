// Where exchange rates come from that the tenant's own table does not have: ISK per one unit, by day.
import { Decimal } from './money.js';
import type { IsoDate } from './source-document.js';

export type RateAnswer =
  /** The latest rate not after the day that was asked for. */
  | { readonly outcome: 'found'; readonly day: IsoDate; readonly rate: Decimal; readonly origin: string }
  | { readonly outcome: 'none' }
  /** Nobody knows now; the same question may be answered later. */
  | { readonly outcome: 'unavailable'; readonly problem: string };

export interface RateSource {
  /** Never throws; answers within seconds, whatever the network does. */
  rateOn(currency: string, day: IsoDate, maxAgeDays: number): Promise<RateAnswer>;
}

// An ERP that keeps a document in its currency reckons the krónur itself, by a rate that it rounds or has of its own.

/** What rounding to whole krónur may come to on a line. */
const ROUNDING_ISK = 1;

export function isWithin(
  found: Decimal,
  wanted: Decimal | string,
  { tolerance, lines }: { readonly tolerance: number; readonly lines: number },
): boolean {
  const slack = new Decimal(wanted).times(tolerance).plus(ROUNDING_ISK * lines);
  return found.minus(wanted).abs().lessThanOrEqualTo(slack);
}
