// A simulated Odoo as beds of the suite. Everything happens within one second, which is all that Odoo's times can tell apart.
import { createHash } from 'node:crypto';
import { TELLING_TEXT, type OriginBed, type OriginTarget } from '../../../src/origins/conformance/target.js';
import { odooRecords } from '../../../src/erp/odoo/origin/index.js';
import { erpServices } from '../../support/erp/erp-services.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { ODOO_COMPANY, ODOO_KEY, odooBooks, odooSettings } from '../../support/fakes/odoo-books.js';
import type { OdooFake } from '../../support/fakes/odoo-fake.js';
import { connected, factsIn, HOLDS, MANY } from './erp-bed.js';
import { orders as ordersIn } from './odoo-order-beds.js';
import { kennitalaOf } from './records.js';

const NOW = { write_date: '2026-11-16 12:00:00' };
const SINCE = '2026-01-01';
const AGO = '2026-03-01';

export function odooTarget(kind: keyof typeof HANDS, settings: Record<string, unknown> = {}): OriginTarget {
  const unread = 'a partner without a kennitala is no customer, and whatever else it says can be read';
  return {
    ...{ name: `Odoo: ${kind}`, kind, holds: HOLDS, many: MANY },
    ...(kind === 'customer'
      ? {
          notApplicable: { 'bad-spoils-none': unread, 'bad-mended': unread, 'bad-again-after-crash': unread },
        }
      : {}),
    open: async () => {
      const fake = odooBooks();
      const server = await new FakeServer(fake).start();
      const services = erpServices({ 'env:ODOO_KEY': ODOO_KEY });
      const hands = [HANDS[kind]];
      const given = odooSettings(server.origin, settings);
      const about = connected(kind, services, (gated) =>
        odooRecords(given, { hands, since: SINCE, orders: 'order', quotes: 'quote', files: ['*'] }, gated),
      );
      const bed = BEDS[kind](fake);
      return { ...about, ...bed, close: () => server.stop() };
    },
  };
}

type Own = Pick<
  OriginBed,
  'put' | 'touch' | 'remove' | 'putBad' | 'mendBad' | 'toldOf' | 'attach' | 'detach'
>;

function toldOf({ records }: OdooFake, model: string, id: number | undefined) {
  const said = records.search('mail.message', [
    ['model', '=', model],
    ['res_id', '=', id ?? 0],
  ]);
  return Promise.resolve(said.map(({ body }) => factsIn(String(body).replaceAll(/<[^>]*>/g, ''))));
}

/** As people put it there: one of that name in place of the other. */
export function attachIn(
  { records }: OdooFake,
  model: string,
  of: number,
  name: string,
  content: Uint8Array,
) {
  const attachment = {
    ...{ name, type: 'binary', res_model: model, res_id: of, file_size: content.byteLength },
    ...{ datas: Buffer.from(content).toString('base64') },
    checksum: createHash('sha1').update(content).digest('hex'),
  };
  const [before] = records.search('ir.attachment', [
    ['name', '=', name],
    ['res_id', '=', of],
  ]);
  return before ? Object.assign(before, attachment) : records.insert('ir.attachment', attachment);
}

/** A posted invoice of one line. */
export function invoiceIn({ records }: OdooFake) {
  const [company] = records.search('res.company', [['company_registry', '=', ODOO_COMPANY]]);
  const find = (model: string, field: string, value: string) =>
    records.search(model, [
      [field, '=', value],
      ['company_id', '=', company!.id],
    ])[0]!.id;
  const isk = records.search('res.currency', [['name', '=', 'ISK']])[0]!.id;
  const posted = { name: 'INV/2026/00001', move_type: 'out_invoice', state: 'posted' };
  return (partnerId: number) => {
    const move = records.insert('account.move', {
      ...{ ...posted, company_id: company!.id, ...NOW },
      ...{ partner_id: partnerId, invoice_date: AGO, invoice_date_due: '2026-03-31', currency_id: isk },
      amount_total: 2_480,
    });
    records.insert('account.move.line', {
      ...{ move_id: move.id, display_type: 'product', name: TELLING_TEXT, quantity: 2, price_unit: 1_000 },
      ...{ discount: 0, price_subtotal: 2_000, account_id: find('account.account', 'code', '3000') },
      tax_ids: [find('account.tax', 'type_tax_use', 'sale')],
    });
    return move.id;
  };
}

