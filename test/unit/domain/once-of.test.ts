import { describe, expect, it } from 'vitest';
import { onceOf } from '../../../src/domain/once-of.js';

describe('what is made of an object', () => {
  it('is made once, also when it is undefined', () => {
    let times = 0;
    const made = onceOf((_from: object) => {
      times++;
      return undefined;
    });
    const one = {};
    made(one);
    made(one);
    made({});
    expect(times).toBe(2);
  });

  it('stays as it was made first, whatever else is given later; an error is not kept', () => {
    const made = onceOf((from: { n: number }, more: number) => {
      if (more === 0) throw new Error('nothing to add');
      return from.n + more;
    });
    const one = { n: 1 };
    expect(() => made(one, 0)).toThrow('nothing to add');
    expect(made(one, 1)).toBe(2);
    expect(made(one, 2)).toBe(2);
    expect(made({ n: 1 }, 2)).toBe(3);
  });

  it('is seen by nobody who lists, compares or copies the object, and a copy makes its own', () => {
    const made = onceOf((from: { n: number }) => ({ twice: from.n * 2 }));
    const one = { n: 1 };
    made(one);
    expect(Reflect.ownKeys({ ...one, n: 2 })).toEqual(['n']);
    expect(JSON.stringify(one)).toBe('{"n":1}');
    expect(one).toStrictEqual({ n: 1 });
    expect(made({ ...one, n: 2 })).toEqual({ twice: 4 });
    expect(made(Object.assign({}, one, { n: 3 }))).toEqual({ twice: 6 });
  });

  it('is kept for an object that nobody may change, too', () => {
    const made = onceOf((from: { readonly n: number }) => ({ twice: from.n * 2 }));
    const one = Object.freeze({ n: 1 });
    expect(made(one)).toBe(made(one));
  });
});
