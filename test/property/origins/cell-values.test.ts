// Any amounts, as Excel writes them in Icelandic and English settings: read as they are, or refused as unclear, and never as another number.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalSign, type Delimiter, readNumber } from '../../../src/origins/folder/read-table.js';

const amount = fc.record({
  isNegative: fc.boolean(),
  whole: fc.nat(99_999_999),
  decimals: fc.nat(999),
  digits: fc.constantFrom(0, 1, 2, 3),
  isGrouped: fc.boolean(),
});
type Amount = typeof amount extends fc.Arbitrary<infer Value> ? Value : never;

function written(
  { isNegative, whole, decimals, digits, isGrouped }: Amount,
  decimal: string,
  group: string,
): string {
  const grouped = isGrouped ? String(whole).replaceAll(/\B(?=(\d{3})+$)/g, group) : String(whole);
  const tail = digits === 0 ? '' : decimal + String(decimals).padStart(3, '0').slice(0, digits);
  return `${isNegative ? '-' : ''}${grouped}${tail}`;
}

const SETTINGS: readonly {
  readonly delimiter: Delimiter;
  readonly decimal: string;
  readonly group: string;
}[] = [
  { delimiter: ';', decimal: ',', group: '.' },
  { delimiter: '\t', decimal: ',', group: '.' },
  { delimiter: '\t', decimal: '.', group: ',' },
  { delimiter: ',', decimal: '.', group: ',' },
  { delimiter: ';', decimal: ',', group: '\u00a0' },
];

test.each(SETTINGS)('amounts with $decimal and groups by "$group" are read as they are', (setting) => {
  const { delimiter, decimal, group } = setting;
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 6 }), (amounts) => {
      // Three decimals and nothing else look like thousands, to a person as well.
      fc.pre(
        amounts.some(({ digits }) => digits === 1 || digits === 2) ||
          amounts.every(({ digits }) => digits === 0),
      );
      const cells = amounts.map((one) => written(one, decimal, group));
      const sign = decimalSign(cells, delimiter);
      for (const [index, one] of amounts.entries()) {
        const read = readNumber(cells[index] ?? '', sign);
        expect(read === 'unclear' ? 'unclear' : Number(read.value)).toBe(Number(written(one, '.', '')));
      }
    }),
  );
});
