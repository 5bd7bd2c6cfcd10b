// Costs that people in dk approve: made once, found while they wait and after they were booked, with their file and in their currency.
import { afterEach, expect, it } from 'vitest';
import { Decimal } from '../../../src/domain/money.js';
import { foreignSale } from '../../../lab/kit/conformance/journals.js';
import type { ErpAdapter, PreparedPost } from '../../../src/erp/erp-adapter.js';
import { compareEntry } from '../../../src/erp/compare-entry.js';
import { dkPlusAdapter } from '../../../src/erp/dkplus/index.js';
import { DK_TOKEN, dkPlusBooks, dkPlusSettings } from '../../support/fakes/dkplus-books.js';
import { FAKE_CHART } from '../../support/fakes/fake-chart.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { collect, fakeServices } from '../../support/fakes/fake-services.js';
import { COST_KEY, costJournal, INVOICE_KEY, invoiceJournal } from '../../support/fakes/sample-journals.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function connected(settings: Record<string, unknown> = { supplierInvoices: 'approval' }) {
  const fake = dkPlusBooks();
  const server = await new FakeServer(fake).start();
  const configuration = dkPlusAdapter.configuration.parse(dkPlusSettings(server.origin, settings));
  const connect = () => {
    const adapter = dkPlusAdapter.create(configuration, fakeServices({ 'env:DK_TOKEN': DK_TOKEN }));
    closers.push(() => adapter.close());
    return adapter;
  };
  closers.push(() => server.stop());
  return { fake, server, adapter: connect(), connect };
}

async function prepared(adapter: ErpAdapter, key = COST_KEY, journal = costJournal()): Promise<PreparedPost> {
  const outcome = await adapter.prepare({ key, journal });
  if (outcome.outcome !== 'prepared') throw new Error(JSON.stringify(outcome));
  return outcome.prepared;
}

it('makes one invoice that waits, with its file, and books nothing; asked again it is the same one', async () => {
  const { adapter, fake } = await connected();
  const request = await prepared(adapter);
  const content = Buffer.from('%PDF-1.7 reikningur');
  const files = [{ fileName: 'reikningur.pdf', contentType: 'application/pdf', content }];
  const outcome = await adapter.post({ ...request, files });
  expect(outcome).toMatchObject({ outcome: 'draft', reference: { id: 'invoice/15601' } });
  expect(await adapter.post(request)).toEqual(outcome);
  expect(fake.transactions).toHaveLength(0);
  expect(fake.invoices.waiting).toHaveLength(1);
  expect(fake.invoices.waiting[0]?.sent).toMatchObject({
    Reference: COST_KEY,
    Files: [{ Name: 'reikningur.pdf', Content: content.toString('base64') }],
  });
  const listed = await collect(adapter.entries({ from: '2026-01-01', to: '2026-12-31' }));
  expect(listed.map(({ key, state }) => [key, state])).toEqual([[COST_KEY, 'draft']]);
});

it.each([true, false])('finds what people booked of it (reference in the ledger: %s)', async (inLedger) => {
  const { adapter, fake } = await connected();
  fake.keepsReferenceInLedger = inLedger;
  await adapter.post(await prepared(adapter));
  fake.bookInvoice(COST_KEY);
  const found = await adapter.findByKey(COST_KEY);
  if (found.outcome !== 'one') throw new Error(JSON.stringify(found));
  expect(found.entry).toMatchObject({ state: 'posted', key: COST_KEY });
  expect(compareEntry(costJournal(), found.entry, adapter.capabilities)).toEqual([]);
});

it('does not know what became of one whose answer was lost, and finds it', async () => {
  const { adapter, connect, fake, server } = await connected();
  const request = await prepared(adapter);
  await server.provoke({ kind: 'lose-reply' });
  expect(await adapter.post(request)).toMatchObject({ outcome: 'unknown' });
  await server.heal();
  expect(await connect().findByKey(COST_KEY)).toMatchObject({ outcome: 'one', entry: { state: 'draft' } });
  expect(await connect().post(request)).toMatchObject({ outcome: 'draft' });
  expect(fake.invoices.waiting).toHaveLength(1);
});

