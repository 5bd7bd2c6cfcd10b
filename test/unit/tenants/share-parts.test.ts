import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/domain/money.js';
import { shareParts } from '../../../src/tenants/load-tenants.js';

const rules = (rate: string) => ({ vat: { codes: { '11': { account: '9510', rate } }, of: ['a', 'b'] } });

describe('what companies have in common', () => {
  it('is kept once, down to the part in which they differ', () => {
    const [one, other] = shareParts([
      { name: 'hraun', rules: rules('24'), notes: ['x'] },
      { name: 'fjara', rules: rules('24'), notes: ['x', 'y'] },
    ]);
    expect(one?.rules).toBe(other?.rules);
    expect(one?.notes).not.toEqual(other?.notes);
    const [small, large] = shareParts([rules('11'), rules('24')]);
    expect(small?.vat.of).toBe(large?.vat.of);
    expect(small?.vat.codes['11'].rate).toBe('11');
    expect(large?.vat.codes['11'].rate).toBe('24');
  });

  it('can be changed for nobody', () => {
    const [one] = shareParts([rules('24')]);
    expect(() => Object.assign(one?.vat.codes['11'] ?? {}, { rate: '11' })).toThrow(TypeError);
    expect(() => one?.vat.of.push('c')).toThrow(TypeError);
  });

  it('never is what only looks alike: a number and a text, nothing and null, a list and a group', () => {
    const alike = [
      1,
      '1',
      null,
      undefined,
      'null',
      [],
      {},
      [[]],
      { a: 1 },
      { a: '1' },
      { a: undefined },
      true,
    ];
    const shared = shareParts(alike);
    expect(shared).toStrictEqual(alike);
    expect(new Set(shared).size).toBe(alike.length);
  });

  it('leaves things of a kind of their own as they are', () => {
    const [amount, same] = [new Decimal(1), () => 1];
    const [one, other] = shareParts<unknown>([
      { amount, same },
      { amount: new Decimal(1), same: () => 1 },
    ]);
    expect(one).toMatchObject({ amount, same });
    expect(one).not.toBe(other);
  });

  it('is not what somebody else may change: that stays with each', () => {
    const settings = [{ url: 'a' }, { url: 'a' }];
    const [one, other] = shareParts(
      settings.map((own) => ({ erp: { adapter: 'x', settings: own } })),
      settings,
    );
    Object.assign(one?.erp.settings ?? {}, { url: 'b' });
    expect(one?.erp).toEqual({ adapter: 'x', settings: { url: 'b' } });
    expect(other?.erp).toEqual({ adapter: 'x', settings: { url: 'a' } });
  });

  it('says of every company what its file said', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 8 }), (values) => {
        const before = JSON.stringify(values);
        expect(JSON.stringify(shareParts(values))).toBe(before);
      }),
    );
  });
});
