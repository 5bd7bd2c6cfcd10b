import { afterEach, describe, expect, it } from 'vitest';
import { Decimal, ZERO } from '../../../src/domain/money.js';
import type { Journal, JournalLine, JournalParty } from '../../../src/domain/journal.js';
import { foreignSale, freshKey, purchase, sale } from '../../../lab/kit/conformance/journals.js';
import type { ErpAdapter, ErpServices } from '../../../src/erp/erp-adapter.js';
import { xeroAdapter } from '../../../src/erp/xero/index.js';
import { FAKE_CHART } from '../../support/fakes/fake-chart.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { fakeServices } from '../../support/fakes/fake-services.js';
import { mirrored, paymentOf } from '../../support/fakes/sample-journals.js';
import { XERO_DOCUMENTS, XERO_SECRET, xeroBooks, xeroSettings } from '../../support/fakes/xero-books.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const CLEARING = { '1500': '1590', '2410': '2490', '1910': '1990' };

async function connected(settings: Record<string, unknown> = {}, more: Partial<ErpServices> = {}) {
  const time = { now: Date.now() };
  const fake = xeroBooks({ now: () => time.now });
  fake.accounts.set('1990', { Type: 'CURRENT', Status: 'ACTIVE', SystemAccount: null });
  const server = await new FakeServer(fake).start();
  const whole = { ...XERO_DOCUMENTS, clearingAccounts: CLEARING, ...settings };
  const configuration = xeroAdapter.configuration.parse(xeroSettings(server.origin, whole));
  const services = { ...fakeServices({ 'env:XERO_SECRET': XERO_SECRET }), ...more };
  closers.push(() => server.stop());
  const another = () => {
    const connection = xeroAdapter.create(configuration, services);
    closers.push(() => connection.close());
    return connection;
  };
  const adapter = another();
  const documentOf = (key: string) =>
    fake.documents.rows.find(({ Reference, number }) => `${Reference ?? ''} ${number}`.includes(key));
  return { adapter, another, fake, documentOf, time };
}

async function post(adapter: ErpAdapter, journal: Journal, key = freshKey()): Promise<string> {
  const prepared = await adapter.prepare({ key, journal });
  if (prepared.outcome !== 'prepared') throw new Error(JSON.stringify(prepared));
  expect(await adapter.post(prepared.prepared)).toMatchObject({ outcome: 'posted' });
  return key;
}

async function reversed(adapter: ErpAdapter, key: string, journal: Journal): Promise<void> {
  const found = await adapter.findByKey(key);
  if (found.outcome !== 'one') throw new Error(found.outcome);
  const request = { key: freshKey('R'), original: found.entry, journal, date: FAKE_CHART.reversalDate };
  expect(await adapter.reverse({ ...request, reason: 'Rangt' })).toMatchObject({ outcome: 'posted' });
}

