import fc from 'fast-check';
import { parse, stringify } from 'lossless-json';
import { describe, expect, it } from 'vitest';
import { parseLossless } from '../../../src/domain/lossless-json.js';

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
    '{"a":1,"a":1}',
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

  it.each(['', '{', '{"a"}', '[1,]', '01', '1.', "{'a':1}", '{"a":1,"a":2}', '<html>', '"\u0001"', 'nul'])(
    'refuses %s',
    (text) => {
      expect(() => parseLossless(text)).toThrow();
    },
  );

  it('gives a field of any name no power over the object', () => {
    const read = parseLossless('{"__proto__":{"polluted":true}}') as Record<string, unknown>;
    expect(read['polluted']).toBeUndefined();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
