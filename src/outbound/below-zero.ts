// An invoice below zero would ask the customer to be paid. What is meant is a credit note of the invoice that was made before, so it is
// refused at its origin; whether the service would take it is not stated.
import { Decimal } from '../domain/decimal.js';
import { told, type Words } from '../language/messages.js';
import { type InvoiceContent, totalOf } from './content.js';

type Totalled = Pick<InvoiceContent, 'lines' | 'amount' | 'credit_of' | 'ref_invoice_guid'>;

/** null: it comes to nothing or more, or is a credit note. */
export function belowZero(content: Totalled): Words | null {
  if (content.credit_of !== undefined || content.ref_invoice_guid !== undefined) return null;
  const total = totalOf(content);
  return new Decimal(total).isNegative() && !new Decimal(total).isZero()
    ? told('TOTAL_BELOW_ZERO', { total })
    : null;
}