describe('Xero with documents', () => {
  it('makes a sales invoice with contact, due date and its own number, and our key in the reference', async () => {
    const { adapter, documentOf } = await connected();
    const journal = sale(FAKE_CHART);
    const key = await post(adapter, journal);
    expect(documentOf(key)).toMatchObject({
      Type: 'ACCREC',
      Status: 'AUTHORISED',
      number: journal.documentNo,
      Reference: `${key} ${journal.externalReference}`,
      CurrencyCode: 'ISK',
    });
    expect(await adapter.findByReference(journal.documentNo)).toMatchObject({
      outcome: 'one',
      entry: { key },
    });
  });

  it('makes bills, credit notes of both kinds, and manual journals of everything else', async () => {
    const { adapter, fake, documentOf } = await connected();
    const typeOf = async (journal: Journal) => documentOf(await post(adapter, journal))?.Type;
    const note = { documentNo: 'KR-1', externalReference: 'kr-1', appliesTo: 'no such invoice' };
    expect(await typeOf(purchase(FAKE_CHART))).toBe('ACCPAY');
    expect(await typeOf(mirrored(purchase(FAKE_CHART), note))).toBe('ACCPAYCREDIT');
    expect(await typeOf(mirrored(sale(FAKE_CHART), note))).toBe('ACCRECCREDIT');
    expect(fake.journals).toEqual([]);
    expect(await typeOf(paymentOf(sale(FAKE_CHART)))).toBeUndefined();
    expect(fake.journals).toHaveLength(1);
  });

  it("puts the key behind the supplier's number on a bill, where two suppliers may have the same", async () => {
    const { adapter, documentOf } = await connected();
    const bill = purchase(FAKE_CHART);
    const [one, other] = [await post(adapter, bill), await post(adapter, bill)];
    expect(documentOf(one)).toMatchObject({ number: `${bill.documentNo} ${one}`, Reference: null });
    expect(await adapter.findByKey(other)).toMatchObject({ outcome: 'one', entry: { key: other } });
  });

  it('closes an invoice by the payment that we book, once, and by its credit note', async () => {
    const { adapter, documentOf } = await connected();
    const paid = sale(FAKE_CHART);
    const credited = sale(FAKE_CHART);
    const [invoice, other] = [await post(adapter, paid), await post(adapter, credited)];
    const payment = await post(adapter, paymentOf(paid));
    expect(documentOf(invoice)).toMatchObject({
      Status: 'PAID',
      payments: [{ Reference: payment, Account: '1590' }],
    });
    expect(documentOf(other)).toMatchObject({ Status: 'AUTHORISED', payments: [] });
    const note = { documentNo: 'KR-2', externalReference: 'kr-2', appliesTo: credited.externalReference };
    const creditNote = await post(adapter, mirrored(credited, note));
    expect([documentOf(other)?.Status, documentOf(creditNote)?.Status]).toEqual(['PAID', 'PAID']);
    expect(await adapter.findByKey(invoice)).toMatchObject({ outcome: 'one', entry: { state: 'posted' } });
  });

  it('closes a bill by the credit note that names it, of the same supplier alone', async () => {
    const { adapter, documentOf } = await connected();
    const bill = purchase(FAKE_CHART);
    const longer = await post(adapter, { ...purchase(FAKE_CHART), documentNo: `${bill.documentNo} B` });
    const theirs = await post(adapter, bill);
    Object.assign(documentOf(theirs) ?? {}, { ContactID: 'somebody else' });
    const ours = await post(adapter, bill);
    const note = { documentNo: 'KR-3', externalReference: 'kr-3', appliesToNo: bill.documentNo };
    const credit = await post(adapter, mirrored(bill, note));
    const statuses = [ours, credit, theirs, longer].map((key) => documentOf(key)?.Status);
    expect(statuses).toEqual(['PAID', 'PAID', 'AUTHORISED', 'AUTHORISED']);
    const late = await post(adapter, mirrored(bill, { ...note, documentNo: 'KR-4' }));
    expect(documentOf(late)).toMatchObject({ Status: 'AUTHORISED' });
  });

  it('notes a match that Xero refuses without failing the posting', async () => {
    const warnings: string[] = [];
    const warn = (_facts: unknown, message: string) => void warnings.push(message);
    const { adapter, fake } = await connected({}, { log: { debug: () => undefined, warn } });
    fake.accounts.set('1590', { Type: 'CURRENT', Status: 'ACTIVE', SystemAccount: null });
    const journal = sale(FAKE_CHART);
    await post(adapter, journal);
    const prepared = await adapter.prepare({ key: freshKey(), journal: paymentOf(journal) });
    if (prepared.outcome !== 'prepared') throw new Error(prepared.outcome);
    const outcome = await adapter.post(prepared.prepared);
    const said = expect.stringMatching(/^Xero did not set .* against its invoice/) as string;
    expect(warnings).toEqual([said]);
    expect(outcome).toMatchObject({ outcome: 'posted', unmatched: { message: said } });
    const findings = await adapter.validate({ accounts: ['1500'], vatCodes: [], dimensions: {} });
    expect(findings).toContainEqual(
      expect.objectContaining({ severity: 'warning', message: expect.stringContaining('1590') as string }),
    );
  });

  it('books a sale again under its number with a count, after the first was reversed', async () => {
    const { adapter, documentOf } = await connected();
    const journal = sale(FAKE_CHART);
    const first = await post(adapter, journal);
    await reversed(adapter, first, journal);
    expect(documentOf(first)?.Status).toBe('PAID');
    const key = freshKey();
    const refused = await adapter.prepare({ key, journal });
    if (refused.outcome !== 'prepared') throw new Error(JSON.stringify(refused));
    expect(await adapter.post(refused.prepared)).toMatchObject({ outcome: 'rejected', code: 'duplicate' });
    const earlier = { request: refused.prepared.request, isRefused: true };
    const again = await adapter.prepare({ key, journal, earlier });
    if (again.outcome !== 'prepared') throw new Error(JSON.stringify(again));
    expect(await adapter.post(again.prepared)).toMatchObject({ outcome: 'posted' });
    expect(documentOf(key)?.number).toBe(`${journal.documentNo}-2`);
  });

  it('leaves a number to whoever has it: a sale that is in Xero already is not booked beside it', async () => {
    const { adapter, fake } = await connected();
    const journal = sale(FAKE_CHART);
    await post(adapter, journal);
    const key = freshKey();
    for (const isRefused of [false, true]) {
      const prepared = await adapter.prepare({ key, journal });
      if (prepared.outcome !== 'prepared') throw new Error(JSON.stringify(prepared));
      const earlier = { request: prepared.prepared.request, isRefused };
      const sent = await adapter.prepare({ key, journal, earlier });
      if (sent.outcome !== 'prepared') throw new Error(JSON.stringify(sent));
      expect(await adapter.post(sent.prepared)).toMatchObject({ outcome: 'rejected', code: 'duplicate' });
    }
    expect(fake.documents.rows).toHaveLength(1);
  });

  it('approves a document that waits for approval under its key, and makes no second one', async () => {
    const { adapter, fake, documentOf } = await connected();
    const journal = sale(FAKE_CHART);
    const key = freshKey();
    const prepared = await adapter.prepare({ key, journal });
    if (prepared.outcome !== 'prepared') throw new Error(JSON.stringify(prepared));
    await adapter.post(prepared.prepared);
    const row = documentOf(key);
    if (row) row.Status = 'SUBMITTED';
    const found = await adapter.findByKey(key);
    if (found.outcome !== 'one') throw new Error(found.outcome);
    expect(found.entry.state).toBe('draft');
    expect(await adapter.resume(found.entry, prepared.prepared)).toMatchObject({ outcome: 'posted' });
    expect(fake.documents.rows.map(({ Status }) => Status)).toEqual(['AUTHORISED']);
  });
});

