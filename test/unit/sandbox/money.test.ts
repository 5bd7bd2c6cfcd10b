import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TAX_CODES, TAX_PERCENT } from '../../../lab/sandbox/model.js';
import {
  hasTwoDecimals,
  isDecimalText,
  parseHundredths,
  totalsOf,
  wireMoney,
} from '../../../lab/sandbox/money.js';

const price = fc
  .tuple(fc.integer({ min: 0, max: 10_000_000 }), fc.integer({ min: 0, max: 4 }))
  .map(([value, digits]) => new Decimal(value).div(new Decimal(10).pow(digits)).toFixed());
const line = fc.record({
  qty: fc.integer({ min: -500, max: 500 }),
  unit_price: price,
  tax: fc.constantFrom(...TAX_CODES),
  discount: fc.integer({ min: 0, max: 10_000 }).map((value) => new Decimal(value).div(100).toFixed()),
  discount_type: fc.boolean(),
});

describe('totals', () => {
  test('equal Σ(lines) + VAT, rounded once to 2 decimals, whatever the lines', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        let sum = new Decimal(0);
        for (const { qty, unit_price, tax, discount, discount_type } of lines) {
          const gross = new Decimal(unit_price).times(qty);
          const net = gross.minus(discount_type ? gross.times(discount).div(100) : discount);
          sum = sum.plus(net.times(100 + TAX_PERCENT[tax]).div(100));
        }
        const rounded = sum.times(100).toDecimalPlaces(0, Decimal.ROUND_HALF_UP).toNumber();
        expect(totalsOf(lines).amount + 0).toBe(rounded + 0);
      }),
      { numRuns: 300 },
    );
  });

  test('of a tax-exempt customer bear no VAT', () => {
    const lines = [{ qty: 1, unit_price: '100', tax: 'S', discount: '0', discount_type: false }] as const;
    expect(totalsOf(lines, true)).toMatchObject({ amount: 10_000, net: { S: 0, Z: 10_000 }, vat: { S: 0 } });
  });
});

describe('money on the wire', () => {
  test('prints as exactly the decimal it stands for', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }), (hundredths) => {
        const text = JSON.stringify(wireMoney(hundredths));
        expect(parseHundredths(text)).toBe(hundredths);
        expect(hasTwoDecimals(text)).toBe(true);
      }),
    );
  });

  test('is refused when it is not a plain decimal or has too many digits', () => {
    for (const text of [
      '1e5',
      '0x10',
      '',
      ' 1',
      '1,5',
      '1.',
      '.5',
      'NaN',
      '1234567890123456',
      '12345678901.12345',
    ])
      expect(isDecimalText(text), text).toBe(false);
    for (const text of ['0', '-1', '0.001', '123456789012345', '100000.12'])
      expect(isDecimalText(text), text).toBe(true);
  });
});
