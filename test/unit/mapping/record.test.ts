import { say } from '../../../src/language/say.js';
import { describe, expect, test } from 'vitest';
import { mapRecord, RuleLayers } from '../../../src/pipeline/mapping/map-record.js';
import { invoice, item, sampleRules, stopped, type Raw } from './build.js';

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
    expect(say('en', outcome.why)).toContain('accounts');
  });

  test.each([33, 3_000, 100_000])('with rules %s levels deep is parked before they are read', (levels) => {
    const outcome = stopped(
      mapRecord({ kind: 'invoice', document: invoice(), rules: nested(levels) }, layers),
    );
    expect(outcome).toMatchObject({ outcome: 'park', reason: 'RULES_INVALID' });
    expect(say('en', outcome.why)).toContain('nested deeper than 32 levels');
  });

  test.each(['1e15', '1e60', '-1e45', '1.5E+15', 1e21, '999999999999999e1'])(
    'with an amount of %s is parked, however few digits write it',
    (amount) => {
      for (const document of [
        invoice({ amount }),
        invoice({ items: [item({ price: 1 }), item({ price: amount })] }),
      ]) {
        const outcome = stopped(mapRecord({ kind: 'invoice', document }, layers));
        expect(outcome).toMatchObject({ outcome: 'park', reason: 'MALFORMED_DOCUMENT' });
      }
    },
  );

  test.each(['1.24e5', '124000000e-3', '124000.0000000000000001'])('may write its amount as %s', (amount) => {
    const { outcome } = mapRecord({ kind: 'invoice', document: invoice({ amount }) }, layers);
    expect(outcome).toBe('post');
  });

  test('whose lines multiply beyond what books hold is parked', () => {
    const huge = [
      item({ qty: '9e14', price: '9e14', tax: 'Z', number: 'V1' }),
      item({ qty: '-9e14', price: '9e14', tax: 'Z', number: 'V2' }),
      item({ price: 100 }),
    ];
    const rules = { invoice: { revenueByItemNumber: { V1: '3001', V2: '3002' } } };
    const record = { kind: 'invoice', document: invoice({ amount: 124, items: huge }), rules };
    expect(stopped(mapRecord(record, layers))).toMatchObject({
      reason: 'JOURNAL_REFUSED',
      why: { subject: 'amounts-bounded' },
    });
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
    expect(say('en', outcome.why)).toContain('no such thing');
  });
});