describe('contacts of Xero', () => {
  const company: JournalParty = { kind: 'customer', kennitala: '6901012340', name: 'Fjörður ehf.' };
  const person: JournalParty = { kind: 'customer', kennitala: '1203754569', name: 'Jón Jónsson' };

  it('takes a company that people made without a kennitala by its name, and gives it that as tax number', async () => {
    const { adapter, fake } = await connected();
    fake.documents.contacts.push({
      ContactID: crypto.randomUUID(),
      Name: 'FJÖRÐUR ehf.',
      ContactStatus: 'ACTIVE',
    });
    await post(adapter, sale(FAKE_CHART, { customer: company }));
    const named = fake.documents.contacts.filter(({ Name }) => /fjörður/i.test(Name));
    expect(named).toMatchObject([{ Name: 'FJÖRÐUR ehf.', TaxNumber: company.kennitala }]);
  });

  it('knows a contact by its kennitala, whatever number another program has for it', async () => {
    const { adapter, fake, another } = await connected();
    const other = { ContactID: crypto.randomUUID(), Name: company.name, ContactNumber: 'CUST-0042' };
    fake.documents.contacts.push({ ...other, TaxNumber: '690101-2340', ContactStatus: 'ACTIVE' });
    const key = await post(adapter, sale(FAKE_CHART, { customer: company }));
    expect(fake.documents.contacts.filter(({ Name }) => Name.startsWith(company.name))).toHaveLength(1);
    const found = await another().findByKey(key);
    if (found.outcome !== 'one') throw new Error(found.outcome);
    expect(found.entry.lines[0]?.counterparty).toBe(company.kennitala);
  });

  it('asks which one is meant where a person is known by name alone', async () => {
    const { adapter, fake } = await connected();
    fake.documents.contacts.push({
      ContactID: crypto.randomUUID(),
      Name: person.name,
      ContactStatus: 'ACTIVE',
    });
    const journal = sale(FAKE_CHART, { customer: person });
    expect(await adapter.prepare({ key: freshKey(), journal })).toMatchObject({
      outcome: 'rejected',
      code: 'unknown-party',
      party: person.kennitala,
    });
  });

  it('keeps two people of one name apart, also when both come at once', async () => {
    const { adapter, fake } = await connected();
    const other = { ...person, kennitala: '0101302989' };
    await Promise.all([person, other].map((customer) => post(adapter, sale(FAKE_CHART, { customer }))));
    const names = fake.documents.contacts.filter(({ Name }) => Name.startsWith(person.name));
    expect(names.map(({ ContactNumber }) => ContactNumber).sort()).toEqual([
      other.kennitala,
      person.kennitala,
    ]);
  });

  it('makes none unless it may', async () => {
    const { adapter } = await connected({ partners: { create: false } });
    const journal = sale(FAKE_CHART, { customer: company });
    expect(await adapter.prepare({ key: freshKey(), journal })).toMatchObject({ code: 'unknown-party' });
  });

  it('looks again for a contact that was archived after it was found', async () => {
    const { adapter, fake, time } = await connected();
    await post(adapter, sale(FAKE_CHART, { customer: company }));
    time.now += 10 * 60_000;
    const made = fake.documents.contacts.find(({ ContactNumber }) => ContactNumber === company.kennitala);
    if (made) made.ContactStatus = 'ARCHIVED';
    const journal = sale(FAKE_CHART, { customer: company });
    const prepared = await adapter.prepare({ key: freshKey(), journal });
    if (prepared.outcome !== 'prepared') throw new Error(JSON.stringify(prepared));
    expect(await adapter.post(prepared.prepared)).toMatchObject({ code: 'unknown-party' });
    await post(adapter, journal);
  });
});

