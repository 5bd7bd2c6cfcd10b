// One thing that is sold, as an origin has it; its reference is the number that the origin knows it by. The VAT of an item is always given:
// the service takes one without it for 0 % (Document 1), and whoever invoices it there would charge none.
import * as z from 'zod';
import { filledText, number, tax, text, yesOrNo } from './content-fields.js';

export const itemContent = z.strictObject({
  /** Its name; its number is written before it. */
  description: filledText,
  /** Without VAT. */
  unit_price: number,
  tax,
  uom: text.default('C62'),
  category: text.optional(),
  /** Left out: what the service has stays. */
  active: yesOrNo.optional(),
});

export type ItemContent = z.output<typeof itemContent>;
