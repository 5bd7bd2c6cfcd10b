// A product of an ERP as an item. Its code is the number that it is known by: one without a code is none of ours, and a code that several
// products have speaks for none of them, or each would overwrite what another has said.
import type { Decimal } from '../../domain/decimal.js';
import type { Told } from '../../domain/message.js';
import { told } from '../../erp/told.js';
import type { ErpRecord } from './as-reading.js';
import { unitCode } from './vat-and-units.js';
import type { Twins } from './twins.js';

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