describe('Xero with documents in their currency', () => {
  const inCurrency = { foreignDocuments: 'in-currency' };

  it('keeps a foreign sale in its currency, at the rate of the document as far as Xero has decimals', async () => {
    const { adapter, documentOf } = await connected(inCurrency);
    const key = await post(adapter, foreignSale(FAKE_CHART));
    const row = documentOf(key);
    expect([row?.CurrencyCode, row?.Total.toFixed(), row?.CurrencyRate.toFixed()]).toEqual([
      'EUR',
      '99.99',
      '0.006873',
    ]);
  });

  it('pays a foreign sale in its currency, at its own rate', async () => {
    const { adapter, documentOf } = await connected(inCurrency);
    const journal = foreignSale(FAKE_CHART);
    const key = await post(adapter, journal);
    await post(adapter, paymentOf(journal));
    expect(documentOf(key)).toMatchObject({ Status: 'PAID' });
  });

  it('does not take another rate for ours: what Xero reckoned is compared', async () => {
    const { adapter, fake } = await connected(inCurrency);
    const key = await post(adapter, foreignSale(FAKE_CHART));
    const [row] = fake.documents.rows;
    if (row) fake.documents.rows[0] = { ...row, CurrencyRate: new Decimal('0.0071') };
    const found = await adapter.findByKey(key);
    const prepared = await adapter.prepare({ key, journal: foreignSale(FAKE_CHART) });
    if (found.outcome !== 'one' || prepared.outcome !== 'prepared') throw new Error('not found');
    expect(await adapter.resume({ ...found.entry, state: 'draft' }, prepared.prepared)).toMatchObject({
      code: 'collision',
      message: expect.stringContaining('ISK instead of') as string,
    });
  });

  it('books in ISK, as a journal, what has lines in krónur alone', async () => {
    const { adapter, fake } = await connected(inCurrency);
    const bill = foreignBillWithReverseCharge();
    const key = await post(adapter, bill);
    expect(fake.documents.rows).toEqual([]);
    expect(await adapter.findByKey(key)).toMatchObject({ outcome: 'one' });
  });

  it('says before anything is sent that a currency is not switched on', async () => {
    const { adapter, fake } = await connected(inCurrency);
    fake.documents.currencies.delete('EUR');
    const outcome = await adapter.prepare({ key: freshKey(), journal: foreignSale(FAKE_CHART) });
    expect(outcome).toMatchObject({ outcome: 'rejected', message: expect.stringContaining('EUR') as string });
    const expected = { accounts: ['3000'], vatCodes: [], dimensions: {}, currencies: ['EUR'] };
    expect(await adapter.validate(expected)).toContainEqual(
      expect.objectContaining({ severity: 'error', lacks: { currency: 'EUR' } }),
    );
  });

  it('is asked for with documents only', () => {
    const settings = xeroSettings('https://xero.example.is', inCurrency);
    expect(xeroAdapter.configuration.safeParse(settings).error?.issues).toMatchObject([
      { path: ['foreignDocuments'] },
    ]);
  });
});

function foreignBillWithReverseCharge(): Journal {
  const { supplier } = FAKE_CHART;
  const amount = { currency: 'EUR', currencyAmount: new Decimal(100) };
  const line = (account: string, role: JournalLine['role'], debit: number): JournalLine => ({
    ...{ account, role, text: role },
    debit: debit > 0 ? new Decimal(debit) : ZERO,
    credit: debit < 0 ? new Decimal(-debit) : ZERO,
  });
  return {
    ...foreignSale(FAKE_CHART),
    party: supplier,
    lines: [
      { ...line('6000', 'expense', 14_550), ...amount },
      line('1600', 'reverse-charge-in', 3_492),
      line('2500', 'reverse-charge-out', -3_492),
      {
        ...line('2410', 'payable', -14_550),
        ...{ ...amount, currencyAmount: new Decimal(-100), counterparty: supplier.kennitala },
      },
    ],
  };
}
