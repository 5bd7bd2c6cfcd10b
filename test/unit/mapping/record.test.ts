import { describe, expect, test } from 'vitest';
import { mapRecord, RuleLayers } from '../../../src/pipeline/mapping/map-record.js';
import { invoice, sampleRules, stopped, type Raw } from './build.js';

const layers = new RuleLayers(sampleRules);

/** Arrays count as levels, too. */
const nested = (levels: number): Raw => {
  let inner: unknown = 'end';
  for (let level = 1; level < levels; level += 1) inner = level % 2 ? [inner] : { a: inner };
  return { accounts: inner };
};

describe('a record', () => {
  test.each([2, 32])('with rules of another shape, %s levels deep, is told where', (levels) => {
    const outcome = stopped(
      mapRecord({ kind: 'invoice', document: invoice(), rules: nested(levels) }, layers),
    );
    expect(outcome).toMatchObject({ outcome: 'park', reason: 'RULES_INVALID' });
    expect(outcome.sentence).toContain('accounts');
  });

  test.each([33, 3_000, 100_000])('with rules %s levels deep is parked before they are read', (levels) => {
    const outcome = stopped(
      mapRecord({ kind: 'invoice', document: invoice(), rules: nested(levels) }, layers),
    );
    expect(outcome).toMatchObject({ outcome: 'park', reason: 'RULES_INVALID' });
    expect(outcome.sentence).toContain('nested deeper than 32 levels');
  });

  test('at which the bridge itself fails is parked, and nothing is thrown', () => {
    const faulty = {
      kind: 'invoice',
      get document(): Raw {
        throw new TypeError('no such thing');
      },
    };
    const outcome = stopped(mapRecord(faulty, layers));
    expect(outcome).toMatchObject({ outcome: 'park', reason: 'MAPPING_FAILED' });
    expect(outcome.sentence).toContain('no such thing');
  });
});
