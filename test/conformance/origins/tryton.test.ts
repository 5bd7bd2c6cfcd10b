// A real trytond, held to what the port of origins promises.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OriginCase, OriginTarget } from '../../../src/origins/conformance/target.js';
import { ORIGIN_CASES, runOriginCase } from '../../../src/origins/conformance/run-origin-case.js';
import { TRYTON_TAXES } from '../../support/erp/tryton-company.js';
import { createCustomer } from '../../support/erp/tryton-sales.js';
import { TRYTON_PASSWORD } from '../../support/erp/tryton-server.js';
import { erpServices } from '../../support/erp/erp-services.js';
import { findMissing } from '../../../src/erp/origins.js';
import { erpSettings } from '../../../src/origins/origin-settings.js';
import { has } from '../../support/services.js';
import { contentIn } from './records.js';
import { trytonPlace, type TrytonPlace } from './tryton-beds.js';

describe.skipIf(!has('trytond-sales'))('Tryton as an origin', () => {
  let place: TrytonPlace;
  beforeAll(async () => {
    place = await trytonPlace();
  }, 240_000);
  afterAll(() => place.stop());

  const passes = async (target: OriginTarget, each: OriginCase) => {
    const { result, detail } = await runOriginCase(target, each);
    expect(result, detail).not.toBe('failed');
  };

  // What is not Tryton's own (reading page by page, keeping what cannot be read) is the code of all ERPs, and shown with Odoo, a hundred
  // times as quick; `FULL=1` shows it here as well.
  const isFull = process.env['FULL'] === '1';
  const own = ['lists-new', 'well-formed', 'changed', 'told-created', 'told-is-no-change', 'read-one'];
  const more = [
    'not-again',
    'again-after-crash',
    'bad-mended',
    'removed',
    'told-twice',
    'outage-is-not-empty',
    'named-files',
    'named-file-changed',
  ];
  const casesOf = (ids: readonly string[]) => ORIGIN_CASES.filter(({ id }) => isFull || ids.includes(id));
  const ofParties = casesOf(own).filter(({ id }) => own.includes(id) || id === 'tell-gone' || id === 'empty');
  const ofInvoices = casesOf([...own, ...more]);
  test.each(ofParties.map((each) => [each.title, each] as const))('of customers: %s', (_title, each) =>
    passes(place.customers, each),
  );

  test.each(casesOf([...own, 'bad-mended']).map((each) => [each.title, each] as const))(
    'of items: %s',
    (_title, each) => passes(place.items, each),
  );

  test.each(ofInvoices.map((each) => [each.title, each] as const))('of invoices: %s', (_title, each) =>
    passes(place.invoices, each),
  );

  test.each(casesOf([...own, 'told-twice']).map((each) => [each.title, each] as const))(
    'of orders: %s',
    (_title, each) => passes(place.orders, each),
  );

  const ofQuotes = casesOf(['lists-new', 'changed', 'told-created', 'read-one', 'removed', 'bad-mended']);
  test.each(ofQuotes.map((each) => [each.title, each] as const))('of quotes: %s', (_title, each) =>
    passes(place.quotes, each),
  );

  const TAXED = { description: 'Ráðgjöf', quantity: 2, unitPrice: '1000', tax: TRYTON_TAXES.U24 };
  const customer = (kennitala: string, name: string) =>
    createCustomer(place.desk.rpc, { name, kennitala, email: 'a@b.is' });

  test('a quotation without a date is of the day that it was made, and is none any more when it is confirmed', async () => {
    const { desk } = place;
    const today = new Date().toISOString().slice(0, 10);
    const party = await customer('4909050120', 'Tilboð ehf.');
    const plain = await desk.sellable(null);
    const lines = [
      { ...TAXED, ...plain },
      { ...TAXED, ...(await desk.sellable('V-9')), quantity: 3 },
    ];
    const sale = { party, day: null, description: 'Vinna', lines };
    const id = await desk.order(sale, 'quote');
    const reference = `quote ${String(id)}`;
    const [{ number } = {}] = await desk.rpc.read('sale.sale', [id], ['number']);
    const origin = place.origin(['orders', 'quotes'], today);
    const record = await origin.read('quote', reference);
    const line = { description: 'Ráðgjöf', unit_price: '1000', tax: 'S', uom: 'C62' };
    expect(JSON.parse(contentIn(record))).toEqual({
      ...{ customer: { kennitala: '4909050120' }, currency: 'ISK', issue_date: today },
      description: `${String(number)} Vinna`,
      lines: [
        { ...line, item_number: `product ${String(plain.product)}`, qty: '2' },
        { ...line, item_number: 'V-9', qty: '3' },
      ],
    });
    expect(record).not.toHaveProperty('booked');
    const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1_000).toISOString().slice(0, 10);
    expect(await place.origin(['quotes'], tomorrow).read('quote', reference)).toBeNull();
    await desk.rpc.call('model.sale.sale.confirm', [id]);
    expect(await origin.read('quote', reference)).toBeNull();
    expect(await origin.read('order', `order ${String(id)}`)).toMatchObject({ kind: 'order' });
  });

  test('that makes invoices of its sales itself is warned of, where orders are to become invoices here', async () => {
    const services = () => erpServices({ 'env:TRYTON_PASSWORD': TRYTON_PASSWORD });
    const { settings, desk } = place;
    const look = (orders: 'invoice' | 'order') => {
      const wish = { name: 'erp', type: 'erp', hands: ['orders'], since: '2026-01-01', orders };
      return findMissing(erpSettings.parse(wish), { adapter: 'tryton', settings, services });
    };
    const set = (method: string) =>
      desk.rpc.call('model.sale.configuration.write', [1], { sale_invoice_method: method });
    // As it comes, and nobody has saved anything.
    const [found, ...others] = await look('invoice');
    expect(found).toMatchObject({ severity: 'warning', said: { code: 'SALES_INVOICED_TOO' } });
    expect([found?.message, others]).toEqual([expect.stringContaining('invoice method `order`'), []]);
    expect(await look('order')).toEqual([]);
    await set('manual');
    expect(await look('invoice')).toEqual([]);
    await set('shipment');
    expect(await look('invoice')).toMatchObject([{ severity: 'warning' }]);
    await set('order');
  });

  test('two parties with one kennitala speak for neither, and what was sold to either goes out', async () => {
    const { desk } = place;
    const day = '2026-10-01';
    const [first, second] = [
      await customer('6201012660', 'Tvíburi ehf.'),
      await customer('620101-2660', 'Tvíburi, útibú'),
    ];
    const invoice = await desk.validated({ party: second, day, lines: [TAXED] });
    const origin = place.origin(['customers', 'invoices'], day);
    const { records, problems, cursor } = await origin.changes(null);
    expect(records.filter(({ reference }) => reference === '6201012660')).toEqual([]);
    const sale = records.find(({ reference }) => reference === `invoice ${String(invoice)}`);
    expect(JSON.parse(sale!.content)).toMatchObject({
      customer: { kennitala: '6201012660', name: 'Tvíburi, útibú' },
    });
    const named = problems.filter(({ said }) => said?.code === 'KENNITALA_SHARED');
    expect(named.map(({ place: at }) => Number(at.split('/').at(-1)))).toEqual([first, second]);
    for (const { problem } of named) expect(problem).toMatch(/Tvíburi ehf\. \(.+\), Tvíburi, útibú \(.+\)/);
    // Somebody has mended it: nothing of the other party has changed.
    await desk.rpc.call('model.party.party.write', [second], { active: false });
    const mended = await origin.changes(cursor);
    expect(mended.problems.filter(({ said }) => said?.code === 'KENNITALA_SHARED')).toEqual([]);
    expect(mended.records.map(({ kind, reference }) => [kind, reference])).toContainEqual([
      ...['customer', '6201012660'],
    ]);
  });
});
