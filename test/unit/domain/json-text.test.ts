import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonText } from '../../../src/domain/canonical-json.js';

test('a text is written as JSON.stringify writes it, whatever is in it', () => {
  const unit = fc.oneof(
    fc.integer({ min: 0, max: 0xffff }),
    fc.constantFrom(
      0x1f,
      0x20,
      0x21,
      0x22,
      0x23,
      0x5b,
      0x5c,
      0x5d,
      0x7f,
      0xd7ff,
      0xd800,
      0xdc00,
      0xdfff,
      0xe000,
    ),
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
      const text = String.fromCharCode(...units);
      expect(jsonText(text)).toBe(JSON.stringify(text));
    }),
    { numRuns: 2_000 },
  );
});
