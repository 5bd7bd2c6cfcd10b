import { describe, expect, it } from 'vitest';
import { freshKey, sale } from '../../../lab/kit/conformance/journals.js';
import { FAKE_CHART } from '../../support/fakes/fake-chart.js';
import { connected } from './connected.js';

async function chart() {
  const { fake, adapter } = await connected();
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
    const { turn, prepare, validate } = await chart();
    turn({ Blocked: true });
    const words = { message: expect.stringMatching(/3000.* is blocked/) as string };
    expect(await validate()).toContainEqual(expect.objectContaining({ severity: 'error', ...words }));
    expect(await prepare()).toMatchObject({ outcome: 'rejected', code: 'blocked-account', ...words });
  });

  it('is said to be a heading, where it is one', async () => {
    const { turn, prepare } = await chart();
    turn({ AccountType: 'Header' });
    expect(await prepare()).toMatchObject({
      ...{ outcome: 'rejected', code: 'unknown-account', account: FAKE_CHART.revenue },
      message: expect.stringContaining('heading') as string,
    });
  });
});
