// A line of an invoice or order, as every ERP has it, to a line of a record. The service takes whole quantities only (Document 1): a
// part is one line with its sum, and says in words how much it is.
import type { Decimal } from '../../domain/decimal.js';
import { unitCode } from './vat-and-units.js';

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
