// ERPs that records come from, for bridges in processes of their own: simulated Odoo and Business Central, and a real trytond where there
// is one. People make customers and items, post invoices, take orders and make quotes there, and what the bridge left there can be read.
import type { ErpRecords } from '../../src/origins/erp-records.js';
import { businessCentralRecords } from '../../src/erp/business-central/origin/index.js';
import { odooRecords } from '../../src/erp/odoo/origin/index.js';
import type { ErpOriginSettings } from '../../src/origins/origin-settings.js';
import { trytonRecords } from '../../src/erp/tryton/origin/index.js';
import { attachIn, invoiceIn } from '../conformance/origins/odoo-beds.js';
import { sellIn } from '../conformance/origins/odoo-order-beds.js';
import { keepItem, sell } from '../conformance/origins/business-central-beds.js';
import { erpServices } from './erp/erp-services.js';
import { TRYTON_COMPANY, TRYTON_TAXES } from './erp/tryton-company.js';
import { dec, TrytonRpc } from './erp/tryton-rpc.js';
import { createCustomer, TrytonDesk } from './erp/tryton-sales.js';
import { startTryton, TRYTON_DATABASE, TRYTON_PASSWORD, TRYTON_USER } from './erp/tryton-server.js';
import * as bc from './fakes/business-central-books.js';
import { FAKE_CHART } from './fakes/fake-chart.js';
import { FakeServer } from './fakes/fake-server.js';
import { ODOO_COMPANY, ODOO_KEY, odooBooks, odooSettings } from './fakes/odoo-books.js';
import type { OdooFake } from './fakes/odoo-fake.js';
import { has } from './services.js';

export interface ErpPlace {
  /** Short, for the names of its tenants. */
  readonly name: string;
  readonly erp: Record<string, unknown>;
  readonly env: Record<string, string>;
  /** As an origin, in this process. */
  open(wish: ErpOriginSettings): ErpRecords;
  addCustomer(kennitala: string): Promise<void>;
  /** With 24 % VAT; Business Central says `VSK24`. */
  addItem(code: string): Promise<void>;
  /** Posted, to the customer that was made first; what it is called there. */
  addInvoice(day: string): Promise<string>;
  /** Beside that invoice; one of that name in place of the other. */
  attach(invoice: string, name: string, content: Uint8Array): Promise<void>;
  detach(invoice: string, name: string): Promise<void>;
  /** Confirmed. */
  addOrder(day: string): Promise<void>;
  /** Sent to the customer, and not answered yet. */
  addQuote(day: string): Promise<void>;
  /** Everything that the bridge has said there. */
  notes(): Promise<string[]>;
  /** What stands beside that invoice, as text. */
  beside(invoice: string): Promise<string[]>;
  stop(): Promise<void>;
}

const NAME = 'Prufa ehf.';
const EMAIL = 'prufa@example.is';

export async function erpPlaces(): Promise<ErpPlace[]> {
  return [await odoo(), await businessCentral(), ...(has('trytond-sales') ? [await tryton()] : [])];
}

