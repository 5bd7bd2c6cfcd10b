import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Decimal } from '../../src/domain/money.js';
import type { Journal, JournalLine } from '../../src/domain/journal.js';
import { freshKey, sale } from '../../lab/kit/conformance/journals.js';
import { onlyEntry, posted, prepared } from '../../lab/kit/conformance/conformance-case.js';
import type { ErpAdapter } from '../../src/erp/erp-adapter.js';
import { trytonAdapter } from '../../src/erp/tryton/index.js';
import { erpServices } from '../support/erp/erp-services.js';
import { CHART } from '../support/erp/sample-chart.js';
import { testReadme } from '../support/erp/test-readme.js';
import { testConformance } from '../support/erp/test-conformance.js';
import { TRYTON_COMPANY, TRYTON_CUSTOMER, TRYTON_TAXES } from '../support/erp/tryton-company.js';
import { date, TrytonRpc } from '../support/erp/tryton-rpc.js';
import {
  TRYTON_DATABASE,
  TRYTON_PASSWORD,
  TRYTON_USER,
  type TrytonServer,
} from '../support/erp/tryton-server.js';
import { has } from '../support/services.js';
import { trytonTargets } from './targets/tryton.js';

if (has('trytond')) {
  const { targets, server, stop } = trytonTargets();
  // Both modes have the connection, the answers of HTTP, files and parties in common, and a move is quicker to book than an invoice.
  const common = [
    ...['health', 'validate', 'bad-credentials', 'wrong-company', 'unreachable', 'expired-token'],
    ...['rate-limit', 'rate-limit-shared', 'server-error', 'error-body', 'html-body', 'gateway-answers'],
    ...['five-connections', 'new-party-once', 'known-party', 'unknown-dimension'],
    ...['attachment', 'attachment-twice', 'five-at-once'],
  ];
  // What stays a move among documents (in another currency, a reversal) shows there what a move is.
  const ofDocuments = [
    ...[
      'icelandic-letters',
      'number-once',
      'hostile-text',
      'two-decimals',
      'foreign-currency',
      'unknown-account',
    ],
    ...['nothing-found', 'find-by-reference', 'vat-split', 'unbalanced', 'closed-period', 'list-entries'],
  ];
  // A call takes Tryton twenty times what it takes a simulation. What our HTTP makes of a proxy's answers and how a file is sent is the
  // code of all adapters, and shown there: here `FULL=1` shows it.
  const elsewhere = [
    ...[
      'rate-limit',
      'rate-limit-shared',
      'server-error',
      'error-body',
      'html-body',
      'gateway-answers',
      'unreachable',
    ],
    ...[
      'attachment-fails',
      'attachment-lost-reply',
      'attachment-late',
      'attachment-twice',
      'prepare-has-no-effect',
    ],
    ...['two-decimals', 'hostile-text', 'unbalanced', 'reverse-twice', 'nothing-found', 'unknown-dimension'],
  ];
  // Of moves, what invoices show of the same steps.
  const asInvoices = [
    'late-arrival',
    'killed-after-post',
    'refused-then-mended',
    'same-key-twice',
    'clean-up-fails',
  ];
  for (const target of targets)
    testConformance(target, [
      ...elsewhere,
      ...(target.name === 'tryton' ? [...ofDocuments, ...asInvoices] : common),
    ]);
  testReadme('tryton', async () => {
    const { rpcUrl, url: baseUrl } = await server();
    const rpc = await TrytonRpc.login(rpcUrl, TRYTON_USER, TRYTON_PASSWORD);
    rpc.use({ company: 1 });
    const root = { name: 'Verkefni', type: 'root', state: 'opened', company: 1 };
    await rpc.create('analytic_account.account', root);
    const settings = { baseUrl, database: TRYTON_DATABASE, user: TRYTON_USER };
    const services = erpServices({ 'env:TRYTON_PASSWORD': TRYTON_PASSWORD });
    return { settings, services, close: () => Promise.resolve() };
  });
  describe('invoices in Tryton', () => testInvoices(server));
  afterAll(stop);
} else describe.skip('tryton adapter', () => test('needs trytond'));

