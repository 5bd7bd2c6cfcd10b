import { afterEach, describe, expect, it } from 'vitest';
import type { Journal, JournalLine } from '../../../src/domain/journal.js';
import { freshKey, foreignSale, grossSale, purchase, sale } from '../../../lab/kit/conformance/journals.js';
import type { ErpAdapter, ErpServices } from '../../../src/erp/erp-adapter.js';
import { odooAdapter } from '../../../src/erp/odoo/index.js';
import { FAKE_CHART } from '../../support/fakes/fake-chart.js';
import { FakeServer, type FakeVendor } from '../../support/fakes/fake-server.js';
import { fakeServices } from '../../support/fakes/fake-services.js';
import { ODOO_KEY, odooBooks, odooSettings } from '../../support/fakes/odoo-books.js';
import { base64, cost, map, posted, rulesWith, ublXml, type UblShape } from '../mapping/build.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function connected(more: Partial<ErpServices> = {}, settings: object = {}) {
  const fake = odooBooks();
  const lost = new Set<string>();
  /** The ERP does what it was asked, and its answer is lost on the way; once. */
  const loseAnswerTo = (method: string) => lost.add(method);
  const vendor: FakeVendor = {
    effectOf: (request) => fake.effectOf(request),
    errorBody: (request) => fake.errorBody(request),
    refuseAttachment: () => fake.refuseAttachment(),
    expireTokens: () => fake.expireTokens(),
    answer(request) {
      const reply = fake.answer(request);
      const asked = request.url.pathname + request.body.toString();
      const method = [...lost].find((name) => asked.includes(name));
      if (method === undefined) return reply;
      lost.delete(method);
      return { status: 502, body: 'upstream failed' };
    },
  };
  const server = await new FakeServer(vendor).start();
  const configured = odooAdapter.configuration.parse(
    odooSettings(server.origin, { books: 'documents', ...settings }),
  );
  const services = { ...fakeServices({ 'env:ODOO_KEY': ODOO_KEY }), ...more };
  const adapter = odooAdapter.create(configured, services);
  closers.push(
    () => server.stop(),
    () => adapter.close(),
  );
  const moveOf = (key: string) => fake.records.search('account.move', [['ref', '=', key]])[0]!;
  const linesOf = (key: string) =>
    fake.records.search('account.move.line', [['move_id', '=', moveOf(key).id]]);
  /** Whether what is owed on it has been matched. */
  const isSettled = (key: string) =>
    linesOf(key)
      .filter(
        (line) => fake.records.byId('account.account', Number(line['account_id']))['reconcile'] === true,
      )
      .every((line) => line['reconciled'] === true);
  return { adapter, fake, loseAnswerTo, moveOf, linesOf, isSettled };
}

async function post(adapter: ErpAdapter, journal: Journal, key = freshKey()): Promise<string> {
  const prepared = await adapter.prepare({ key, journal });
  if (prepared.outcome !== 'prepared') throw new Error(JSON.stringify(prepared));
  expect(await adapter.post(prepared.prepared)).toMatchObject({ outcome: 'posted' });
  return key;
}

const mirrored = (journal: Journal, over: Partial<Journal>): Journal => ({
  ...journal,
  ...over,
  lines: journal.lines.map((line) => ({ ...line, debit: line.credit, credit: line.debit })),
});

/** The whole of a sale, paid into the bank. */
function paymentOf({ lines, ...head }: Journal): Journal {
  const [owed] = lines as [JournalLine];
  const bank: JournalLine = { ...owed, account: '1910', role: 'bank' };
  const { counterparty: _who, dueDate: _due, ...paid } = bank;
  return { ...head, lines: [paid, { ...owed, debit: owed.credit, credit: owed.debit }] };
}