async function odoo(): Promise<ErpPlace> {
  const fake = odooBooks();
  const { records } = fake;
  const server = await new FakeServer(fake).start();
  const [post, order] = [invoiceIn(fake), sellIn(fake)];
  const customers: number[] = [];
  const stamp = () => ({ write_date: new Date().toISOString().slice(0, 19).replace('T', ' ') });
  const settings = odooSettings(server.origin);
  const said = (rows: readonly Readonly<Record<string, unknown>>[]) => rows.map(({ body }) => String(body));
  const sold = (day: string, state: string) =>
    Promise.resolve(void order(customers[0]!, { date_order: `${day} 09:00:00`, state, ...stamp() }));
  return {
    name: 'odoo',
    erp: { adapter: 'odoo', settings },
    env: { ODOO_KEY },
    open: (wish) => odooRecords(settings, wish, erpServices({ 'env:ODOO_KEY': ODOO_KEY })),
    addCustomer: (company_registry) => {
      const values = { name: NAME, company_registry, email: EMAIL, customer_rank: 1, ...stamp() };
      customers.push(records.insert('res.partner', values).id);
      return Promise.resolve();
    },
    addItem: (default_code) => Promise.resolve(addProduct(fake, { default_code, ...stamp() })),
    addInvoice: (day) => {
      const id = post(customers[0]!);
      const dates = { invoice_date: day, invoice_date_due: day, ...stamp() };
      Object.assign(records.byId('account.move', id), dates);
      return Promise.resolve(String(id));
    },
    attach: (invoice, name, content) =>
      Promise.resolve(void attachIn(fake, 'account.move', Number(invoice), name, content)),
    detach: (invoice, name) => {
      const wanted = [
        ['name', '=', name],
        ['res_id', '=', Number(invoice)],
      ] as const;
      const gone = records.search('ir.attachment', wanted).map(({ id }) => id);
      return Promise.resolve(records.remove('ir.attachment', gone));
    },
    addOrder: (day) => sold(day, 'sale'),
    addQuote: (day) => sold(day, 'sent'),
    notes: () => Promise.resolve(said(records.rows('mail.message'))),
    beside: (invoice) => {
      const there = [
        ['model', '=', 'account.move'],
        ['res_id', '=', Number(invoice)],
      ] as const;
      return Promise.resolve(said(records.search('mail.message', there)));
    },
    stop: () => server.stop(),
  };
}

function addProduct({ records }: OdooFake, given: Record<string, unknown>): void {
  const [company] = records.search('res.company', [['company_registry', '=', ODOO_COMPANY]]);
  const [tax] = records.search('account.tax', [
    ['type_tax_use', '=', 'sale'],
    ['company_id', '=', company!.id],
  ]);
  const uom_id = records.insert('uom.uom', { name: 'Units' }).id;
  const sold = { name: 'Vara', lst_price: 1_990, uom_id, taxes_id: [tax!.id], sale_ok: true, active: true };
  records.insert('product.product', { ...sold, ...given });
}

async function businessCentral(): Promise<ErpPlace> {
  const fake = bc.businessCentralBooks();
  const { ledger } = fake;
  ledger.customers.splice(0);
  const server = await new FakeServer(fake).start();
  const { revenue: lineObjectNumber, codeOut: taxCode } = FAKE_CHART.taxed;
  const lines = [{ lineObjectNumber, taxCode, description: 'Vara', quantity: 2, unitPrice: 1_000 }];
  const customerNumber = 'C0001';
  const fileOf = (id: string, name: string) =>
    fake.files.find(({ parentId, fileName }) => parentId === id && fileName === name);
  const settings = bc.businessCentralSettings(server.origin);
  const { BC_SECRET } = bc;
  return {
    name: 'bc',
    erp: { adapter: 'business-central', settings },
    env: { BC_SECRET },
    open: (wish) => businessCentralRecords(settings, wish, erpServices({ 'env:BC_SECRET': BC_SECRET })),
    addItem: (number) => Promise.resolve(keepItem(fake, { number })),
    addCustomer: (taxRegistrationNumber) => {
      const row = bc.partner(`C000${String(ledger.customers.length + 1)}`, NAME);
      const lastModifiedDateTime = ledger.stamp();
      ledger.customers.push({ ...row, taxRegistrationNumber, email: EMAIL, lastModifiedDateTime });
      return Promise.resolve();
    },
    addInvoice: (day) => {
      const dates = { invoiceDate: day, postingDate: day, dueDate: day };
      return Promise.resolve(sell(fake, 'salesInvoices', { customerNumber, ...dates }, lines).id);
    },
    attach: (invoice, name, content) => {
      const before = fileOf(invoice, name);
      const bytes = Buffer.from(content);
      if (before) Object.assign(before, { content: bytes, lastModifiedDateTime: ledger.stamp() });
      else fake.addFile(invoice, name, bytes);
      return Promise.resolve();
    },
    detach: (invoice, name) =>
      Promise.resolve(void fake.files.splice(fake.files.indexOf(fileOf(invoice, name)!), 1)),
    addOrder: (day) =>
      Promise.resolve(void sell(fake, 'salesOrders', { customerNumber, orderDate: day }, lines)),
    addQuote: (day) =>
      Promise.resolve(void sell(fake, 'salesQuotes', { customerNumber, documentDate: day }, lines)),
    notes: () => Promise.resolve(fake.files.map(({ content }) => content.toString('utf8'))),
    beside: (invoice) => {
      const there = fake.files.filter(({ parentId }) => parentId === invoice);
      return Promise.resolve(there.map(({ content }) => content.toString('utf8')));
    },
    stop: () => server.stop(),
  };
}

