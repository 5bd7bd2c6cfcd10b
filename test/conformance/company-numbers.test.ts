// Every ERP that knows whose books it keeps says so, and names the accounts that it was asked about.
import { afterEach, describe, expect, test } from 'vitest';
import { type FakeErp, FAKE_ERPS } from '../support/fakes/fake-erps.js';
import { FAKE_CHART } from '../support/fakes/fake-chart.js';

test('Odoo says which currency it lacks before a document waits for it', async () => {
  const erp = await FAKE_ERPS[0]!.open();
  try {
    const chart = { accounts: [FAKE_CHART.receivable], vatCodes: [], dimensions: {} };
    const findings = await erp.connect().validate({ ...chart, currencies: ['EUR', 'XPF'] });
    expect(findings.flatMap(({ lacks }) => lacks ?? [])).toEqual([{ currency: 'XPF' }]);
  } finally {
    await erp.close();
  }
});

describe.each(FAKE_ERPS)('$name', ({ open }) => {
  let erp: FakeErp;
  afterEach(() => erp.close());

  test('names the kennitala of its company, its accounts, and what is lacking as a fact', async () => {
    erp = await open();
    const connection = erp.connect();
    const health = await connection.health();
    expect(health).toMatchObject({ outcome: 'healthy' });
    expect('registrationNo' in health ? health.registrationNo : '').toMatch(/^\d{6}-?\d{4}$/);
    const accounts = [FAKE_CHART.receivable, '7777'];
    const findings = await connection.validate({ accounts, vatCodes: [], dimensions: {} });
    expect(findings.flatMap(({ lacks }) => lacks ?? [])).toEqual([{ account: '7777' }]);
    expect(Object.keys(findings[0]?.accountNames ?? {})).toEqual([FAKE_CHART.receivable]);
  });
});
