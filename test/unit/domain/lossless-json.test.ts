import fc from 'fast-check';
import { parse, stringify } from 'lossless-json';
import { describe, expect, it } from 'vitest';
import { parseLossless } from '../../../src/domain/canonical-json.js';

describe('JSON that keeps every digit', () => {
  it.each([
    '{"a":1.50,"b":[1e3,-0,12345678901234567890.10],"c":null,"d":true,"e":false}',
    ' [ ] ',
    '{ }',
    '[{"a":{}},[[]],"x"]',
    '"\\u00e9\\"\\\\"',
    '{"quote\\"d":"back\\\\","next":1}',
    '"\\\\\\\\"',
    '{\n\t"a" : [ 1 , 2 ] ,\r\n "b" : "þ" }',
    '-12.5',
    '{"__proto__":{"x":1}}',
    '{"constructor":1,"toString":"x"}',
    '{"a":1,"a":1}',
    '{"b":1.10,"1":2.20,"0":[3.30]}',
    '{"__proto__":1.50,"x":2.50}',
    '{"a":"1:2,-3","b":4.0,"c":"\\"5"}',
  ])('reads %s as the library does', (text) => {
    expect(parseLossless(text)).toEqual(parse(text));
  });

  it('reads whatever JSON there is as the library does', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        expect(stringify(parseLossless(text))).toBe(stringify(parse(text)));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    '',
    '{',
    '{"a"}',
    '[1,]',
    '01',
    '1.',
    "{'a':1}",
    '{"a":1,"a":2}',
    '<html>',
    '"\u0001"',
    'nul',
    '1 2',
    '{"a":1}}',
    '{"a" 1}',
    '{,}',
    '{"a":1 "b":2}',
    '[1 2]',
    '"open',
    '"open\\"',
  ])('refuses %s', (text) => {
    expect(() => parseLossless(text)).toThrow();
  });

  it('refuses what the engine refuses, wherever one character was taken out, doubled or put in', () => {
    const broken = fc
      .tuple(
        fc.json({ maxDepth: 3 }),
        fc.nat(),
        fc.constantFrom('', '"', '\\', ',', ':', '}', ']', '0', '\n', 't'),
      )
      .map(([text, at, put]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + put + text.slice(put === '' ? place + 1 : place);
      });
    fc.assert(
      fc.property(broken, (text) => {
        expect(isRead(() => parseLossless(text))).toBe(isRead(() => parse(text)));
        if (!isRead(() => JSON.parse(text))) expect(isRead(() => parseLossless(text))).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  it('gives a field of any name no power over the object', () => {
    const read = parseLossless('{"__proto__":{"polluted":true}}') as Record<string, unknown>;
    expect(read['polluted']).toBeUndefined();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

function isRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
