import type { LosslessNumber } from 'lossless-json';
import { canonicalJson } from '../../../src/domain/canonical-json.js';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/domain/money.js';
import { parseJson, writeJson } from '../../../src/service/wire-json.js';

describe('JSON on the wire', () => {
  it('keeps every digit of a number', () => {
    const parsed = parseJson('{"amount":12345678901234.10}') as { amount: LosslessNumber };
    expect(String(parsed.amount)).toBe('12345678901234.10');
  });

  it('writes decimals as numbers with the digits they have', () => {
    expect(writeJson({ amount: new Decimal('0.10'), tiny: new Decimal('0.0000001'), name: 'Jón' })).toBe(
      '{"amount":0.1,"tiny":0.0000001,"name":"Jón"}',
    );
  });

  it.each([
    ['plain', 'A'.repeat(100_000)],
    ['with quotes and backslashes', `${'\\"'.repeat(20_000)}end\\`],
    ['with escapes', `línu\n${'þ'.repeat(40_000)}`],
  ])('reads long strings whole: %s', (_what, long) => {
    const body = { before: 1.5, list: [{ file: long, short: 'x' }], after: '"' };
    const parsed = parseJson(JSON.stringify(body)) as {
      list: [{ file: string; short: string }];
      after: string;
    };
    expect(parsed.list[0].file === long).toBe(true);
    expect(parsed.list[0].short).toBe('x');
    expect(parsed.after).toBe('"');
  });

  it('reads a page with 20 MB of base64 in well under a second', () => {
    const page = JSON.stringify({ result: [{ file: 'QUJD'.repeat(5_000_000), amount: 1.1 }] });
    const started = performance.now();
    parseJson(page);
    expect(performance.now() - started).toBeLessThan(1_500);
  });

  it.each(['', '<html>', '{"a":', '{"a":1}{', '{"a":1,"a":2}', '['.repeat(200_000)])(
    'refuses %.20s',
    (text) => {
      expect(() => parseJson(text)).toThrow();
    },
  );

  it('gives the same text for the same value, whatever the order of its keys', () => {
    const one = parseJson('{"b":{"d":1.50,"c":[{"f":1,"e":2}]},"a":null}');
    const other = parseJson('{"a":null,"b":{"c":[{"e":2,"f":1}],"d":1.50}}');
    expect(canonicalJson(one)).toBe(canonicalJson(other));
    expect(canonicalJson(one)).toContain('1.50');
  });
});
