import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Shelf } from '../../../src/domain/shelf.js';

describe('a shelf', () => {
  it('gives only what was put there last under the very key, whatever else is put and dropped', () => {
    const act = fc.record({ key: fc.string({ maxLength: 300 }), put: fc.boolean() });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 200 }), fc.string({ maxLength: 300 }), (acts, other) => {
        const shelf = new Shelf<number>(8);
        const last = new Map<string, number>();
        for (const [at, { key, put }] of acts.entries()) {
          if (put) shelf.put(key, at);
          else shelf.drop(key);
          if (put) last.set(key, at);
          else last.delete(key);
          expect(shelf.find(key)).toBe(last.get(key));
        }
        for (const key of [other, ...last.keys()])
          expect([last.get(key), undefined]).toContain(shelf.find(key));
      }),
    );
  });

  it('has as many things as places at most', () => {
    const shelf = new Shelf<number>(16);
    const keys = Array.from({ length: 1_000 }, (_, at) => `question ${String(at)}`);
    for (const [at, key] of keys.entries()) shelf.put(key, at);
    const kept = keys.filter((key) => shelf.find(key) !== undefined);
    expect(kept.length).toBeLessThanOrEqual(16);
    expect(kept.length).toBeGreaterThan(8);
  });
});
