// Numbers as Icelanders write them, in both languages: 1.234.567,5.
import { groupThousands, trimEndOf } from './text.js';

const MINUS = '−';

/** Decimal text → grouped by points, a comma before the decimals; no digit is lost, since it never becomes a number. */
export function writtenNumber(text: string, decimals?: number): string {
  const negative = text.startsWith('-');
  const [whole = '0', fraction = ''] = (negative ? text.slice(1) : text).split('.');
  const grouped = groupThousands(whole);
  const shown =
    decimals === undefined ? trimEndOf(fraction, '0') : fraction.padEnd(decimals, '0').slice(0, decimals);
  const digits = shown === '' ? grouped : `${grouped},${shown}`;
  return negative && /[1-9]/.test(digits) ? `${MINUS}${digits}` : digits;
}
