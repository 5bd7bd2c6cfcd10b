// An ERP that keeps a document in its currency reckons the krónur itself, by a rate that it rounds or has of its own.
import { Decimal } from './decimal.js';

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