function testInvoices(start: () => Promise<TrytonServer>): void {
  let rpc: TrytonRpc;
  let erp: ErpAdapter;
  const chart = { ...CHART, customer: { kind: 'customer' as const, ...TRYTON_CUSTOMER } };
  const coded = (journal: Journal): Journal => ({
    ...journal,
    lines: journal.lines.map((line) => (line.role === 'receivable' ? line : { ...line, vatCode: 'U24' })),
  });
  const invoice = () => coded(sale(chart, { date: '2026-05-02' }));
  const mirrored = (journal: Journal, share = '1'): Journal['lines'] =>
    journal.lines.map((line): JournalLine => ({
      ...line,
      debit: line.credit.times(share),
      credit: line.debit.times(share),
    }));
  const payment = (journal: Journal, isk: string): Journal => {
    const amount = new Decimal(isk);
    const [owed] = journal.lines;
    const zero = amount.minus(amount);
    return {
      ...journal,
      lines: [
        { account: '1910', role: 'bank', debit: amount, credit: zero, text: 'Greitt' },
        { ...owed!, debit: zero, credit: amount },
      ],
    };
  };
  const stateOf = async (key: string) => {
    const ids = await rpc.search('account.invoice', [['description', 'like', `${key}%`]]);
    const fields = ['state', 'type', 'number', 'total_amount', 'amount_to_pay'];
    const [found] = await rpc.read('account.invoice', ids, fields);
    const amount = (name: string) => new Decimal((found![name] as { decimal: string }).decimal).toFixed();
    return `${String(found!['state'])}, ${amount('amount_to_pay')} of ${amount('total_amount')} to pay`;
  };
  /** Box A, turnover at 24 %, and D, VAT on it, in the month of May. */
  const boxes = async () => {
    const periods = await rpc.search('account.period', [['start_date', '=', date('2026-05-01')]]);
    rpc.use({ periods });
    const codes = await rpc.search('account.tax.code', [['code', 'in', ['A', 'D']]]);
    const read = await rpc.read('account.tax.code', codes, ['amount']);
    return read.map(({ amount }) => (amount as { decimal: string }).decimal).join(' ');
  };

  beforeAll(async () => {
    const { rpcUrl, url: baseUrl } = await start();
    rpc = await TrytonRpc.login(rpcUrl, TRYTON_USER, TRYTON_PASSWORD);
    rpc.use({ company: 1 });
    const configuration = trytonAdapter.configuration.parse({
      ...{ baseUrl, database: TRYTON_DATABASE, user: TRYTON_USER, password: 'env:TRYTON_PASSWORD' },
      ...{ company: TRYTON_COMPANY.kennitala, books: 'documents', taxes: TRYTON_TAXES },
    });
    erp = trytonAdapter.create(configuration, erpServices({ 'env:TRYTON_PASSWORD': TRYTON_PASSWORD }));
  });
  afterAll(() => erp.close());

  test('are paid in parts, paid when nothing is left, and open again when a payment is taken back', async () => {
    const [key, journal] = [freshKey('I'), invoice()];
    await posted(erp, key, journal);
    expect(await stateOf(key)).toBe('posted, 12400 of 12400 to pay');
    await posted(erp, freshKey('S'), payment(journal, '5000'));
    expect(await stateOf(key)).toBe('posted, 7400 of 12400 to pay');
    await posted(erp, freshKey('S'), payment(journal, '7400'));
    expect(await stateOf(key)).toBe('paid, 0 of 12400 to pay');
    const taken = payment(journal, '7400');
    const lines = taken.lines.map((line) => ({ ...line, debit: line.credit, credit: line.debit }));
    await posted(erp, freshKey('S'), { ...taken, lines });
    expect(await stateOf(key)).toBe('posted, 7400 of 12400 to pay');
  });

  test('are lessened by a credit note, which is a document of its own', async () => {
    const [key, creditKey, journal] = [freshKey('I'), freshKey('I'), invoice()];
    await posted(erp, key, journal);
    const { externalReference: appliesTo } = journal;
    await posted(erp, creditKey, { ...invoice(), appliesTo, lines: mirrored(journal, '0.5') });
    expect(await stateOf(creditKey)).toBe('posted, -6200 of -6200 to pay');
    expect(await stateOf(key)).toBe('posted, 6200 of 12400 to pay');
  });

  test("are undone by a credit note that settles them and takes them out of Tryton's VAT report", async () => {
    const before = await boxes();
    const [key, reversalKey] = [freshKey('I'), freshKey('R')];
    await posted(erp, key, invoice());
    expect(await boxes()).not.toBe(before);
    const request = {
      key: reversalKey,
      original: await onlyEntry(erp, key),
      date: '2026-05-03',
      reason: 'Röng',
    };
    expect(await erp.reverse(request)).toMatchObject({ outcome: 'posted' });
    expect(await boxes()).toBe(before);
    expect(await stateOf(key)).toBe('paid, 0 of 12400 to pay');
    expect(await stateOf(reversalKey)).toBe('paid, 0 of -12400 to pay');
    expect(await onlyEntry(erp, key)).toMatchObject({ reversed: true });
  });

  test('that a bookkeeper credits in Tryton are undone, and the credit note is not taken for ours', async () => {
    const key = freshKey('I');
    await posted(erp, key, invoice());
    const [id] = await rpc.search('account.invoice', [['description', 'like', `${key}%`]]);
    const [wizard] = (await rpc.call('wizard.account.invoice.credit.create')) as [number];
    rpc.use({ active_model: 'account.invoice', active_id: id, active_ids: [id] });
    const start = { with_refund: false, with_refund_allowed: true, invoice_date: date('2026-05-04') };
    await rpc.call('wizard.account.invoice.credit.execute', wizard, { start }, 'credit');
    const [credit] = await rpc.search('account.invoice', [
      ['description', 'like', `${key}%`],
      ['id', '!=', id],
    ]);
    expect(await onlyEntry(erp, key)).not.toHaveProperty('reversed');
    await rpc.call('model.account.invoice.write', [credit], { number: 'KR-1' });
    await rpc.call('model.account.invoice.post', [credit]);
    expect(await onlyEntry(erp, key)).toMatchObject({ state: 'posted', reversed: true });
  });

  test('are refused for a party without an address, with words that say what to do', async () => {
    const identifiers = [['create', [{ type: null, code: '4604013150' }]]];
    await rpc.create('party.party', { name: 'Heimilislaus ehf.', identifiers });
    const customer = { kind: 'customer' as const, kennitala: '4604013150', name: 'Heimilislaus ehf.' };
    const outcome = await erp.prepare({ key: freshKey(), journal: sale(chart, { customer }) });
    expect(outcome).toMatchObject({ outcome: 'rejected', code: 'unknown-party', party: '4604013150' });
    expect(outcome).toHaveProperty('message', expect.stringContaining('has no address in Tryton'));
  });

  test('are plain moves where a line is on an account that Tryton allows on no invoice', async () => {
    const later = { ...sale(chart, { revenueAccount: '2590' }) };
    expect(JSON.parse((await prepared(erp, freshKey(), later)).request)).toHaveProperty('move');
    expect(JSON.parse((await prepared(erp, freshKey(), invoice())).request)).toHaveProperty('invoice');
  });
}
