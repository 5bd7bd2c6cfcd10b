// An Odoo with a company in it, and the configuration that fits.
import { CURRENCY_CODES, currencyDecimals } from '../../../src/domain/money.js';
import { FAKE_CHART, LOCKED_UNTIL, OPEN_ACCOUNTS } from './fake-chart.js';
import { OdooFake } from './odoo-fake.js';
import { OdooRecords } from './odoo-records.js';

export const ODOO_KEY = '6578616d706c65206a736f6e20617069206b6579';
export const ODOO_COMPANY = '5501012340';

const MODELS: Readonly<Record<string, readonly string[]>> = {
  'res.currency': ['name', 'decimal_places'],
  'res.company': [
    ...['name', 'vat', 'company_registry', 'currency_id'],
    ...['fiscalyear_lock_date', 'tax_lock_date', 'hard_lock_date'],
  ],
  'account.journal': ['name', 'code', 'company_id'],
  'account.account': ['name', 'code', 'tax_ids', 'deprecated', 'reconcile', 'company_id'],
  'account.tax': [
    ...['name', 'type_tax_use', 'amount', 'account_id', 'company_id', 'amount_type', 'price_include'],
  ],
  'product.product': [
    ...['name', 'default_code', 'lst_price', 'uom_id', 'taxes_id', 'sale_ok', 'active', 'write_date'],
  ],
  'uom.uom': ['name'],
  'res.lang': ['code', 'name'],
  'mail.message': ['model', 'res_id', 'body'],
  'account.analytic.plan': ['name'],
  'account.analytic.account': ['name', 'code', 'plan_id'],
  'res.partner': [
    ...['name', 'vat', 'company_registry', 'is_company', 'parent_id', 'active'],
    ...['street', 'zip', 'city', 'email', 'phone', 'lang', 'customer_rank', 'write_date'],
    'commercial_partner_id',
  ],
  'account.move': [
    ...['name', 'ref', 'state', 'date', 'move_type', 'journal_id', 'reversed_entry_id', 'company_id'],
    ...['partner_id', 'invoice_date', 'invoice_date_due', 'payment_reference', 'invoice_origin'],
    ...['currency_id', 'amount_total', 'narration', 'write_date'],
  ],
  'account.move.line': [
    ...['move_id', 'account_id', 'partner_id', 'currency_id', 'name', 'debit', 'credit'],
    ...['amount_currency', 'date_maturity', 'analytic_distribution', 'display_type', 'reconciled'],
    ...['quantity', 'price_unit', 'discount', 'price_subtotal', 'tax_ids', 'product_id', 'product_uom_id'],
  ],
  'sale.order': [
    ...['name', 'client_order_ref', 'state', 'partner_id', 'currency_id', 'company_id', 'amount_total'],
    ...['date_order', 'commitment_date', 'write_date'],
  ],
  // The names that Odoo 19 has; what it has under others is refused.
  'sale.order.line': [
    ...['order_id', 'name', 'product_uom_qty', 'price_unit', 'discount', 'price_subtotal', 'product_id'],
    ...['display_type', 'company_id', 'tax_ids', 'product_uom_id'],
  ],
  'account.partial.reconcile': ['debit_move_id', 'credit_move_id', 'amount'],
  'ir.attachment': [
    ...['name', 'mimetype', 'datas', 'checksum', 'res_model', 'res_id', 'res_field', 'type', 'file_size'],
  ],
};

export function odooBooks(options: { readonly iskDecimals?: number } = {}): OdooFake {
  const records = new OdooRecords();
  for (const [model, fields] of Object.entries(MODELS)) records.define(model, fields);
  records.define('ir.model.data', ['module', 'name', 'model', 'res_id', 'noupdate'], ['module', 'name']);
  const isk = records.insert('res.currency', { name: 'ISK', decimal_places: options.iskDecimals ?? 2 });
  for (const name of CURRENCY_CODES.filter((code) => code !== 'ISK'))
    records.insert('res.currency', { name, decimal_places: currencyDecimals(name) });
  const company = records.insert('res.company', {
    name: 'Prufufélagið ehf.',
    company_registry: ODOO_COMPANY,
    currency_id: isk.id,
    fiscalyear_lock_date: LOCKED_UNTIL,
  });
  // The user belongs to two companies that have the same codes; whoever forgets to say which gets the wrong one.
  const sister = records.insert('res.company', {
    name: 'Systurfélagið ehf.',
    company_registry: '551234-5670',
    currency_id: isk.id,
    fiscalyear_lock_date: '2026-12-31',
  });
  for (const { id } of [sister, company]) {
    for (const code of ['EINV', 'INV', 'BILL'])
      records.insert('account.journal', { name: code, code, company_id: id });
  }
  for (const { id } of [company, sister]) addAccounts(records, id);
  const plan = records.insert('account.analytic.plan', { name: 'Kostnaðarstaðir' });
  records.insert('account.analytic.account', { name: 'Reykjavík', code: 'RVK', plan_id: plan.id });
  const { customer, supplier } = FAKE_CHART;
  const parent = records.insert('res.partner', { name: customer.name, company_registry: customer.kennitala });
  // A contact of the company shares its number, as Odoo copies it; it must not count as a second partner.
  records.insert('res.partner', {
    name: 'Jón hjá fyrirtækinu',
    company_registry: customer.kennitala,
    parent_id: parent.id,
  });
  records.insert('res.partner', { name: supplier.name, vat: `IS${supplier.kennitala}` });
  return new OdooFake(records, { database: 'prufa', user: 'bot@example.is', apiKey: ODOO_KEY });
}

function addAccounts(records: OdooRecords, company: number): void {
  const { revenue, expense } = FAKE_CHART.taxed;
  const ids = new Map<string, number>();
  for (const code of [...OPEN_ACCOUNTS, revenue, expense]) {
    const account = records.insert('account.account', {
      name: `Reikningur ${code}`,
      code,
      tax_ids: code === '3000' ? [1] : false,
      reconcile: code === FAKE_CHART.receivable || code === FAKE_CHART.payable,
      company_id: company,
    });
    ids.set(code, account.id);
  }
  // As in every localisation, the tax on sales and the one on purchases have the same name.
  const uses = [
    ['sale', FAKE_CHART.vatOut],
    ['purchase', FAKE_CHART.vatIn],
  ] as const;
  for (const [use, code] of uses)
    records.insert('account.tax', {
      ...{ name: '24%', type_tax_use: use, amount: 24, amount_type: 'percent' },
      ...{ account_id: ids.get(code), company_id: company },
    });
}

export function odooSettings(origin: string, overrides: Record<string, unknown> = {}) {
  return {
    url: origin,
    database: 'prufa',
    apiKey: 'env:ODOO_KEY',
    company: ODOO_COMPANY,
    dimensions: { [FAKE_CHART.dimension.name]: 'Kostnaðarstaðir' },
    taxes: { [FAKE_CHART.taxed.codeOut]: 'sale/24%', [FAKE_CHART.taxed.codeIn]: 'purchase/24%' },
    partners: { create: true },
    deadlineMs: 5_000,
    ...overrides,
  };
}
