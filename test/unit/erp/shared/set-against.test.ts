import { expect, it } from 'vitest';
import type { Answer } from '../../../../src/erp/answer.js';
import { setAgainst, withUnmatched } from '../../../../src/erp/keyed-books.js';

const about = (warned: string[]) => ({
  ...{ system: 'Odoo', entry: '17', pausesMs: [0, 0, 0] },
  log: { debug: () => undefined, warn: (_facts: unknown, text: string) => void warned.push(text) },
});

function answering(...answers: readonly Answer<unknown>[]) {
  let asked = 0;
  return {
    match: () => Promise.resolve(answers[asked++] ?? { outcome: 'ok' as const, value: undefined }),
    asked: () => asked,
  };
}

const away: Answer<unknown> = { outcome: 'transient', message: 'away' };
const lost: Answer<unknown> = { outcome: 'unknown', message: 'lost' };
const refused: Answer<unknown> = { outcome: 'rejected', code: 'invalid', message: 'the invoice is locked' };

it('tries again what did not come through, and says nothing once it is done', async () => {
  const warned: string[] = [];
  const erp = answering(away, lost);
  expect(await setAgainst(about(warned), erp.match)).toBeUndefined();
  expect([erp.asked(), warned]).toEqual([3, []]);
});

it('gives up after a few tries, and says which entry and why', async () => {
  const warned: string[] = [];
  const erp = answering(away, away, away, away);
  const told = await setAgainst(about(warned), erp.match);
  expect(told?.message).toBe('Odoo did not set 17 against its invoice: away');
  expect([erp.asked(), warned.length]).toEqual([3, 1]);
});

it('does not ask again what was refused', async () => {
  const erp = answering(refused);
  const told = await setAgainst(about([]), erp.match);
  expect([erp.asked(), told?.message]).toEqual([
    1,
    'Odoo did not set 17 against its invoice: the invoice is locked',
  ]);
});

it('says of what is booked that it is booked', () => {
  const posted = { outcome: 'posted', reference: { id: '17' } } as const;
  expect(withUnmatched(posted, { message: 'no' })).toEqual({ ...posted, unmatched: { message: 'no' } });
  expect(withUnmatched(posted, undefined)).toBe(posted);
});
