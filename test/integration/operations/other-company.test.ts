// Documents of one company never go into the books of another unless somebody says that it is meant.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type HttpErp, httpErp } from '../../support/http-erp.js';

const ACT = { actor: 'sigga', reason: 'the first plan' };
let bed: Bed;
let others: HttpErp;
let silent: HttpErp;

beforeAll(async () => {
  others = await httpErp({ registrationNo: '650101-2030' });
  silent = await httpErp();
  bed = await bridgeBed({
    accounts: ['wrong', 'quiet'].map((username) => ({ username, invoices: 1, costs: 0, seed: username })),
    tenants: [
      { name: 'wrong', account: 'wrong', erp: others.erp() },
      { name: 'quiet', account: 'quiet', erp: silent.erp() },
    ],
    env: others.env,
    confirmPlans: false,
  });
});
afterAll(async () => {
  await bed.close();
  await Promise.all([others.ledger.close(), silent.ledger.close()]);
});

test('a plan says that the books are another company’s, and is confirmed only when that is meant', async () => {
  const { operations } = bed.bridge;
  const { findings } = await operations.plan('wrong');
  expect(findings[0]).toMatchObject({ severity: 'error' });
  expect(findings[0]!.message).toMatch(
    /keeps the books of .* \(6501012030\), but the documents are those of \d{10}/,
  );
  await expect(operations.confirmPlan('wrong', ACT)).rejects.toMatchObject({ code: 'PLAN_OTHER_COMPANY' });
  expect(await operations.confirmPlan('wrong', ACT, { otherCompany: true })).toBe(true);
});

test('an ERP that does not know its kennitala is not held against the source', async () => {
  const { operations } = bed.bridge;
  const { findings } = await operations.plan('quiet');
  expect(findings.map(({ message }) => message).join()).not.toContain('keeps the books of');
  expect(await operations.confirmPlan('quiet', ACT)).toBe(true);
});