function invoices(fake: OdooFake): Own {
  const { records } = fake;
  const sale = invoiceIn(fake);
  const ids = new Map<number, number>();
  const partner = (kennitala: string) =>
    records.insert('res.partner', {
      name: 'Prufa ehf.',
      company_registry: kennitala,
      customer_rank: 1,
      ...NOW,
    });
  const good = partner('6503760649');
  const bad = { partner: 0 };
  return {
    put: (record, version = 1) => {
      const id = ids.get(record) ?? sale(good.id);
      ids.set(record, id);
      if (version === 2) records.byId('account.move', id)['ref'] = 'Önnur';
      return Promise.resolve(`invoice ${String(id)}`);
    },
    touch: (record) =>
      Promise.resolve(void Object.assign(records.byId('account.move', ids.get(record)!), NOW)),
    remove: (record) => Promise.resolve(void records.remove('account.move', [ids.get(record)!])),
    putBad: () => {
      bad.partner = partner('').id;
      sale(bad.partner);
      return Promise.resolve();
    },
    // What is wrong is not in the invoice: nothing of it changes.
    mendBad: () => {
      records.byId('res.partner', bad.partner)['company_registry'] = kennitalaOf(99);
      return Promise.resolve();
    },
    attach: (record, name, content) =>
      Promise.resolve(void attachIn(fake, 'account.move', ids.get(record)!, name, content)),
    detach: (_record, name) => {
      const gone = records.search('ir.attachment', [['name', '=', name]]).map(({ id }) => id);
      return Promise.resolve(records.remove('ir.attachment', gone));
    },
    toldOf: (reference) => toldOf(fake, 'account.move', Number(reference.split(' ')[1])),
  };
}

function customers(fake: OdooFake): Own {
  const { records } = fake;
  const ids = new Map<number, number>();
  return {
    put: (record, version = 1) => {
      const company_registry = kennitalaOf(record);
      const values = { name: TELLING_TEXT, company_registry, customer_rank: 1, email: 'a@b.is', ...NOW };
      const id = ids.get(record) ?? records.insert('res.partner', values).id;
      ids.set(record, id);
      if (version === 2) records.byId('res.partner', id)['city'] = 'Akureyri';
      return Promise.resolve(company_registry);
    },
    touch: () => Promise.resolve(),
    remove: (record) => Promise.resolve(void records.remove('res.partner', [ids.get(record)!])),
    putBad: () => Promise.resolve(),
    mendBad: () => Promise.resolve(),
    toldOf: (kennitala) => {
      const [found] = records.search('res.partner', [['company_registry', '=', kennitala]]);
      return toldOf(fake, 'res.partner', found?.id);
    },
  };
}

function items(fake: OdooFake): Own {
  const { records } = fake;
  const ids = new Map<number, number>();
  const [company] = records.search('res.company', [['company_registry', '=', ODOO_COMPANY]]);
  const [tax] = records.search('account.tax', [
    ['type_tax_use', '=', 'sale'],
    ['company_id', '=', company!.id],
  ]);
  const uom = records.insert('uom.uom', { name: 'Units' });
  const product = (default_code: string, taxes: readonly number[]) =>
    records.insert('product.product', {
      ...{ name: TELLING_TEXT, default_code, lst_price: 1_990, uom_id: uom.id, taxes_id: taxes },
      ...{ sale_ok: true, active: true, ...NOW },
    }).id;
  const bad = { id: 0 };
  return {
    put: (record, version = 1) => {
      const code = `A-${String(record)}`;
      const id = ids.get(record) ?? product(code, [tax!.id]);
      ids.set(record, id);
      if (version === 2) records.byId('product.product', id)['lst_price'] = 2_490;
      return Promise.resolve(code);
    },
    touch: () => Promise.resolve(),
    remove: (record) => Promise.resolve(void records.remove('product.product', [ids.get(record)!])),
    putBad: () => Promise.resolve(void (bad.id = product('X-1', []))),
    mendBad: () => Promise.resolve(void (records.byId('product.product', bad.id)['taxes_id'] = [tax!.id])),
    toldOf: (reference) => {
      const [found] = records.search('product.product', [['default_code', '=', reference]]);
      return toldOf(fake, 'product.product', found?.id);
    },
  };
}

function orders(stage: 'order' | 'quote') {
  return (fake: OdooFake): Own => ({
    ...ordersIn(fake, stage),
    toldOf: (reference) => toldOf(fake, 'sale.order', Number(reference.split(' ')[1])),
  });
}

const HANDS = {
  invoice: 'invoices',
  customer: 'customers',
  item: 'items',
  order: 'orders',
  quote: 'quotes',
} as const;
const BEDS = {
  invoice: invoices,
  customer: customers,
  item: items,
  order: orders('order'),
  quote: orders('quote'),
} as const;
