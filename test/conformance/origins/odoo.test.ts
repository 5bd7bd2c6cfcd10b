// A simulated Odoo, held to what the port of origins promises, over both of its interfaces.
import { describe, expect, onTestFinished, test } from 'vitest';
import { ORIGIN_CASES, runOriginCase } from '../../../src/origins/conformance/run-origin-case.js';
import { ErpOrigin } from '../../../src/origins/erp-origin.js';
import { odooRecords } from '../../../src/erp/odoo/origin/index.js';
import { erpServices } from '../../support/erp/erp-services.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { ODOO_KEY, odooBooks, odooSettings } from '../../support/fakes/odoo-books.js';
import type { ErpHand } from '../../../src/origins/origin-settings.js';
import { attachIn, invoiceIn, odooTarget } from './odoo-beds.js';
import { sellIn } from './odoo-order-beds.js';
import { contentIn } from './records.js';

const RPC = { protocol: 'json-rpc', user: 'bot@example.is' };
const TARGETS = [
  ['JSON-2: invoices', odooTarget('invoice')],
  ['JSON-2: customers', odooTarget('customer')],
  ['JSON-2: items', odooTarget('item')],
  ['JSON-2: orders', odooTarget('order')],
  ['JSON-2: quotes', odooTarget('quote')],
  ['JSON-RPC: invoices', odooTarget('invoice', RPC)],
] as const;

describe.each(TARGETS)('Odoo as an origin, %s', (_name, target) => {
  test.each(ORIGIN_CASES.map((each) => [each.title, each] as const))('%s', async (_title, each) => {
    const { result, detail } = await runOriginCase(target, each);
    expect(result, detail).not.toBe('failed');
  });
});

async function place(hands: ErpHand[], since = '2026-01-01', files: string[] = []) {
  const fake = odooBooks();
  const server = await new FakeServer(fake).start();
  const services = erpServices({ 'env:ODOO_KEY': ODOO_KEY });
  const wish = { hands, since, orders: 'order' as const, quotes: 'quote' as const, files };
  const erp = odooRecords(odooSettings(server.origin, {}), wish, services);
  onTestFinished(async () => {
    await erp.close();
    await server.stop();
  });
  return { fake, origin: new ErpOrigin('erp', erp, services.clock, { everyMs: 0, atOnce: 50 }) };
}

const PRUFA = { name: 'Prufa ehf.', company_registry: '6503760649', write_date: '2026-11-16 12:00:00' };

test('two partners of Odoo with one kennitala speak for neither, however it is written; a supplier counts for nothing', async () => {
  const { fake, origin } = await place(['customers']);
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
  const { records, problems } = await origin.changes(null);
  expect(records.map(({ reference }) => reference)).toEqual(['5402696029']);
  expect(problems.map(({ said }) => said?.code)).toEqual(['KENNITALA_SHARED', 'KENNITALA_SHARED']);
  expect(problems[0]!.problem).toMatch(/Prufa ehf\. \(\d+\), Prufa, útibú \(\d+\)$/);
});

test('the language of a customer is handed over only where Odoo has Icelandic to choose from', async () => {
  const { fake, origin } = await place(['customers']);
  fake.records.insert('res.lang', { code: 'en_US', name: 'English' });
  const { id } = fake.records.insert('res.partner', { ...PRUFA, customer_rank: 1, lang: 'en_US' });
  const languageIn = (records: readonly { readonly content: string }[]) =>
    records.map(({ content }) => (JSON.parse(content) as { lang?: string }).lang);
  const first = await origin.changes(null);
  expect(languageIn(first.records)).toEqual([undefined]);
  fake.records.insert('res.lang', { code: 'is_IS', name: 'Icelandic' });
  fake.records.byId('res.partner', id)['write_date'] = '2026-11-16 12:00:05';
  const later = await origin.changes(first.cursor);
  expect(languageIn(later.records)).toEqual(['en']);
});

describe('files beside an invoice of Odoo', () => {
  const sale = async (files?: string[]) => {
    const { fake, origin } = await place(['invoices'], undefined, files);
    const id = invoiceIn(fake)(fake.records.insert('res.partner', PRUFA).id);
    const put = (name: string, more: object = {}) =>
      Object.assign(attachIn(fake, 'account.move', id, name, Buffer.from(name)), more);
    return { origin, put };
  };
  const filesIn = (content: string) => (JSON.parse(content) as { files?: { name: string }[] }).files;

  test('stay there unless the tenant file names them, and what Odoo keeps for itself always does', async () => {
    for (const [files, wanted] of [
      [undefined, undefined],
      [['*.pdf', '!innra*'], ['INV_2026_1.pdf']],
    ] as const) {
      const { origin, put } = await sale(files && [...files]);
      put('INV/2026/1.pdf');
      put('Innra mat.pdf');
      put('prentað.pdf', { res_field: 'invoice_pdf_report_file' });
      const { records, problems } = await origin.changes(null);
      expect(problems).toEqual([]);
      expect(filesIn(records.at(-1)!.content)?.map(({ name }) => name)).toEqual(wanted);
    }
  });

  test('that are links keep it back, and are named', async () => {
    const { origin, put } = await sale(['*']);
    const link = put('teikning', { type: 'url', datas: false, checksum: false, file_size: 0 });
    const { records, problems, cursor } = await origin.changes(null);
    expect(records).toEqual([]);
    expect(problems.map(({ said }) => said)).toEqual([
      { code: 'FILE_IS_LINK', params: { file: 'teikning' } },
    ]);
    // Somebody puts the file itself there: nothing of the invoice has changed.
    Object.assign(link, { type: 'binary', datas: 'AA==', checksum: 'c', file_size: 1 });
    const mended = await origin.changes(cursor);
    expect(mended.problems).toEqual([]);
    expect(filesIn(mended.records.at(-1)!.content)).toMatchObject([{ name: 'teikning', bytes: '1' }]);
  });
});

