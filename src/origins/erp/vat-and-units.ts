// Rates of VAT and units of measure, from what ERPs call them to what the API documents call them.
import { Decimal } from '../../domain/decimal.js';

const VAT_CODES: Readonly<Record<string, string>> = { '24': 'S', '11': 'AA', '0': 'Z' };

/** In percent. A rate that Iceland does not have is left for the schema to complain of. */
export function vatCode(percent: Decimal): string {
  return VAT_CODES[percent.toFixed()] ?? `${percent.toFixed()} %`;
}

const RATES: Readonly<Record<'S' | 'AA' | 'Z', number>> = { S: 24, AA: 11, Z: 0 };

/** Of a price that it is in. */
export function withoutVat(price: Decimal, code: keyof typeof RATES): Decimal {
  return price.div(new Decimal(RATES[code]).plus(100).div(100));
}

const UNITS: Readonly<Record<string, string>> = {
  ...{ u: 'C62', unit: 'C62', units: 'C62', pcs: 'C62', stk: 'C62' },
  ...{
    h: 'HUR',
    hour: 'HUR',
    hours: 'HUR',
    klst: 'HUR',
    d: 'DAY',
    day: 'DAY',
    days: 'DAY',
    dagar: 'DAY',
    min: 'MIN',
  },
  ...{ kg: 'KGS', t: 'TNE', l: 'LTR', m: 'MTR', km: 'KTM', kwh: 'KWH' },
  ...{ 'm²': 'MTK', m2: 'MTK', 'm³': 'MTQ', m3: 'MTQ' },
};

/** What the documents do not know is counted in pieces. */
export function unitCode(unit: string | null | undefined): string {
  return UNITS[(unit ?? '').trim().toLowerCase()] ?? 'C62';
}
