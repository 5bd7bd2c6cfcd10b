import { afterEach, describe, expect, it } from 'vitest';
import { freshKey, sale } from '../../../src/erp/conformance/journals.js';
import { unicontaAdapter } from '../../../src/erp/uniconta/index.js';
import { FAKE_CHART } from '../../support/fakes/fake-chart.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { fakeServices } from '../../support/fakes/fake-services.js';
import { UNICONTA_PASSWORD, unicontaBooks, unicontaSettings } from '../../support/fakes/uniconta-books.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function connected() {
  const fake = unicontaBooks();
  const server = await new FakeServer(fake).start();
  const settings = unicontaAdapter.configuration.parse(unicontaSettings(server.origin));
  const adapter = unicontaAdapter.create(
    settings,
    fakeServices({ 'env:UNICONTA_PASSWORD': UNICONTA_PASSWORD }),
  );
  closers.push(
    () => server.stop(),
    () => adapter.close(),
  );
  const { revenue } = FAKE_CHART;
  return {
    turn: (to: { AccountType?: string; Blocked?: boolean }) =>
      fake.accounts.set(revenue, { Name: 'Sala', AccountType: 'Account', Blocked: false, ...to }),
    prepare: () => adapter.prepare({ key: freshKey(), journal: sale(FAKE_CHART) }),
    validate: () => adapter.validate({ accounts: [revenue], vatCodes: [], dimensions: {} }),
  };
}

describe('an account of Uniconta that takes no lines', () => {
  it('is said to be blocked, before the first posting and when it is posted to', async () => {
    const { turn, prepare, validate } = await connected();
    turn({ Blocked: true });
    const words = { message: expect.stringMatching(/3000.* is blocked/) as string };
    expect(await validate()).toContainEqual(expect.objectContaining({ severity: 'error', ...words }));
    expect(await prepare()).toMatchObject({ outcome: 'rejected', code: 'blocked-account', ...words });
  });

  it('is said to be a heading, where it is one', async () => {
    const { turn, prepare } = await connected();
    turn({ AccountType: 'Header' });
    expect(await prepare()).toMatchObject({
      ...{ outcome: 'rejected', code: 'unknown-account', account: FAKE_CHART.revenue },
      message: expect.stringContaining('heading') as string,
    });
  });
});
