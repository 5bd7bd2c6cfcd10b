// Orders and quotations of a simulated Odoo. A quotation is the order that it becomes.
import { TELLING_TEXT } from '../../../src/origins/conformance/target.js';
import { ODOO_COMPANY } from '../../support/fakes/odoo-books.js';
import type { OdooFake } from '../../support/fakes/odoo-fake.js';
import { kennitalaOf } from './records.js';

const NOW = { write_date: '2026-11-16 12:00:00' };
const STATES = { order: 'sale', quote: 'sent' } as const;

export interface OrderLine {
  readonly [field: string]: unknown;
}

/** Sells, in the company of the settings. `taxField`: as the version of Odoo calls it. */
export function sellIn({ records }: OdooFake, taxField = 'tax_ids') {
  const [company] = records.search('res.company', [['company_registry', '=', ODOO_COMPANY]]);
  const [isk] = records.search('res.currency', [['name', '=', 'ISK']]);
  const [tax] = records.search('account.tax', [
    ['type_tax_use', '=', 'sale'],
    ['company_id', '=', company!.id],
  ]);
  const product = records.insert('product.product', { name: 'Vara', default_code: 'A-1', lst_price: 1_000 });
  const in_ = { company_id: company!.id };
  return (partner_id: number, more: Record<string, unknown> = {}, lines: readonly OrderLine[] = [{}]) => {
    const order = records.insert('sale.order', {
      ...{ name: 'S00001', state: 'sale', partner_id, currency_id: isk!.id, amount_total: 2_480 },
      ...{ ...in_, date_order: '2026-03-01 23:30:00', ...NOW, ...more },
    });
    for (const line of lines)
      records.insert('sale.order.line', {
        ...{ order_id: order.id, name: TELLING_TEXT, product_uom_qty: 2, price_unit: 1_000, discount: 0 },
        ...{ price_subtotal: 2_000, product_id: product.id, [taxField]: [tax!.id], ...in_, ...line },
      });
    return order;
  };
}

export function orders(fake: OdooFake, stage: keyof typeof STATES) {
  const { records } = fake;
  const sell = sellIn(fake);
  const state = STATES[stage];
  const partner = (company_registry: string) =>
    records.insert('res.partner', { name: 'Prufa ehf.', company_registry, ...NOW }).id;
  // Nothing was invoiced yet, so it has no rank.
  const good = partner('6503760649');
  const ids = new Map<number, number>();
  const bad = { partner: 0 };
  return {
    put: (record: number, version: 1 | 2 = 1) => {
      const id = ids.get(record) ?? sell(good, { state }).id;
      ids.set(record, id);
      if (version === 2) records.byId('sale.order', id)['client_order_ref'] = 'Önnur';
      return Promise.resolve(`${stage} ${String(id)}`);
    },
    touch: (record: number) =>
      Promise.resolve(void Object.assign(records.byId('sale.order', ids.get(record)!), NOW)),
    // People cancel an order; Odoo keeps it.
    remove: (record: number) =>
      Promise.resolve(void (records.byId('sale.order', ids.get(record)!)['state'] = 'cancel')),
    putBad: () => {
      bad.partner = partner('');
      sell(bad.partner, { state });
      return Promise.resolve();
    },
    // What is wrong is not in the order: nothing of it changes.
    mendBad: () => {
      records.byId('res.partner', bad.partner)['company_registry'] = kennitalaOf(99);
      return Promise.resolve();
    },
  };
}
