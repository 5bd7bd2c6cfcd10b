// The rules in the form the mapper reads them: numbers as decimals, exchange rates in order, older spellings resolved.
// Made once per set of rules and remembered as long as the set lives.
import { Decimal } from '../../domain/decimal.js';
import { onceOf } from '../../domain/once-of.js';
import type { IsoDate } from '../../domain/source-document.js';
import type { TenantRules } from './rules.js';

export interface DatedRate {
  readonly day: IsoDate;
  readonly rate: Decimal;
}

export interface RuleBook {
  readonly rules: TenantRules;
  readonly iskDecimals: number;
  readonly maxIsk: Decimal;
  readonly maxMinorUnits: number;
  readonly bandFactor: Decimal;
  /** By how much the rate of a foreign cost may differ from its supplier's. */
  readonly rateSlackPercent: Decimal;
  /** What the totals of an invoice may hold beyond its lines, of the amount. */
  readonly residualMaxPercent: Decimal;
  readonly reference: ReadonlyMap<string, Decimal>;
  /** Per currency, latest day first. */
  readonly rates: ReadonlyMap<string, readonly DatedRate[]>;
  readonly splitsVat: boolean;
  readonly whenLocked: 'park' | 'firstOpenDay';
  readonly whenLinesDiffer: 'totals' | 'reject';
  readonly whenCancelled: 'park' | 'skip';
  readonly whenXmlMissing: 'defer' | 'reject' | 'assumeInvoice';
  readonly parksUnmappedDimensions: boolean;
}

const RATE_SLACK_PERCENT = 1;
const RESIDUAL_MAX_PERCENT = 25;

export const openRuleBook = onceOf(writeRuleBook);

/** Companies that share their rates share what was made of them. */
const ratesOf = onceOf((fx: TenantRules['fx']): Pick<RuleBook, 'reference' | 'rates'> => ({
  reference: new Map(Object.entries(fx.reference).map(([code, rate]) => [code, new Decimal(rate)])),
  rates: new Map(Object.entries(fx.table).map(([code, days]) => [code, datedRates(days)])),
}));

function writeRuleBook(rules: TenantRules): RuleBook {
  const { rounding, fx, period, invoice, cost, dimensions } = rules;
  return {
    rules,
    iskDecimals: rounding.iskDecimals,
    maxIsk: new Decimal(rounding.maxIsk),
    maxMinorUnits: rounding.maxMinorUnits,
    bandFactor: new Decimal(fx.bandFactor),
    rateSlackPercent: new Decimal(fx.rateSlackPercent ?? RATE_SLACK_PERCENT),
    residualMaxPercent: new Decimal(invoice.residualMaxPercent ?? RESIDUAL_MAX_PERCENT),
    ...ratesOf(fx),
    splitsVat: rules.vat.mode === 'erp-splits',
    whenLocked: period.whenLocked === 'firstOpenDay' ? 'firstOpenDay' : 'park',
    whenLinesDiffer: invoice.whenLinesDiffer === 'totals' ? 'totals' : 'reject',
    whenCancelled: invoice.cancelled ?? 'park',
    whenXmlMissing: cost.whenXmlMissing === 'error' ? 'reject' : cost.whenXmlMissing,
    parksUnmappedDimensions: ['park', 'error'].includes(dimensions.whenUnmapped),
  };
}

function datedRates(days: Readonly<Record<string, number | string>>): DatedRate[] {
  return Object.entries(days)
    .map(([day, rate]) => ({ day, rate: new Decimal(rate) }))
    .sort((one, other) => (one.day < other.day ? 1 : -1));
}

/** Tables come from files and keys from documents: only a table's own entries count, never what every object inherits. */
export function entryOf<Value>(
  table: Readonly<Record<string, Value>> | undefined,
  key: string,
): Value | undefined {
  return table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
}