describe('Odoo with documents', () => {
  it('makes a customer invoice with partner, due date, number and guid', async () => {
    const { adapter, moveOf, linesOf } = await connected();
    const journal = sale(FAKE_CHART);
    const key = await post(adapter, journal);
    expect(moveOf(key)).toMatchObject({
      move_type: 'out_invoice',
      state: 'posted',
      invoice_date_due: FAKE_CHART.openDate,
      payment_reference: journal.documentNo,
      invoice_origin: journal.externalReference,
    });
    expect(linesOf(key)).toHaveLength(3);
  });

  it('keeps the due date of the document where the partner has a payment term in Odoo', async () => {
    const { adapter, fake, moveOf } = await connected();
    for (const partner of fake.records.rows('res.partner')) partner['due_after_terms'] = '2026-04-14';
    const key = await post(adapter, sale(FAKE_CHART));
    expect(moveOf(key)['invoice_date_due']).toBe(FAKE_CHART.openDate);
  });

  it('books a cost whose VAT is not deducted by a tax whose share has no account', async () => {
    const { adapter, fake, linesOf } = await connected(
      { vatMode: 'erp-splits' },
      { taxes: { ND24: 'purchase/24% ND' } },
    );
    const tax = fake.records.rows('account.tax')[0]!;
    fake.records.insert('account.tax', {
      ...{ name: '24% ND', type_tax_use: 'purchase', amount: 24, account_id: false },
      company_id: tax['company_id'],
    });
    const supplier = FAKE_CHART.supplier.kennitala;
    const rules = rulesWith({
      vat: { mode: 'erp-splits' },
      cost: { codes: { '3163': { account: '6000' } } },
    });
    const dates = { issue_date: '2026-03-10', created_date: '2026-03-11' };
    const raw = cost({ cost_code: '3163', how_paid: 1, supplier_id: supplier, ...dates });
    const key = await post(adapter, posted(map('cost', raw, rules)).journal);
    const nets = linesOf(key).map((line) => String(line['debit']));
    expect(nets.sort()).toEqual(['0', '10000', '2400']);
  });

  it('makes vendor bills, refunds of both kinds, and plain entries of everything else', async () => {
    const { adapter, moveOf } = await connected();
    const typeOf = async (journal: Journal) => moveOf(await post(adapter, journal))['move_type'];
    const refund = { documentNo: 'KR-1', externalReference: 'kr-1', appliesTo: 'no such invoice' };
    expect(await typeOf(purchase(FAKE_CHART))).toBe('in_invoice');
    expect(await typeOf(mirrored(purchase(FAKE_CHART), refund))).toBe('in_refund');
    expect(await typeOf(mirrored(sale(FAKE_CHART), refund))).toBe('out_refund');
    expect(await typeOf(paymentOf(sale(FAKE_CHART)))).toBe('entry');
    expect(await typeOf(foreignSale(FAKE_CHART))).toBe('entry');
  });

  it('matches a payment, and a credit note, with the invoice', async () => {
    const { adapter, isSettled } = await connected();
    const paid = sale(FAKE_CHART);
    const credited = sale(FAKE_CHART);
    const [invoice, other] = [await post(adapter, paid), await post(adapter, credited)];
    expect([isSettled(invoice), isSettled(other)]).toEqual([false, false]);
    const payment = await post(adapter, paymentOf(paid));
    expect([isSettled(invoice), isSettled(payment), isSettled(other)]).toEqual([true, true, false]);
    const note = { documentNo: 'KR-2', externalReference: 'kr-2', appliesTo: credited.externalReference };
    await post(adapter, mirrored(credited, note));
    expect(isSettled(other)).toBe(true);
  });

  it("matches a credit note of a supplier with the bill that it names, and with nobody else's", async () => {
    const { adapter, isSettled, moveOf } = await connected();
    const [bill, same] = [purchase(FAKE_CHART), purchase(FAKE_CHART)];
    const [key, other] = [
      await post(adapter, bill),
      await post(adapter, { ...same, documentNo: bill.documentNo }),
    ];
    moveOf(other)['partner_id'] = 999_999;
    const note = { documentNo: 'KR-3', externalReference: 'kr-3', appliesToNo: bill.documentNo };
    const credit = await post(adapter, mirrored(bill, note));
    expect([isSettled(key), isSettled(credit), isSettled(other)]).toEqual([true, true, false]);
    const typed = await post(adapter, purchase(FAKE_CHART));
    Object.assign(moveOf(typed), { ref: 'F-8', payment_reference: '' });
    const late = await post(adapter, mirrored(bill, { ...note, documentNo: 'KR-4', appliesToNo: 'F-8' }));
    expect(isSettled(late)).toBe(true);
  });

  it('matches what a supplier credits by an e-invoice with the bill that came as one, from their XML to the books', async () => {
    const { adapter, isSettled } = await connected();
    const rules = rulesWith({ cost: { codes: { '2353': { account: '6000' } } } });
    const supplier = FAKE_CHART.supplier.kennitala;
    const journalOf = (id: string, ubl: Partial<UblShape> = {}): Journal => {
      const taxes = [{ percent: 24, tax: 2400 }];
      const made = ublXml({ id, payable: 12400, taxes, kennitala: supplier, ...ubl });
      // The year before is closed in these books.
      const xml = made.replaceAll('2025-03-', '2026-03-');
      const dates = { issue_date: '2026-03-10', created_date: '2026-03-11' };
      const raw = cost({ how_paid: 1, supplier_id: supplier, ...dates, xml: base64(xml) });
      return posted(map('cost', raw, rules)).journal;
    };
    const naming = (id: string) =>
      `<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>${id}</cbc:ID></cac:InvoiceDocumentReference></cac:BillingReference>`;
    const [bill, other] = [
      await post(adapter, journalOf('F-1000')),
      await post(adapter, journalOf('F-1002')),
    ];
    const note = { root: 'CreditNote', extra: naming('F-1000') } as const;
    const credit = await post(adapter, journalOf('KR-1', note));
    expect([isSettled(bill), isSettled(credit), isSettled(other)]).toEqual([true, true, false]);
  });

  it('matches a reversal with what it undoes, and reports a match that fails without failing', async () => {
    const warnings: string[] = [];
    const log = {
      debug: () => undefined,
      warn: (_facts: unknown, message: string) => void warnings.push(message),
    };
    const { adapter, fake, isSettled } = await connected({ log });
    const journal = sale(FAKE_CHART);
    const key = await post(adapter, journal);
    const found = await adapter.findByKey(key);
    if (found.outcome !== 'one') throw new Error(found.outcome);
    const reversal = { key: freshKey('R'), original: found.entry, journal, date: FAKE_CHART.reversalDate };
    expect(await adapter.reverse({ ...reversal, reason: 'Rangt' })).toMatchObject({ outcome: 'posted' });
    expect(isSettled(key)).toBe(true);
    const another = sale(FAKE_CHART);
    const invoice = await post(adapter, another);
    fake.refuseReconciling = true;
    const prepared = await adapter.prepare({ key: freshKey(), journal: paymentOf(another) });
    if (prepared.outcome !== 'prepared') throw new Error(prepared.outcome);
    const outcome = await adapter.post(prepared.prepared);
    expect(isSettled(invoice)).toBe(false);
    const said = expect.stringMatching(/^Odoo did not set .* against its invoice/) as string;
    expect(warnings).toEqual([said]);
    expect(outcome).toMatchObject({ outcome: 'posted', unmatched: { message: said } });
  });

  it.each([{}, { protocol: 'json-rpc', user: 'bot@example.is' }])(
    'matches a payment with what takes it back, also when the answer to undoing the first match is lost: %j',
    async (protocol) => {
      const { adapter, loseAnswerTo, isSettled } = await connected({}, protocol);
      const [journal, other] = [sale(FAKE_CHART), sale(FAKE_CHART)];
      const invoice = await post(adapter, journal);
      const paid = await post(adapter, paymentOf(journal));
      // Another payment of that customer, of the same amount, which stays open.
      const stranger = await post(adapter, paymentOf(other));
      expect([isSettled(invoice), isSettled(paid)]).toEqual([true, true]);
      loseAnswerTo('remove_move_reconcile');
      const back = await post(adapter, mirrored(paymentOf(journal), {}));
      expect([isSettled(invoice), isSettled(paid), isSettled(back)]).toEqual([false, true, true]);
      expect(isSettled(stranger)).toBe(false);
    },
  );

  it('leaves VAT to the taxes of the invoice, and books nothing when Odoo reckons otherwise', async () => {
    const { adapter, fake, linesOf } = await connected({ vatMode: 'erp-splits' });
    const key = await post(adapter, grossSale(FAKE_CHART));
    const vat = linesOf(key).find((line) => line['name'] === '24%');
    expect(String(vat?.['credit'])).toBe('2400');
    for (const tax of fake.records.rows('account.tax')) tax['amount'] = 11;
    const prepared = await adapter.prepare({ key: freshKey(), journal: grossSale(FAKE_CHART) });
    if (prepared.outcome !== 'prepared') throw new Error(prepared.outcome);
    expect(await adapter.post(prepared.prepared)).toMatchObject({ outcome: 'rejected', code: 'invalid' });
    expect(fake.records.rows('account.move')).toHaveLength(1);
  });
});
