// Where exchange rates come from that the tenant's own table does not have: ISK per one unit, by day.
import type { Decimal } from './decimal.js';
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
