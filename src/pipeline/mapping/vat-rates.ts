// The Icelandic VAT rates behind the service's codes, and what a line is taxed as.
import { Decimal, ZERO } from '../../domain/decimal.js';

export const TAX_CODES = ['S', 'AA', 'Z'] as const;
export type TaxCode = (typeof TAX_CODES)[number];

/** EXEMPT_CUSTOMER: taxed goods sold without VAT to a customer who is exempt. */
export type Treatment = TaxCode | 'EXEMPT_CUSTOMER';

export const TAXED_CODES = ['S', 'AA'] as const satisfies readonly TaxCode[];
export type TaxedCode = (typeof TAXED_CODES)[number];

export const VAT_RATES: Readonly<Record<Treatment, Decimal>> = {
  S: new Decimal('0.24'),
  AA: new Decimal('0.11'),
  Z: ZERO,
  EXEMPT_CUSTOMER: ZERO,
};

export function isTaxCode(code: string): code is TaxCode {
  return (TAX_CODES as readonly string[]).includes(code);
}
