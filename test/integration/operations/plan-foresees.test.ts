import { expect, onTestFinished, test } from 'vitest';
import { bridgeBed } from '../../support/bridge-bed.js';
import { httpErp } from '../../support/http-erp.js';

test('a plan counts what this ERP connection cannot take as parked, and says why', async () => {
  const erp = await httpErp();
  const accounts = ['isk', 'all'].map((username) => ({ username, invoices: 60, costs: 0, seed: 'foresees' }));
  const bed = await bridgeBed({
    accounts,
    tenants: [
      { name: 'isk', account: 'isk', erp: erp.erp({ ledger: 'isk', foreignCurrency: false }) },
      { name: 'all', account: 'all', erp: erp.erp() },
    ],
    env: erp.env,
    confirmPlans: false,
  });
  onTestFinished(async () => {
    await bed.close();
    await erp.ledger.close();
  });
  for (const name of ['isk', 'all']) await bed.bridge.tenants.requestSweep(name);
  const { operations } = bed.bridge;
  await expect.poll(async () => (await operations.plan('all', {})).examined, { timeout: 60_000 }).toBe(60);
  await expect.poll(async () => (await operations.plan('isk', {})).examined, { timeout: 60_000 }).toBe(60);
  const [all, isk] = [await operations.plan('all', { journals: 500 }), await operations.plan('isk', {})];
  const foreign = all.journals.filter(({ journal, part }) => part === 'main' && journal.currency !== 'ISK');
  expect(foreign.length).toBeGreaterThan(0);
  const refused = isk.reasons.filter(({ code }) => code === 'ERP_REFUSED');
  expect(refused).toMatchObject([{ outcome: 'park', subject: 'unsupported', count: foreign.length }]);
  expect(isk.outcomes.park).toBe(all.outcomes.park + foreign.length);
  expect(isk.outcomes.post).toBe(all.outcomes.post - foreign.length);
}, 150_000);
