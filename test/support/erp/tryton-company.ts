// A demo company in an empty Tryton: every currency of the source, ISK with two decimals, 2025 closed, 2026 open, the accounts of
// the bridge's own rules, taxes with the boxes of a VAT return, one analytic axis, a customer and a supplier.
import { CURRENCY_CODES, currencyDecimals } from '../../../src/domain/money.js';
import { date, dec, TrytonRpc } from './tryton-rpc.js';

export const TRYTON_COMPANY = { name: 'Fjörður ehf.', kennitala: '4504013150' };
export const TRYTON_CUSTOMER = { name: 'Hraun ehf.', kennitala: '5402696029' };
export const TRYTON_SUPPLIER = { name: 'Þjónusta ehf.', kennitala: '5501012420' };
export const TRYTON_AXIS = 'Kostnaðarstaður';
export const TRYTON_PLACES = ['Reykjavík', 'Akureyri', 'Ísafjörður'];

/** VAT code of the bridge's own rules → name of the tax. */
export const TRYTON_TAXES = {
  U24: 'Útskattur 24%',
  U11: 'Útskattur 11%',
  U0: 'Undanþegið',
  UX: 'Útflutningur',
  I24: 'Innskattur 24%',
  I11: 'Innskattur 11%',
  RC24: 'Erlend þjónusta 24%',
};

/** Accounts whose lines carry a kennitala. */
const PARTY_ACCOUNTS = ['1500', '2410'];

const ACCOUNTS =
  '1120 1500 1520 1600 1601 1603 1900 1910 1930 1940 2410 2430 2440 2500 2501 2502 2590 2600 2610 2620 3000 3010 3020 3025 3090 3095 4000 4005 4050 4100 5000 5030 5110 5120 6000 6050 6100 6130 6300 6400 6500 6520 6710 6715 6720 6750 6900 8000 8010 8030 8050 8100 8130 9900'.split(
    ' ',
  );

export async function setUpCompany(url: string, password: string): Promise<void> {
  const rpc = await TrytonRpc.login(url, 'admin', password);
  const isk = await rpc.create('currency.currency', currency('Icelandic krona', 'ISK', '352', '1'));
  const others = CURRENCY_CODES.filter((each) => each !== 'ISK');
  await rpc.createAll(
    'currency.currency',
    others.map((code, index) => currency(code, code, String(600 + index), '0.01')),
  );
  const party = await createParty(rpc, TRYTON_COMPANY);
  const company = await rpc.create('company.company', { party, currency: isk });
  const [admin] = await rpc.search('res.user', [['login', '=', 'admin']]);
  await rpc.call('model.res.user.write', [admin], { companies: [['add', [company]]], company });
  rpc.use({ company });
  await fiscalYear(rpc, company, '2025');
  await fiscalYear(rpc, company, '2026');
  await createAccounts(rpc, company);
  await createTaxes(rpc, company);
  await createAxis(rpc, company);
  await shortenPrints(rpc);
  await createParty(rpc, TRYTON_CUSTOMER);
  await createParty(rpc, TRYTON_SUPPLIER);
  const closing = await rpc.search('account.period', [['end_date', '<', date('2026-01-01')]]);
  await rpc.call('model.account.period.close', closing);
}

/** Tryton prints an invoice when it posts it, and a page takes longer to make than all else: here it is a word. */
async function shortenPrints(rpc: TrytonRpc): Promise<void> {
  const ids = await rpc.search('ir.action.report', [['report_name', '=', 'account.invoice']]);
  const content = { __class__: 'bytes', base64: Buffer.from('Reikningur').toString('base64') };
  const short = { template_extension: 'txt', report_content_custom: content };
  await rpc.call('model.ir.action.report.write', ids, short);
}

function currency(name: string, code: string, numeric: string, rate: string): Record<string, unknown> {
  const rates = [['create', [{ date: date('2020-01-01'), rate: dec(rate) }]]];
  // Krónur have aurar here, so that amounts with two decimals can be booked.
  const digits = code === 'ISK' ? 2 : currencyDecimals(code);
  const rounding = dec(digits === 0 ? '1' : '0.01');
  return { name, code, numeric_code: numeric, symbol: code, digits, rounding, rates };
}

async function createParty(rpc: TrytonRpc, who: { name: string; kennitala: string }): Promise<number> {
  return rpc.create('party.party', {
    name: who.name,
    identifiers: [['create', [{ type: null, code: who.kennitala }]]],
    addresses: [['create', [{ city: 'Reykjavík' }]]],
  });
}

async function fiscalYear(rpc: TrytonRpc, company: number, year: string): Promise<void> {
  const [type] = await rpc.search('ir.sequence.type', [['name', '=', 'Account Move']]);
  const sequence = await rpc.create('ir.sequence', {
    name: year,
    sequence_type: type,
    company,
    prefix: `${year}-`,
  });
  const id = await rpc.create('account.fiscalyear', {
    name: year,
    start_date: date(`${year}-01-01`),
    end_date: date(`${year}-12-31`),
    company,
    post_move_sequence: sequence,
    // Invoices keep the numbers that they have at the source, so no sequence gives them others.
    invoice_sequences: [],
  });
  await rpc.call('model.account.fiscalyear.create_period', [id]);
}

