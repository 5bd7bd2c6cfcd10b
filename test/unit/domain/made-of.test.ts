import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { madeOf } from '../../../src/domain/made-of.js';

const length = madeOf(z.string(), (text, refuse) => (text === '' ? refuse('is empty') : text.length));

describe('what is made of what a schema read', () => {
  it('is what was made', () => {
    expect(z.object({ name: length }).parse({ name: 'Jón' })).toEqual({ name: 3 });
    expect(z.object({ name: length.optional() }).parse({})).toEqual({});
  });

  it('is not made of what does not fit', () => {
    expect(length.safeParse(3).error?.issues[0]?.message).toContain('expected string');
  });

  it('says what is wrong, and where', () => {
    const { error } = z.array(length).safeParse(['a', '']);
    expect(error?.issues).toMatchObject([{ code: 'custom', path: [1], message: 'is empty' }]);
  });

  it('goes on to further checks, which see what was made and not what was refused', () => {
    const even = length.refine((letters) => letters % 2 === 0, 'is odd');
    expect(even.parse('ab')).toBe(2);
    expect(even.safeParse('abc').error?.issues.map(({ message }) => message)).toEqual(['is odd']);
    expect(even.safeParse('').error?.issues.map(({ message }) => message)).toEqual(['is empty']);
  });
});
