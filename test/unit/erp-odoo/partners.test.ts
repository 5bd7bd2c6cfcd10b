import { afterEach, describe, expect, it } from 'vitest';
import type { ErpAdapter } from '../../../src/erp/erp-adapter.js';
import { odooAdapter } from '../../../src/erp/odoo/index.js';
import { FAKE_CHART } from '../../support/fakes/fake-chart.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { fakeServices } from '../../support/fakes/fake-services.js';
import { ODOO_KEY, odooBooks, odooSettings } from '../../support/fakes/odoo-books.js';
import { COST_KEY, INVOICE_KEY, invoiceJournal } from '../../support/fakes/sample-journals.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const PROTOCOLS = [{ protocol: 'json-2' }, { protocol: 'json-rpc', user: 'bot@example.is' }];
const { newCustomer } = FAKE_CHART;

async function opened(settings: Record<string, unknown>) {
  const books = odooBooks();
  const server = await new FakeServer(books).start();
  closers.push(() => server.stop());
  const connect = (): ErpAdapter => {
    const configuration = odooAdapter.configuration.parse(odooSettings(server.origin, settings));
    const adapter = odooAdapter.create(configuration, fakeServices({ 'env:ODOO_KEY': ODOO_KEY }));
    closers.push(() => adapter.close());
    return adapter;
  };
  const partners = () =>
    books.records
      .rows('res.partner')
      .filter((partner) => String(partner['company_registry']).replace('-', '') === newCustomer.kennitala);
  return { books, server, connect, partners };
}

function documentOf(customer: typeof newCustomer) {
  const lines = invoiceJournal().lines.map((line) =>
    line.counterparty === undefined ? line : { ...line, counterparty: customer.kennitala },
  );
  return invoiceJournal({ party: customer, lines });
}

const prepare = (erp: ErpAdapter, key = INVOICE_KEY) =>
  erp.prepare({ key, journal: documentOf(newCustomer) });

describe.each(PROTOCOLS)('a new customer in Odoo over $protocol', (settings) => {
  it('is created once by two processes at once, and both can book on it', async () => {
    const { connect, server, partners } = await opened(settings);
    server.latencyMs = 10;
    const outcomes = await Promise.all([prepare(connect()), prepare(connect(), COST_KEY)]);
    expect(outcomes.map((each) => each.outcome)).toEqual(['prepared', 'prepared']);
    expect(partners()).toHaveLength(1);
  });

  it('is created once, and left as bookkeepers have it, when the first request arrives after the second', async () => {
    const { connect, server, partners } = await opened(settings);
    const erp = connect();
    await server.provoke({ kind: 'late-partner' });
    expect(await prepare(erp)).toMatchObject({ outcome: 'transient' });
    expect(await prepare(erp)).toMatchObject({ outcome: 'prepared' });
    partners()[0]!['name'] = 'Nafn frá bókara';
    await server.heal();
    expect(partners().map((partner) => partner['name'])).toEqual(['Nafn frá bókara']);
  });

  it('is taken from the other process when Odoo tells of a conflict', async () => {
    const { books, connect, partners } = await opened(settings);
    books.imports.overtakeNext();
    expect(await prepare(connect())).toMatchObject({ outcome: 'prepared' });
    expect(partners()).toHaveLength(1);
  });

  it('is found where a bookkeeper wrote the kennitala with a hyphen', async () => {
    const { books, connect, partners } = await opened(settings);
    books.records.insert('res.partner', { name: 'Nýi', company_registry: '600101-2340' });
    const erp = connect();
    const prepared = await prepare(erp);
    if (prepared.outcome !== 'prepared') throw new Error(JSON.stringify(prepared));
    expect(await erp.post(prepared.prepared)).toMatchObject({ outcome: 'posted' });
    expect(partners()).toHaveLength(1);
  });

  it('is not booked on, nor made again, once it has been archived', async () => {
    const { connect, partners } = await opened(settings);
    expect(await prepare(connect())).toMatchObject({ outcome: 'prepared' });
    partners()[0]!['active'] = false;
    expect(await prepare(connect())).toMatchObject({
      outcome: 'rejected',
      code: 'unknown-party',
      message: expect.stringContaining('__import__.ledgerbridge_partner_6001012340') as string,
    });
    expect(partners()).toHaveLength(1);
  });

  it("is refused in Odoo's own words when the import fails, which comes with 200", async () => {
    const { connect, partners } = await opened(settings);
    const nameless = documentOf({ ...newCustomer, name: '' });
    expect(await connect().prepare({ key: INVOICE_KEY, journal: nameless })).toMatchObject({
      outcome: 'rejected',
      message: expect.stringContaining('Odoo did not create the partner') as string,
    });
    expect(partners()).toHaveLength(0);
  });
});
