import { describe, expect, it } from 'vitest';
import { checkDigit, plainKennitala, readKennitala } from '../../../src/domain/kennitala.js';
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

  it.each([
    '120160-3389',
    '120160 3389',
    ' 120160 - 3389 ',
    '12 01 60-3389',
    '120160\u00a03389',
    '120160\u20133389',
  ])('is the same with spaces and dashes: "%s"', (written) => {
    expect(readKennitala(written)).toEqual(readKennitala('1201603389'));
    expect(plainKennitala(written)).toBe('1201603389');
  });

  it.each(['', '12016-0338', '6f1c-22', '120160-33890'])('"%s" is not made one', (written) => {
    expect(readKennitala(written).format).toBe(false);
    expect(plainKennitala(written)).toBe(written);
  });
});
