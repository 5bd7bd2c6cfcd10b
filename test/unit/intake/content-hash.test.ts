import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Decimal } from '../../../src/domain/money.js';
import { parseLossless } from '../../../src/domain/canonical-json.js';
import { contentHash } from '../../../src/sync/content-hash.js';

const INVOICE =
  '{"guid":"a","amount":12.50,"status":"Paid","items":[{"qty":1.0,"text":""}],"accounting_status":"Created"}';

it('stays what it was for documents on record: another hash would park all that is under way', () => {
  expect(contentHash('invoice', INVOICE)).toBe(
    '5a18a24300f77bf7f7c41eeb0d9c901dadbf338625656959667999952e2a83f6',
  );
});

it('is the same of the text and of what was read of it', () => {
  const record = parseLossless(INVOICE) as Record<string, unknown>;
  expect(contentHash('invoice', record)).toBe(contentHash('invoice', INVOICE));
  expect(contentHash('invoice', record)).toBe(contentHash('invoice', INVOICE));
});

it('does not know what the service or the bridge changes later, nor how a number is written', () => {
  const posted = INVOICE.replace('Created', 'Posted').replace('12.50', '12.5').replace('1.0', '1');
  expect(contentHash('invoice', posted)).toBe(contentHash('invoice', INVOICE));
  expect(contentHash('invoice', INVOICE.replace('12.50', '12.51'))).not.toBe(contentHash('invoice', INVOICE));
  expect(contentHash('invoice', INVOICE.replace('Paid', 'Cancelled'))).not.toBe(
    contentHash('invoice', INVOICE),
  );
});

it('is the same for a number however it is written, and for no two numbers', () => {
  const number = fc
    .tuple(fc.constantFrom('', '-'), fc.nat(10_000), fc.stringMatching(/^(\.\d{1,6})?([eE][+-]?\d)?$/))
    .map((parts) => parts.join(''));
  const hash = (text: string) => contentHash('invoice', `{"amount":${text}}`);
  fc.assert(
    fc.property(number, number, (one, other) => {
      expect(hash(one)).toBe(hash(new Decimal(one).toFixed()));
      expect(hash(one) === hash(other)).toBe(new Decimal(one).eq(other));
    }),
    {
      examples: [
        ['-0.00', '0'],
        ['100', '10'],
        ['10.0', '1'],
        ['0.10', '0.1'],
      ],
    },
  );
});

it('knows the fields of every object apart, also when their names run together', () => {
  const [joined, apart] = ['{"a\\u0000b":1,"c":2}', '{"a":1,"b\\u0000c":2}'];
  const [before, after] = [contentHash('cost', joined), contentHash('cost', apart)];
  expect(before).not.toBe(after);
  expect(contentHash('cost', '{"c":2,"a\\u0000b":1}')).toBe(before);
});