it('says of one with other content that it is not ours', async () => {
  const { adapter, fake } = await connected();
  await adapter.post(await prepared(adapter));
  const [waiting] = fake.invoices.waiting;
  if (waiting?.sent.Lines[0]) waiting.sent.Lines[0].Amount = new Decimal(1);
  expect(await adapter.post(await prepared(adapter))).toMatchObject({
    ...{ outcome: 'rejected', code: 'collision' },
  });
});

it('books sales and what is taken back of a cost as journals all the same', async () => {
  const { adapter, fake } = await connected();
  await adapter.post(await prepared(adapter, INVOICE_KEY, invoiceJournal()));
  const { lines, ...head } = costJournal();
  const credit = {
    ...head,
    lines: lines.map((line) => ({ ...line, debit: line.credit, credit: line.debit })),
  };
  expect(await adapter.post(await prepared(adapter, COST_KEY, credit))).toMatchObject({ outcome: 'posted' });
  expect(fake.invoices.waiting).toHaveLength(0);
});

it('has a foreign invoice in its currency at the rate of the document, whatever rate dk has', async () => {
  const { adapter, fake } = await connected({
    supplierInvoices: 'approval',
    foreignDocuments: 'in-currency',
  });
  fake.rates.set('EUR', new Decimal(120));
  const journal = foreignCost();
  await adapter.post(await prepared(adapter, COST_KEY, journal));
  expect(fake.invoices.waiting[0]?.sent).toMatchObject({ Currency: 'EUR', Exchange: new Decimal('145.5') });
  fake.bookInvoice(COST_KEY);
  const found = await adapter.findByKey(COST_KEY);
  if (found.outcome !== 'one') throw new Error(JSON.stringify(found));
  expect(compareEntry(journal, found.entry, adapter.capabilities)).toEqual([]);
});

it('books the lines of a foreign sale in its currency where dk has the rate of the document', async () => {
  const { adapter, fake } = await connected({ foreignDocuments: 'in-currency' });
  const journal = foreignSale(FAKE_CHART);
  expect(await adapter.post(await prepared(adapter, INVOICE_KEY, journal))).toMatchObject({
    outcome: 'posted',
  });
  expect(new Set(fake.transactions.map(({ Currency }) => Currency))).toEqual(new Set(['EUR']));
});

it('books them in krónur, with the amount in the text, where the two rates are too far apart', async () => {
  const { adapter, fake } = await connected({ foreignDocuments: 'in-currency' });
  fake.rates.set('EUR', new Decimal(150));
  const journal = foreignSale(FAKE_CHART);
  expect(await adapter.post(await prepared(adapter, INVOICE_KEY, journal))).toMatchObject({
    outcome: 'posted',
  });
  expect(new Set(fake.transactions.map(({ Currency }) => Currency))).toEqual(new Set(['ISK']));
  expect(fake.transactions.some(({ Text }) => Text.includes('EUR 99.99 @145.5'))).toBe(true);
});

function foreignCost() {
  const euros = (amount: string) => ({ currency: 'EUR', currencyAmount: new Decimal(amount) });
  const { lines, ...head } = costJournal();
  const amounts = ['100', '-100'];
  const two = [lines.find(({ role }) => role === 'expense'), lines.find(({ role }) => role === 'payable')];
  return {
    ...{ ...head, currency: 'EUR', exchangeRate: new Decimal('145.5') },
    lines: two.flatMap((line, at) =>
      line === undefined
        ? []
        : [
            {
              ...{ ...line, ...euros(amounts[at] ?? '0') },
              ...{ debit: new Decimal(at === 0 ? 14550 : 0), credit: new Decimal(at === 0 ? 0 : 14550) },
            },
          ],
    ),
  };
}