async function createAccounts(rpc: TrytonRpc, company: number): Promise<void> {
  const types = {
    receivable: await rpc.create(
      'account.account.type',
      type(company, 'Receivable', { receivable: true, assets: true }),
    ),
    payable: await rpc.create('account.account.type', type(company, 'Payable', { payable: true })),
    asset: await rpc.create('account.account.type', type(company, 'Assets', { assets: true })),
    liability: await rpc.create('account.account.type', type(company, 'Liabilities', {})),
    revenue: await rpc.create(
      'account.account.type',
      type(company, 'Revenue', { revenue: true, statement: 'income' }),
    ),
    expense: await rpc.create(
      'account.account.type',
      type(company, 'Expense', { expense: true, statement: 'income' }),
    ),
    rounding: await rpc.create(
      'account.account.type',
      type(company, 'Rounding', { expense: true, revenue: true, statement: 'income' }),
    ),
  };
  const accounts = ACCOUNTS.map((code) => {
    const withParty = PARTY_ACCOUNTS.includes(code);
    return {
      code,
      name: `Reikningur ${code}`,
      type: types[typeOf(code)],
      company,
      party_required: withParty,
      reconcile: withParty,
    };
  });
  await rpc.createAll('account.account', accounts);
}

function type(company: number, name: string, more: Record<string, unknown>): Record<string, unknown> {
  return { name, company, statement: 'balance', ...more };
}

function typeOf(
  code: string,
): 'receivable' | 'payable' | 'asset' | 'liability' | 'revenue' | 'expense' | 'rounding' {
  if (code === '9900') return 'rounding';
  if (code === '1500') return 'receivable';
  if (code === '2410') return 'payable';
  if (code.startsWith('1')) return 'asset';
  if (code.startsWith('2')) return 'liability';
  return /^[38]/.test(code) ? 'revenue' : 'expense';
}

/** Taxes and the boxes of a return: turnover at 24 % (A) and 11 % (B), output tax (D) and input tax (E). */
async function createTaxes(rpc: TrytonRpc, company: number): Promise<void> {
  const tax = async (name: string, rate: string, account: string, more: Record<string, unknown> = {}) => {
    const [id] = await rpc.search('account.account', [['code', '=', account]]);
    const accounts = { invoice_account: id, credit_note_account: id };
    const kind = { type: 'percentage', rate: dec(rate) };
    return rpc.create('account.tax', { name, description: name, company, ...kind, ...accounts, ...more });
  };
  const u24 = await tax(TRYTON_TAXES.U24, '0.24', '2500');
  const u11 = await tax(TRYTON_TAXES.U11, '0.11', '2501');
  await tax(TRYTON_TAXES.U0, '0', '2500');
  await tax(TRYTON_TAXES.UX, '0', '2500');
  const i24 = await tax(TRYTON_TAXES.I24, '0.24', '1600');
  const i11 = await tax(TRYTON_TAXES.I11, '0.11', '1601');
  const abroad = { name: TRYTON_TAXES.RC24, description: TRYTON_TAXES.RC24, type: 'none', company };
  const parent = await rpc.create('account.tax', abroad);
  const back = await tax(`${abroad.name} til frádráttar`, '0.24', '1603', { parent });
  const owed = await tax(`${abroad.name} til greiðslu`, '-0.24', '2502', { parent });
  // A tax of less than nothing counts as credit where others count as invoice.
  const line = (id: number, amount: 'base' | 'tax', counts: '+' | '-' = '+') =>
    ['invoice', 'credit'].map((type) => ({
      ...{ tax: id, amount, type },
      operator: (type === 'invoice') === (counts === '+') ? '+' : '-',
    }));
  const boxes = {
    A: line(u24, 'base'),
    B: line(u11, 'base'),
    D: [...line(u24, 'tax'), ...line(u11, 'tax'), ...line(owed, 'tax', '-')],
    E: [...line(i24, 'tax'), ...line(i11, 'tax'), ...line(back, 'tax')],
  };
  for (const [code, lines] of Object.entries(boxes))
    await rpc.create('account.tax.code', { code, name: code, company, lines: [['create', lines]] });
}

async function createAxis(rpc: TrytonRpc, company: number): Promise<void> {
  const root = await rpc.create('analytic_account.account', {
    name: TRYTON_AXIS,
    type: 'root',
    state: 'opened',
    company,
  });
  const place = { type: 'normal', state: 'opened', company, root, parent: root };
  await rpc.createAll(
    'analytic_account.account',
    TRYTON_PLACES.map((name) => ({ name, ...place })),
  );
}