async function tryton(): Promise<ErpPlace> {
  const server = await startTryton(0, 'sale');
  const rpc = await TrytonRpc.login(server.rpcUrl, TRYTON_USER, TRYTON_PASSWORD);
  rpc.use({ company: 1 });
  // Whoever is there from the beginning is nobody's customer here.
  await rpc.call('model.party.party.delete', await rpc.search('party.party', [['id', '>', 1]]));
  const desk = new TrytonDesk(rpc);
  const customers: number[] = [];
  const place = { baseUrl: server.url, database: TRYTON_DATABASE, user: TRYTON_USER };
  const company = { password: 'env:TRYTON_PASSWORD', company: TRYTON_COMPANY.kennitala };
  const line = { description: 'Vara', quantity: 2, unitPrice: '1000', tax: TRYTON_TAXES.U24 };
  const lines = [line];
  const ordered = [{ ...line, ...(await desk.sellable('V-1')) }];
  const filesOf = (invoice: string, name: string) =>
    rpc.search('ir.attachment', [
      ['resource', '=', `account.invoice,${invoice}`],
      ['name', '=', name],
    ]);
  const settings = { ...place, ...company };
  const secrets = { 'env:TRYTON_PASSWORD': TRYTON_PASSWORD };
  const sold = async (day: string, stage: 'order' | 'quote') =>
    void (await desk.order({ party: customers[0]!, day, lines: ordered }, stage));
  let category: Promise<number> | undefined;
  return {
    name: 'tryton',
    erp: { adapter: 'tryton', settings },
    env: { TRYTON_PASSWORD },
    open: (wish) => trytonRecords(settings, wish, erpServices(secrets)),
    addItem: async (code) => {
      category ??= addCategory(rpc);
      await addProductTo(rpc, await category, code);
    },
    addCustomer: async (kennitala) =>
      void customers.push(await createCustomer(rpc, { name: NAME, kennitala, email: EMAIL })),
    addInvoice: async (day) => String(await desk.posted({ party: customers[0]!, day, lines })),
    attach: async (invoice, name, content) => {
      const data = { __class__: 'bytes', base64: Buffer.from(content).toString('base64') };
      const before = await filesOf(invoice, name);
      if (before.length > 0) await rpc.call('model.ir.attachment.write', before, { data });
      else await rpc.create('ir.attachment', { name, resource: `account.invoice,${invoice}`, data });
    },
    detach: async (invoice, name) =>
      void (await rpc.call('model.ir.attachment.delete', await filesOf(invoice, name))),
    addOrder: (day) => sold(day, 'order'),
    addQuote: (day) => sold(day, 'quote'),
    beside: (invoice) => desk.notes(`account.invoice,${invoice}`),
    notes: async () => {
      const notes = await rpc.read('ir.note', await rpc.search('ir.note', []), ['message']);
      return notes.map(({ message }) => String(message));
    },
    stop: () => server.stop(),
  };
}

/** The VAT of its products is said by it. */
async function addCategory(rpc: TrytonRpc): Promise<number> {
  const [tax] = await rpc.search('account.tax', [['name', '=', TRYTON_TAXES.U24]]);
  const customer_taxes = [['add', [tax]]];
  return rpc.create('product.category', { name: 'Vörur', accounting: true, customer_taxes });
}

async function addProductTo(rpc: TrytonRpc, account_category: number, code: string): Promise<void> {
  const [default_uom] = await rpc.search('product.uom', [['symbol', '=', 'u']]);
  await rpc.create('product.template', {
    ...{ name: 'Vara', type: 'goods', default_uom, list_price: dec('1990'), account_category },
    products: [['create', [{ suffix_code: code }]]],
  });
}
