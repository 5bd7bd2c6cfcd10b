// An ERP that only its own people can post in: what the bridge sends waits there as drafts, nothing is Posted at the source meanwhile, and
// once people have posted, every document is, without having been sent again.
import { expect, onTestFinished, test, vi } from 'vitest';
import { bridgeBed } from '../../support/bridge-bed.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { UNICONTA_PASSWORD, unicontaBooks, unicontaSettings } from '../../support/fakes/uniconta-books.js';

const PATIENCE = { timeout: 30_000, interval: 100 };

test('documents wait as drafts until people in the ERP post them, and are Posted at the source only then', async () => {
  const fake = unicontaBooks();
  // Whatever accounts the rules use and whatever day the documents have, these books take them.
  for (let number = 1_000; number < 10_000; number++)
    fake.accounts.set(String(number), { Name: '', AccountType: 'Account', Blocked: false });
  fake.years.push({ FromDate: '2000-01-01T00:00:00', ToDate: '2100-12-31T00:00:00', State: 'Open' });
  const server = await new FakeServer(fake).start();
  onTestFinished(() => server.stop());
  const settings = unicontaSettings(server.origin, { dimensions: {} });
  const bed = await bridgeBed({
    accounts: [{ username: 'drafts', invoices: 8, costs: 4, seed: 'drafts' }],
    tenants: [
      {
        name: 'drafts',
        account: 'drafts',
        erp: { adapter: 'uniconta', settings },
        more: {
          rules: {
            extends: ['default'],
            dimensions: { invoice: { cost_provide: null }, cost: { project_name: null } },
          },
          limits: { erp: { postingsPerSecond: 50 } },
        },
      },
    ],
    env: { UNICONTA_PASSWORD },
  });
  onTestFinished(() => bed.close());
  const { prisma } = bed.database;
  const inState = (state: string) => prisma.posting.count({ where: { state } });
  const statuses = () =>
    (['invoice', 'cost'] as const).flatMap((kind) =>
      bed.sandbox.control.documents('drafts', { kind, limit: 100 }).map((each) => each.accountingStatus),
    );
  const sent = () => server.seen.filter(({ url }) => url.pathname.includes('/InsertList/')).length;
  /** All that can be sent is, and waits for an hour. */
  const areWaiting = async () => {
    const waiting = await prisma.posting.count({
      where: { state: 'posting', dueAt: { gt: new Date(Date.now() + 600_000) } },
    });
    return waiting > 3 && waiting === sent() && (await inState('discovered')) === 0;
  };
  await vi.waitUntil(areWaiting, PATIENCE);
  expect(statuses()).not.toContain('Posted');
  const drafts = sent();
  fake.postJournal();
  await prisma.posting.updateMany({ where: { state: 'posting' }, data: { dueAt: new Date() } });
  await vi.waitUntil(async () => (await inState('acknowledged')) === drafts, PATIENCE);
  expect(statuses().filter((status) => status === 'Posted')).toHaveLength(drafts);
  expect(sent()).toBe(drafts);
  const keys = fake.transactions.map(
    ({ ReferenceNumber, Voucher }) => `${ReferenceNumber}/${String(Voucher)}`,
  );
  expect(new Set(keys).size).toBe(drafts);
}, 90_000);
