import { describe, expect, it } from 'vitest';
import { checkDigit, readKennitala } from '../../../src/domain/kennitala.js';
import published from '../../fixtures/kennitala/vectors.json' with { type: 'json' };

describe('a kennitala', () => {
  it.each(published.vectors)('reads $input as published', ({ input, format, kind, checksum }) => {
    const read = readKennitala(input);
    expect(read.format).toBe(format);
    if (read.format) expect({ kind: read.kind, checksum: read.checksum }).toEqual({ kind, checksum });
  });

  it.each(published.checkDigits)('gives $first8 the check digit $digit', ({ first8, digit }) => {
    expect(checkDigit(first8)).toBe(digit);
  });

  it('is the same with and without its dash', () => {
    expect(readKennitala('120160-3389')).toEqual(readKennitala('1201603389'));
  });
});
