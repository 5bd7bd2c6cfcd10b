import { afterEach, describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/domain/money.js';
import type { Journal, JournalLine } from '../../../src/domain/journal.js';
import { businessCentralAdapter } from '../../../src/erp/business-central/index.js';
import {
  foreignSale,
  freshKey,
  grossPurchase,
  grossSale,
  purchase,
  sale,
} from '../../../lab/kit/conformance/journals.js';
import type { ErpAdapter, ErpServices } from '../../../src/erp/erp-adapter.js';
import {
  BC_DOCUMENTS,
  BC_SECRET,
  businessCentralBooks,
  businessCentralSettings,
  partner,
} from '../../support/fakes/business-central-books.js';
import { FAKE_CHART } from '../../support/fakes/fake-chart.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { fakeServices } from '../../support/fakes/fake-services.js';
import { mirrored, paymentOf } from '../../support/fakes/sample-journals.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function connected(settings: Record<string, unknown> = {}, more: Partial<ErpServices> = {}) {
  const fake = businessCentralBooks();
  const server = await new FakeServer(fake).start();
  const whole = businessCentralSettings(server.origin, { ...BC_DOCUMENTS, ...settings });
  const configuration = businessCentralAdapter.configuration.parse(whole);
  const services = { ...fakeServices({ 'env:BC_SECRET': BC_SECRET }), ...more };
  closers.push(() => server.stop());
  const another = () => {
    const connection = businessCentralAdapter.create(configuration, services);
    closers.push(() => connection.close());
    return connection;
  };
  const documentsOf = (key: string) =>
    fake.documents.rows.filter(({ head }) =>
      Object.values(head).some((value) => String(value).endsWith(` ${key}`)),
    );
  return { adapter: another(), another, fake, server, documentsOf, ledger: fake.ledger };
}

async function prepared(adapter: ErpAdapter, journal: Journal, key: string) {
  const outcome = await adapter.prepare({ key, journal });
  if (outcome.outcome !== 'prepared') throw new Error(JSON.stringify(outcome));
  return outcome.prepared;
}

async function post(adapter: ErpAdapter, journal: Journal, key = freshKey()): Promise<string> {
  expect(await adapter.post(await prepared(adapter, journal, key))).toMatchObject({ outcome: 'posted' });
  return key;
}

/** Two items on one account, which Business Central makes one ledger entry of. */
function twoItems(): Journal {
  const journal = sale(FAKE_CHART);
  const [owed, item, vat] = journal.lines as [JournalLine, JournalLine, JournalLine];
  const half = { ...item, credit: item.credit.div(2) };
  return { ...journal, lines: [owed, half, { ...half, text: 'Annar liður' }, vat] };
}

