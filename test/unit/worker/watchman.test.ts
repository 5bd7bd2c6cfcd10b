import { expect, test } from 'vitest';
import type { Condition } from '../../../src/domain/condition.js';
import { conditionText } from '../../../src/language/conditions/condition-text.js';
import { LEASE_MS } from '../../../src/operations/operator-claim.js';
import { makeRound } from '../../../src/worker/watchman.js';

const LEFT = {
  ...{ tenant: 'hraun', posting: '0198c0de-0000-7000-8000-000000000001', kind: 'invoice' as const },
  ...{ number: 'R-1', key: 'R01', since: '2026-03-02T10:00:00.000Z' },
};

async function round(): Promise<{ codes: readonly string[]; found: readonly Condition[]; asked: number }> {
  const seen = { codes: [] as readonly string[], found: [] as readonly Condition[], asked: 0 };
  await makeRound({
    store: {
      silent: () => Promise.resolve([]),
      overdue: () => Promise.resolve([]),
      unfinishedReversals: (begunAgoMs) => {
        seen.asked = begunAgoMs;
        return Promise.resolve([LEFT]);
      },
      requestReconciliations: () => Promise.resolve(0),
      forget: () => Promise.resolve(),
    },
    incidents: {
      follow: (codes, found) => {
        Object.assign(seen, { codes, found });
        return Promise.resolve();
      },
    },
    tenants: () => [],
    keepAlive: () => Promise.resolve(),
    onError: (error) => expect.unreachable(String(error)),
  });
  return seen;
}

test('a reversal that was begun longer ago than a claim lasts is told, one for each document', async () => {
  const { codes, found, asked } = await round();
  expect(asked).toBe(LEASE_MS);
  expect(codes).toContain('REVERSAL_UNFINISHED');
  expect(found).toMatchObject([
    { code: 'REVERSAL_UNFINISHED', tenant: 'hraun', subject: LEFT.posting, severity: 'critical' },
  ]);
});

test.each(['en', 'is'] as const)(
  'it says which, since when, and the command to finish it, in %s',
  async (language) => {
    const [condition] = (await round()).found;
    const { title, details, nextStep } = conditionText(language, condition!, 'Hraun ehf.');
    expect(title).toContain('R-1');
    expect(title).toContain('Hraun ehf.');
    expect(details).toContain(LEFT.key);
    expect(nextStep).toContain(`ledgerbridge reverse ${LEFT.posting}`);
  },
);
