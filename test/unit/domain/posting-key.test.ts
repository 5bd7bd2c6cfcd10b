import { describe, expect, test } from 'vitest';
import {
  isPostingKey,
  POSTING_KEY_LETTERS,
  postingKey,
  type PostingIdentity,
  reversalKey,
  settlementKey,
} from '../../../src/domain/posting-key.js';

const identity: PostingIdentity = {
  environment: 'production',
  sourceAccount: '4504013150',
  kind: 'invoice',
  guid: '3f2c0e0a-0001-4000-8000-000000000001',
  ledger: 'file:fjordur',
  generation: 0,
};

describe('posting key', () => {
  test('is the same for the same document in the same ledger', () => {
    expect(postingKey({ ...identity })).toBe(postingKey(identity));
    expect(postingKey({ ...identity, guid: identity.guid.toUpperCase() })).toBe(postingKey(identity));
  });

  test('fits twenty upper-case characters and names the kind', () => {
    expect(postingKey(identity)).toMatch(/^I[A-Z2-7]{19}$/);
    expect(postingKey({ ...identity, kind: 'cost' })).toMatch(/^C[A-Z2-7]{19}$/);
  });

  test('is known for one of ours by its letter and length, whatever is booked under it', () => {
    const invoice = postingKey(identity);
    const cost = postingKey({ ...identity, kind: 'cost' });
    const summary = postingKey({ ...identity, kind: 'summary' });
    const keys = [invoice, cost, settlementKey(invoice), summary, reversalKey(invoice)];
    expect(keys.map((key) => key.charAt(0))).toEqual(POSTING_KEY_LETTERS);
    expect(keys.filter((key) => !isPostingKey(key))).toEqual([]);
    const others = [
      '',
      'SR1001',
      invoice.slice(1),
      `${invoice}A`,
      `X${invoice.slice(1)}`,
      invoice.toLowerCase(),
    ];
    expect(others.filter(isPostingKey)).toEqual([]);
  });

  test.each([
    { environment: 'development' as const },
    { sourceAccount: '4504013151' },
    { kind: 'cost' as const },
    { guid: '3f2c0e0a-0001-4000-8000-000000000002' },
    { ledger: 'file:hraun' },
    { generation: 1 },
  ])('differs when %o differs', (change) => {
    expect(postingKey({ ...identity, ...change })).not.toBe(postingKey(identity));
  });

  test('does not let one part run into the next', () => {
    const one = postingKey({ ...identity, sourceAccount: 'a|1:b', ledger: 'c' });
    const two = postingKey({ ...identity, sourceAccount: 'a', ledger: '1:b|c' });
    expect(one).not.toBe(two);
  });
});
