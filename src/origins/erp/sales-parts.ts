// What items, invoices, orders and quotations of every ERP have in common: VAT, units, lines, references and totals.
import { Decimal } from '../../domain/decimal.js';
import type { Told } from '../../domain/message.js';
import { told } from '../../erp/told.js';
import type { ErpRecord, Twins } from './erp-records.js';
import type { ErpHand } from './settings.js';

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

// A product of an ERP as an item. Its code is the number that it is known by: one without a code is none of ours, and a code that several
// products have speaks for none of them, or each would overwrite what another has said.

export interface Product {
  readonly code: string;
  readonly name: string;
  /** Without VAT. */
  readonly price: Decimal;
  readonly tax: string;
  readonly unit: string | null | undefined;
  readonly isActive: boolean;
  readonly place?: string;
}

export function itemOf({ code, name, price, tax, unit, isActive, place }: Product): ErpRecord {
  const description = name.trim() === '' ? code : name;
  const value = {
    ...{ description, unit_price: price.toDecimalPlaces(4).toFixed(), tax },
    ...{ uom: unitCode(unit), active: isActive },
  };
  return { kind: 'item', reference: code, value, ...(place === undefined ? {} : { place }) };
}

/** null: nothing keeps it from being handed over. */
export function unfitItem({ reference }: ErpRecord, twins: Twins): Told | null {
  const items = twins.get(reference);
  if (items !== undefined) return told('ITEM_NUMBER_SHARED', { number: reference, items });
  return /[\][]/.test(reference) || reference.length > 100
    ? told('REFERENCE_UNFIT', { reference: reference.slice(0, 40) })
    : null;
}

// A line of an invoice or order, as every ERP has it, to a line of a record. The service takes whole quantities only (Document 1): a
// part is one line with its sum, and says in words how much it is.

export interface SalesLine {
  readonly itemNumber: string;
  readonly description: string;
  readonly quantity: Decimal;
  readonly unit: string | null | undefined;
  readonly unitPrice: Decimal;
  /** Without VAT. */
  readonly amount: Decimal;
  readonly tax: string;
  readonly discountPercent?: Decimal;
}

export function lineOf(line: SalesLine): Readonly<Record<string, unknown>> {
  const { itemNumber: item_number, quantity, unit, unitPrice, amount, tax, discountPercent } = line;
  const description = line.description.trim() === '' ? item_number : line.description.trim();
  if (!quantity.isInteger()) {
    const counted = [quantity.toFixed(), unit ?? ''].join(' ').trim();
    const said = `${description} (${counted})`;
    return { item_number, description: said, qty: '1', uom: 'C62', unit_price: amount.toFixed(), tax };
  }
  return {
    ...{ item_number, description, qty: quantity.toFixed(), uom: unitCode(unit) },
    ...{ unit_price: unitPrice.toFixed(), tax },
    ...(discountPercent && !discountPercent.isZero()
      ? { discount: discountPercent.toFixed(), discount_type: true }
      : {}),
  };
}

// In ERPs where a quotation becomes the order (one record, in two stages), what a record at one stage is called.

export type Stage = 'order' | 'quote';

export function orderReference(stage: Stage, id: number): string {
  return `${stage} ${String(id)}`;
}

export function orderIdIn(stage: Stage, reference: string): string | null {
  const [, word, id] = /^([a-z]+) (\d{1,15})$/.exec(reference) ?? [];
  return word === stage && id !== undefined ? id : null;
}

// Sums in krónur are rounded by an ERP and are not by the service.

const ROUNDING_MAX = 1;

/** The ERP's own total where it is another one than its lines come to, so that the write rules of the service refuse it. */
export function amountUnless(counted: Decimal, total: Decimal): { readonly amount?: string } {
  const differs = counted.abs().minus(total.abs()).abs().greaterThan(ROUNDING_MAX);
  return differs ? { amount: total.abs().toFixed() } : {};
}

// Orders and quotations are in a module of their own, called `sale` in Odoo as in Tryton, which a company may not have.

const IN_IT: readonly ErpHand[] = ['orders', 'quotes'];

/** What is said where it is lacking; null: nothing that is handed over needs it. */
export function needsSales(system: 'Odoo' | 'Tryton', hands: readonly ErpHand[]): Told | null {
  const needed = hands.filter((hand) => IN_IT.includes(hand));
  if (needed.length === 0) return null;
  return told('MODULE_LACKING', { system, module: 'sale', setting: `\`hands: [${needed.join(', ')}]\`` });
}