const OLD_NAMES: Readonly<Record<string, string>> = { tax_ids: 'tax_id', product_uom_id: 'product_uom' };

describe('orders and quotations of Odoo', () => {
  const SECTION = { display_type: 'line_section', product_id: false, product_uom_qty: 0, price_subtotal: 0 };
  const DOWN_PAYMENT = { product_uom_qty: 0, price_unit: 500, price_subtotal: 0, product_id: false };

  test('are handed over at their stage, and are none of ours before, after, or cancelled', async () => {
    const { fake, origin } = await place(['orders', 'quotes'], '2026-03-01');
    const sell = sellIn(fake);
    const { id } = fake.records.insert('res.partner', PRUFA);
    const states = ['draft', 'sent', 'sale', 'done', 'cancel'].map((state) => sell(id, { state }).id);
    sell(id, { date_order: '2026-02-28 23:59:59' });
    sell(id, {}, [SECTION]);
    const [, sent, sale, locked] = states.map(String);
    const { records, problems, cursor } = await origin.changes(null);
    expect(problems).toEqual([]);
    const handed = [`order ${sale!}`, `order ${locked!}`, `quote ${sent!}`];
    expect(records.map(({ reference }) => reference)).toEqual(['6503760649', ...handed]);
    // It is confirmed: the quotation is gone, and the order is there.
    Object.assign(fake.records.byId('sale.order', Number(sent)), {
      ...{ state: 'sale', write_date: '2026-11-16 12:00:05' },
    });
    expect(await origin.read('quote', `quote ${sent!}`)).toBeNull();
    const later = await origin.changes(cursor);
    expect(later.records.map(({ reference }) => reference)).toEqual(['6503760649', `order ${sent!}`]);
  });

  test('have their number, dates and lines, without words and down payments', async () => {
    const { fake, origin } = await place(['orders']);
    const { id } = fake.records.insert('res.partner', PRUFA);
    const uncoded = fake.records.insert('product.product', { name: 'Án kóða' }).id;
    const hours = fake.records.insert('uom.uom', { name: 'Hours' }).id;
    const more = { client_order_ref: 'PO 7', commitment_date: '2026-04-01 08:00:00', amount_total: 4_712 };
    const cut = { discount: 10, price_subtotal: 1_800, product_id: uncoded, product_uom_id: hours };
    const order = sellIn(fake)(id, more, [SECTION, {}, cut, DOWN_PAYMENT]);
    const record = await origin.read('order', `order ${String(order.id)}`);
    const line = { qty: '2', unit_price: '1000', tax: 'S' };
    expect(record).not.toHaveProperty('booked');
    expect(JSON.parse(contentIn(record))).toEqual({
      ...{ customer: { kennitala: '6503760649' }, currency: 'ISK', description: 'S00001', booking: 'PO 7' },
      ...{ issue_date: '2026-03-01', delivery_date: '2026-04-01' },
      lines: [
        expect.objectContaining({ ...line, item_number: 'A-1', uom: 'C62' }),
        expect.objectContaining({
          ...{ ...line, item_number: `product ${String(uncoded)}`, uom: 'HUR', discount: '10' },
        }),
      ],
    });
  });

  test('of an older version have their taxes and units under other names', async () => {
    const { fake, origin } = await place(['quotes']);
    const old = fake.records.fields('sale.order.line').map((field) => OLD_NAMES[field] ?? field);
    fake.records.define('sale.order.line', old);
    const { id } = fake.records.insert('res.partner', PRUFA);
    const days = fake.records.insert('uom.uom', { name: 'Days' }).id;
    const quote = sellIn(fake, 'tax_id')(id, { state: 'sent' }, [{ product_uom: days }]);
    const record = await origin.read('quote', `quote ${String(quote.id)}`);
    expect(JSON.parse(contentIn(record))).toMatchObject({ lines: [{ uom: 'DAY', tax: 'S' }] });
  });

  test.each(['orders', 'invoices'] as const)('%s to a contact are its company’s', async (hand) => {
    const { fake, origin } = await place([hand]);
    const { records } = fake;
    const { id } = records.insert('res.partner', PRUFA);
    const contact = { ...PRUFA, name: 'Jón hjá Prufu', parent_id: id, commercial_partner_id: id };
    const jon = records.insert('res.partner', contact).id;
    if (hand === 'orders') sellIn(fake)(jon);
    else invoiceIn(fake)(jon);
    const changes = await origin.changes(null);
    expect(JSON.parse(changes.records[0]!.content)).toMatchObject({ name: 'Prufa ehf.' });
    expect(changes.records[0]!.place).toMatch(new RegExp(`model=res.partner&.*id=${String(id)}$`));
  });

  test('to a second partner with the kennitala of a customer change nothing of that one', async () => {
    const { fake, origin } = await place(['customers', 'orders']);
    fake.records.insert('res.partner', { ...PRUFA, customer_rank: 1 });
    const { id } = fake.records.insert('res.partner', { ...PRUFA, name: 'Prufa, útibú' });
    const order = sellIn(fake)(id);
    const { records } = await origin.changes(null);
    const sale = records.find(({ kind }) => kind === 'order');
    expect(sale).toMatchObject({ reference: `order ${String(order.id)}` });
    expect(JSON.parse(sale!.content)).toMatchObject({ customer: { name: 'Prufa, útibú' } });
    expect(records.filter(({ kind }) => kind === 'customer').map(({ content }) => content)).toEqual([
      expect.stringContaining('Prufa ehf.'),
    ]);
  });
});