describe('Business Central with documents', () => {
  it('makes a sales invoice with customer, dates and its own number, and our key behind it', async () => {
    const { adapter, documentsOf } = await connected();
    const journal = { ...sale(FAKE_CHART), documentDate: '2026-03-14' };
    const key = await post(adapter, journal);
    expect(documentsOf(key)).toMatchObject([
      {
        set: 'salesInvoices',
        status: 'Open',
        currencyCode: '',
        head: {
          customerNumber: FAKE_CHART.customer.kennitala,
          externalDocumentNumber: `${journal.documentNo} ${key}`,
          invoiceDate: '2026-03-14',
          postingDate: FAKE_CHART.openDate,
          dueDate: FAKE_CHART.openDate,
        },
      },
    ]);
    const [document] = documentsOf(key);
    expect(await adapter.findByReference(document?.number ?? '')).toMatchObject({
      outcome: 'one',
      entry: { key, state: 'posted', reference: { number: document?.number } },
    });
  });

  it('makes purchase invoices, credit memos of both kinds, and journals of everything else', async () => {
    const { adapter, documentsOf, ledger } = await connected();
    const setOf = async (journal: Journal) => documentsOf(await post(adapter, journal))[0]?.set;
    const note = { documentNo: 'KR-1', externalReference: 'kr-1', appliesTo: 'no such invoice' };
    expect(await setOf(purchase(FAKE_CHART))).toBe('purchaseInvoices');
    expect(await setOf(mirrored(purchase(FAKE_CHART), note))).toBe('purchaseCreditMemos');
    expect(await setOf(mirrored(sale(FAKE_CHART), note))).toBe('salesCreditMemos');
    const key = await post(adapter, paymentOf(sale(FAKE_CHART)));
    expect(documentsOf(key)).toEqual([]);
    expect(ledger.entries.filter(({ documentNumber }) => documentNumber === key)).toHaveLength(2);
  });

  it('reads every line back where the ledger has those of one account in one entry', async () => {
    const { adapter, ledger } = await connected();
    const key = await post(adapter, twoItems());
    expect(ledger.entries.filter(({ accountNumber }) => accountNumber === FAKE_CHART.revenue)).toHaveLength(
      1,
    );
    const found = await adapter.findByKey(key);
    expect(found.outcome === 'one' && found.entry.lines.map(({ account }) => account)).toEqual([
      FAKE_CHART.receivable,
      ...[FAKE_CHART.revenue, FAKE_CHART.revenue, FAKE_CHART.vatOut],
    ]);
  });

  it('believes the ledger where it says something else than the document', async () => {
    const { adapter, ledger } = await connected();
    const journal = sale(FAKE_CHART);
    const key = await post(adapter, journal);
    const at = ledger.entries.findIndex(({ accountNumber }) => accountNumber === FAKE_CHART.receivable);
    ledger.entries.splice(at, 1, { ...ledger.entries[at]!, accountNumber: '1510' });
    const again = await adapter.post(await prepared(adapter, journal, key));
    expect(again).toMatchObject({ outcome: 'rejected', code: 'collision' });
  });

  it('closes an invoice by its credit memo, as far as it is open', async () => {
    const { adapter, documentsOf } = await connected();
    const journal = sale(FAKE_CHART);
    const invoice = await post(adapter, journal);
    const note = { externalReference: 'kr-2', appliesTo: journal.externalReference };
    const credit = await post(adapter, mirrored(journal, { ...note, documentNo: 'KR-2' }));
    const statuses = [...documentsOf(invoice), ...documentsOf(credit)].map(({ status }) => status);
    expect(statuses).toEqual(['Paid', 'Paid']);
    const late = await post(adapter, mirrored(journal, { ...note, documentNo: 'KR-3' }));
    expect(documentsOf(late)).toMatchObject([{ status: 'Open', invoiceId: '' }]);
  });

  it("closes a bill by the credit memo that names it, by the vendor's whole number and the vendor", async () => {
    const { adapter, documentsOf } = await connected();
    const long = 'REIKNINGUR-2026-000123';
    const bill = { ...purchase(FAKE_CHART), documentNo: long };
    // Cut to the length of a mark, the two have the same number.
    const neighbour = await post(adapter, { ...purchase(FAKE_CHART), documentNo: 'REIKNINGUR-2026-000124' });
    const key = await post(adapter, bill);
    const note = { documentNo: 'KR-5', externalReference: 'kr-5', appliesToNo: long };
    const credit = await post(adapter, mirrored(bill, note));
    const statuses = [key, credit, neighbour].map((each) => documentsOf(each)[0]?.status);
    expect(statuses).toEqual(['Paid', 'Paid', 'Open']);
    const other = { ...mirrored(bill, { ...note, documentNo: 'KR-6', appliesToNo: 'REIKNINGUR-2026' }) };
    expect(documentsOf(await post(adapter, other))).toMatchObject([{ status: 'Open', invoiceId: '' }]);
    const larger = await post(adapter, { ...purchase(FAKE_CHART), documentNo: 'F-9' });
    const twice = mirrored(bill, { ...note, documentNo: 'KR-7', appliesToNo: 'F-9' });
    const doubled = twice.lines.map((line) => ({
      ...line,
      debit: line.debit.times(2),
      credit: line.credit.times(2),
    }));
    expect(documentsOf(await post(adapter, { ...twice, lines: doubled }))).toMatchObject([{ invoiceId: '' }]);
    expect(documentsOf(larger)).toMatchObject([{ status: 'Open' }]);
  });

  it('books a credit memo all the same where it cannot be applied, and says so', async () => {
    const warnings: string[] = [];
    const warn = (_facts: unknown, message: string) => void warnings.push(message);
    const { adapter, fake } = await connected({}, { log: { debug: () => undefined, warn } });
    const journal = sale(FAKE_CHART);
    await post(adapter, journal);
    const answer = fake.answer.bind(fake);
    fake.answer = (request) => (request.method === 'PATCH' ? { status: 503 } : answer(request));
    await post(adapter, mirrored(journal, { documentNo: 'KR-4', appliesTo: journal.externalReference }));
    expect(warnings).toEqual([expect.stringContaining('not applied in Business Central')]);
  });

  it('lets Business Central take VAT out by posting group, whether prices include VAT or not', async () => {
    const { adapter, documentsOf, fake, ledger } = await connected({}, { vatMode: 'erp-splits' });
    const [customer] = ledger.customers;
    ledger.customers.splice(0, 1, { ...customer!, pricesIncludeTax: true });
    for (const journal of [grossSale(FAKE_CHART), grossPurchase(FAKE_CHART)]) {
      const [document] = documentsOf(await post(adapter, journal));
      expect(document?.lines.map(({ net, tax }) => tax.div(net).toFixed())).toEqual(['0.24']);
      expect(document?.pricesIncludeTax).toBe(true);
    }
    ledger.customers.splice(0, 1, { ...customer!, pricesIncludeTax: false });
    const [without] = documentsOf(await post(adapter, grossSale(FAKE_CHART)));
    expect(without).toMatchObject({ pricesIncludeTax: false });
    expect(fake.documents.rows).toHaveLength(3);
  });

  it('refuses before it is booked what Business Central would book otherwise, and leaves no draft', async () => {
    const { adapter, fake, ledger } = await connected();
    const [customer] = ledger.customers;
    ledger.customers.splice(0, 1, {
      ...customer!,
      defaultDimensions: [{ code: 'COSTLOC', valueCode: FAKE_CHART.dimension.value }],
    });
    const outcome = await adapter.post(await prepared(adapter, sale(FAKE_CHART), freshKey()));
    expect(outcome).toMatchObject({ outcome: 'rejected', code: 'invalid' });
    expect(outcome).toHaveProperty('message', expect.stringContaining('default dimensions'));
    expect(fake.documents.rows).toEqual([]);
  });

  it('does not take the empty document for its own that fills the gap after a refused posting', async () => {
    const { adapter, documentsOf, fake } = await connected();
    const [key, journal] = [freshKey(), sale(FAKE_CHART)];
    fake.documents.refusals = ['Select a Dimension Value Code for the Dimension Code AREA.'];
    const refused = await adapter.post(await prepared(adapter, journal, key));
    expect(refused).toMatchObject({ outcome: 'rejected', code: 'unknown-dimension' });
    expect(documentsOf(key)).toMatchObject([{ status: 'Open', lines: [] }]);
    expect(await adapter.findByKey(key)).toEqual({ outcome: 'none' });
    await post(adapter, journal, key);
    expect(await adapter.findByKey(key)).toMatchObject({ outcome: 'one', entry: { state: 'posted' } });
  });

  it('finds a draft again whose removal failed, and makes no second one', async () => {
    const { adapter, documentsOf, fake } = await connected();
    const [key, journal] = [freshKey(), sale(FAKE_CHART)];
    fake.documents.refusals = ['The customer is blocked.'];
    const answer = fake.answer.bind(fake);
    let isDown = true;
    fake.answer = (request) => (request.method === 'DELETE' && isDown ? { status: 503 } : answer(request));
    expect(await adapter.post(await prepared(adapter, journal, key))).toMatchObject({ outcome: 'unknown' });
    expect(await adapter.findByKey(key)).toMatchObject({ outcome: 'one', entry: { state: 'draft' } });
    isDown = false;
    await post(adapter, journal, key);
    expect(documentsOf(key).filter(({ lines }) => lines.length > 0)).toMatchObject([{ status: 'Open' }]);
  });

  it('is booked once by eight processes that begin at the same moment', async () => {
    const { another, documentsOf } = await connected();
    const [key, journal] = [freshKey(), sale(FAKE_CHART)];
    const connections = Array.from({ length: 8 }, () => another());
    const request = await prepared(connections[0]!, journal, key);
    const outcomes = await Promise.all(connections.map((erp) => erp.post(request)));
    expect(outcomes.map(({ outcome }) => outcome)).toContain('posted');
    expect(documentsOf(key).map(({ status }) => status)).toEqual(['Open']);
  });

  it('keeps a foreign document in its currency at the rate of Business Central, where that is ours', async () => {
    const { adapter, documentsOf } = await connected({ foreignDocuments: 'in-currency' });
    const journal = foreignSale(FAKE_CHART);
    const [document] = documentsOf(await post(adapter, journal));
    expect(document).toMatchObject({ currencyCode: 'EUR' });
    expect(document?.lines.map(({ net }) => net.toFixed())).toEqual(['33.33', '66.66']);
    const far = { ...journal, exchangeRate: new Decimal('150') };
    expect(await adapter.prepare({ key: freshKey(), journal: far })).toMatchObject({
      outcome: 'rejected',
      message: expect.stringContaining('has the exchange rate 145.5 for EUR') as string,
    });
    const none = { ...journal, currency: 'USD' };
    expect(await adapter.prepare({ key: freshKey(), journal: none })).toMatchObject({
      outcome: 'rejected',
      message: expect.stringContaining('no exchange rate for USD') as string,
    });
  });

  it('says before the first document which currencies and VAT groups are lacking', async () => {
    const settings = { foreignDocuments: 'in-currency', noVatGroup: 'ENGINN' };
    const { adapter } = await connected(settings, { vatMode: 'erp-splits' });
    const expected = {
      accounts: ['1500'],
      vatCodes: ['U24', 'U11'],
      dimensions: {},
      currencies: ['EUR', 'USD'],
    };
    const findings = await adapter.validate(expected);
    const lacking = findings.filter(({ severity }) => severity !== 'ok');
    expect(lacking.map(({ severity, lacks }) => [severity, lacks])).toEqual([
      ['error', { vatCode: 'ENGINN' }],
      ['error', { currency: 'USD' }],
      ['warning', { vatCode: 'U11' }],
    ]);
  });

  it('makes documents of a customer who has a currency of its own', async () => {
    const { adapter, documentsOf, ledger } = await connected();
    ledger.customers.splice(0, 1, partner(FAKE_CHART.customer.kennitala, 'Erlendur', 'EUR'));
    expect(documentsOf(await post(adapter, sale(FAKE_CHART)))).toMatchObject([{ currencyCode: '' }]);
  });

  it('refuses a bill that somebody has typed in already', async () => {
    const { adapter, fake } = await connected();
    const bill = purchase(FAKE_CHART);
    fake.documents.create('purchaseInvoices', {
      vendorNumber: FAKE_CHART.supplier.kennitala,
      postingDate: FAKE_CHART.openDate,
      vendorInvoiceNumber: bill.documentNo,
    });
    expect(await adapter.prepare({ key: freshKey(), journal: bill })).toMatchObject({
      outcome: 'rejected',
      code: 'duplicate',
      message: expect.stringContaining(bill.documentNo) as string,
    });
  });

  it('takes an invoice for undone that people cancelled, and not their credit memo for ours', async () => {
    const { adapter, documentsOf, fake } = await connected();
    const key = await post(adapter, sale(FAKE_CHART));
    const [invoice] = documentsOf(key);
    const memo = fake.documents.create('salesCreditMemos', {
      ...{ customerNumber: FAKE_CHART.customer.kennitala, postingDate: FAKE_CHART.openDate },
      ...{ externalDocumentNumber: invoice?.head['externalDocumentNumber'], invoiceId: invoice?.id },
    });
    memo.lines = [...(invoice?.lines ?? [])];
    fake.documents.post('salesCreditMemos', memo.id);
    expect(await adapter.findByKey(key)).toMatchObject({ outcome: 'one', entry: { reversed: true } });
  });

  it('names a posted document for a browser', () => {
    const settings = businessCentralSettings('https://api.businesscentral.dynamics.com', BC_DOCUMENTS);
    const { baseUrl: _base, loginUrl: _login, ...standard } = settings;
    const configuration = businessCentralAdapter.configuration.parse(standard);
    const url = businessCentralAdapter.entryUrl?.(configuration, {
      id: 'salesInvoices/x',
      number: 'PS-INV1',
    });
    expect(decodeURIComponent(url ?? '').replaceAll('+', ' ')).toContain(
      "page=143&filter='Sales Invoice Header'.'No.' IS 'PS-INV1'",
    );
  });

  it.each([
    [{ subledger: { customers: [], suppliers: [] } }, 'one account of customers'],
    [{ noVatGroup: undefined }, 'every line of a document'],
    [{ books: 'journals', foreignDocuments: 'in-currency' }, 'only with `books: documents`'],
  ])('refuses settings that cannot work: %j', (settings, words) => {
    const whole = businessCentralSettings('http://localhost:1', { ...BC_DOCUMENTS, ...settings });
    const parsed = businessCentralAdapter.configuration.safeParse(whole);
    expect(parsed.success ? '' : parsed.error.message).toContain(words);
  });
});
