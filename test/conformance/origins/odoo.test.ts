// A simulated Odoo, held to what the port of origins promises, over both of its interfaces.
import { describe, expect, onTestFinished, test } from 'vitest';
import { ORIGIN_CASES, runOriginCase } from '../../../src/origins/conformance/run-origin-case.js';
import { ErpOrigin } from '../../../src/origins/erp/erp-origin.js';
import { odooRecords } from '../../../src/origins/erp/odoo/index.js';
import { erpServices } from '../../support/erp/erp-services.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { ODOO_KEY, odooBooks, odooSettings } from '../../support/fakes/odoo-books.js';
import { odooTarget } from './odoo-beds.js';

const RPC = { protocol: 'json-rpc', user: 'bot@example.is' };
const TARGETS = [
  ['JSON-2: invoices', odooTarget('invoice')],
  ['JSON-2: customers', odooTarget('customer')],
  ['JSON-2: items', odooTarget('item')],
  ['JSON-RPC: invoices', odooTarget('invoice', RPC)],
] as const;

describe.each(TARGETS)('Odoo as an origin, %s', (_name, target) => {
  test.each(ORIGIN_CASES.map((each) => [each.title, each] as const))('%s', async (_title, each) => {
    const { result, detail } = await runOriginCase(target, each);
    expect(result, detail).not.toBe('failed');
  });
});

test('two partners of Odoo with one kennitala speak for neither, however it is written; a supplier counts for nothing', async () => {
  const fake = odooBooks();
  const server = await new FakeServer(fake).start();
  const services = erpServices({ 'env:ODOO_KEY': ODOO_KEY });
  const wish = { hands: ['customers' as const], since: '2026-01-01' };
  const erp = odooRecords(odooSettings(server.origin, {}), wish, services);
  onTestFinished(async () => {
    await erp.close();
    await server.stop();
  });
  const add = (name: string, numbers: Record<string, unknown>) =>
    fake.records.insert('res.partner', {
      name,
      customer_rank: 1,
      write_date: '2026-11-16 12:00:00',
      ...numbers,
    });
  add('Prufa ehf.', { company_registry: '650376-0649' });
  add('Annar ehf.', { company_registry: '5402696029' });
  add('Annar, birgir', { company_registry: '5402696029', customer_rank: 0 });
  add('Prufa, útibú', { vat: 'IS6503760649' });
  const origin = new ErpOrigin('erp', erp, services.clock, { everyMs: 0, atOnce: 50 });
  const { records, problems } = await origin.changes(null);
  expect(records.map(({ reference }) => reference)).toEqual(['5402696029']);
  expect(problems.map(({ said }) => said?.code)).toEqual(['KENNITALA_SHARED', 'KENNITALA_SHARED']);
  expect(problems[0]!.problem).toMatch(/Prufa ehf\. \(\d+\), Prufa, útibú \(\d+\)$/);
});
