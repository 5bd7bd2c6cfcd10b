// The first direction against the second service, which was written from the API documents alone: what it lists as Created is booked once
// and told back once, while its lists break off, its replies are lost and it turns callers away.
import { expect, onTestFinished, test } from 'vitest';
import { AGENT_ENDPOINTS } from '../../../src/service/agent-endpoints.js';
import { connectApi } from '../../../src/service/connect-source.js';
import { bridgeBed } from '../../support/bridge-bed.js';
import { type HttpErp, httpErp } from '../../support/http-erp.js';
import { testServices } from '../../support/invoicing/connections.js';
import { signIn } from '../../support/second-service-bed.js';
import { SecondService } from '../../support/second-service/index.js';

const TODAY = new Date().toISOString().slice(0, 10);
const LINE = {
  ...{ add_new: 1, item_number: 'V-1', description: 'Vara', qty: 3, uom: 'C62', unit_price: 1990.5 },
  ...{ tax: 'S', discount: 10, discount_type: 1 },
};
const COST = {
  ...{ date: TODAY, amount: '12400', how_paid: '1', vat_24: '2400', description: 'Prentun' },
  ...{ supplier_name: 'Prentsmiðjan ehf.', supplier_id: '5402696029', type: '2383' },
};

/** Twelve invoices (the agent's pages are of ten), one of them credited, and nine costs (pages of four). */
function fill({ desk }: SecondService): void {
  const customer = desk.customer({
    registration_no: '5402696029',
    name: 'Prufa ehf.',
    email: 'a@example.is',
  });
  const body = {
    ...{ amount: 6664.19, currency: 'ISK', issue_date: TODAY, settlement_date: TODAY, type: 'invoice' },
    ...{ items: [LINE], customer: { guid: customer.guid } },
  };
  const [first] = Array.from({ length: 12 }, () => desk.invoice(body));
  desk.invoice({ ...body, type: 'credit', ref_invoice_guid: first!.guid });
  for (let cost = 0; cost < 9; cost++) desk.cost(COST);
}

/** What a list may not do: break off, or ask for patience. What is told: its reply is lost. */
function trouble({ faults }: SecondService, surface: 'credential' | 'agent'): readonly [string, string] {
  const isAgent = surface === 'agent';
  faults.plan(isAgent ? 'GET /invoices' : 'get-invoices', { kind: 'refuse', status: 500 });
  faults.plan(isAgent ? 'GET /costs' : 'get-costs', { kind: 'refuse', status: 429, retryAfter: 0 });
  const told = isAgent
    ? (['PUT /invoices/{id}', 'PUT /costs/{id}'] as const)
    : (['update-invoice', 'update-cost'] as const);
  for (const operation of told) faults.plan(operation, { kind: 'lose-reply' });
  return told;
}

function balance({ ledger }: HttpErp, role: string): number {
  const lines = ledger.control.entries().flatMap((entry) => entry.lines.filter((line) => line.role === role));
  return lines.reduce((total, { debit, credit }) => total + Number(debit) - Number(credit), 0);
}

test('over either surface everything is booked once, and told once', async () => {
  const erp = await httpErp();
  const sides = await Promise.all(
    // Whether the totals of lines by VAT have that VAT in them is not said: one of each.
    (
      [
        ['credential', 'net'],
        ['agent', 'gross'],
      ] as const
    ).map(async ([surface, vatTotals]) => {
      const service = await SecondService.start({ freedoms: { vatTotals } });
      fill(service);
      return { service, surface, told: trouble(service, surface) };
    }),
  );
  const bed = await bridgeBed({
    accounts: [{ username: 'nobody', invoices: 0, costs: 0 }],
    tenants: sides.map(({ service: { url: baseUrl, account }, surface }) => {
      const auth = { type: 'credentials', username: account.username, apiKey: 'env:SECOND_KEY', surface };
      const source = { environment: 'production', baseUrl, auth };
      return { name: surface, account: 'nobody', erp: erp.erp(), more: { source } };
    }),
    env: { ...erp.env, SECOND_KEY: sides[0]!.service.account.apiKey },
  });
  onTestFinished(async () => {
    await bed.close();
    await erp.ledger.close();
    for (const { service } of sides) await service.close();
  });
  await expect.poll(() => bed.states(), { timeout: 30_000 }).toEqual({ acknowledged: 44 });
  expect(erp.ledger.control.duplicatedKeys()).toEqual([]);
  expect(erp.ledger.control.counts().entries).toBe(44);
  // A credit note takes back what an invoice claims.
  expect(balance(erp, 'receivable')).toBe(2 * (12 - 1) * 6664);
  expect(balance(erp, 'payable')).toBe(-2 * 9 * 12_400);
  for (const { service, told } of sides) {
    const documents = [...service.world.invoices, ...service.world.costs];
    expect(new Set(documents.map(({ accountingStatus }) => accountingStatus))).toEqual(new Set(['Posted']));
    const done = told.map((operation) => service.callsOf(operation).filter((call) => call.done).length);
    expect(done).toEqual([13, 9]);
    expect(service.faults.unmet()).toEqual([]);
    expect(service.violations).toEqual([]);
  }
}, 60_000);

test('a development service opens to its maintenance code in every call, and old tokens are replaced by new ones once', async () => {
  const service = await SecondService.start({ freedoms: { maintenanceCode: 'open sesame & more' } });
  const { settings, grants } = await signIn(service, ['nav', 'cost', 'dashboard_data']);
  const client = connectApi(settings, testServices({ lines: [] }, {}, grants));
  onTestFinished(async () => {
    await client.close();
    await service.close();
  });
  const count = () => client.call(AGENT_ENDPOINTS['count-invoices'], {});
  expect(await count()).toMatchObject({ outcome: 'ok', value: 0 });
  service.oauth.expireAccess();
  expect(await Promise.all([count(), count()])).toMatchObject([{ outcome: 'ok' }, { outcome: 'ok' }]);
  expect(await client.call(AGENT_ENDPOINTS.status, {})).toMatchObject({
    value: { company_name: service.account.name, registration_no: service.account.registrationNo },
  });
  // The code, and the refresh: one each, though two calls were turned away.
  expect(service.callsOf('token').map(({ sent }) => sent['grant_type'])).toEqual([
    'authorization_code',
    'refresh_token',
  ]);
  expect(service.calls.filter(({ status }) => status === 503)).toEqual([]);
  expect(service.violations).toEqual([]);
});
