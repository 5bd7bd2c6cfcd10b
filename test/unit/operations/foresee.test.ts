// What a plan learns of single documents before anything is sent, on books that know why they would refuse them.
import { afterEach, expect, it } from 'vitest';
import { LosslessNumber } from 'lossless-json';
import { Decimal } from '../../../src/domain/money.js';
import { foreignSale } from '../../../lab/kit/conformance/journals.js';
import { businessCentralAdapter } from '../../../src/erp/business-central/index.js';
import type { PrepareOutcome } from '../../../src/erp/erp-adapter.js';
import { foresee } from '../../../src/operations/foresee.js';
import {
  BC_DOCUMENTS,
  BC_SECRET,
  businessCentralBooks,
  businessCentralSettings,
} from '../../support/fakes/business-central-books.js';
import { FAKE_CHART } from '../../support/fakes/fake-chart.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { fakeServices } from '../../support/fakes/fake-services.js';
import { COST_KEY, costJournal, INVOICE_KEY, invoiceJournal } from '../../support/fakes/sample-journals.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function connected(settings: Record<string, unknown> = {}) {
  const fake = businessCentralBooks();
  const server = await new FakeServer(fake).start();
  const configuration = businessCentralAdapter.configuration.parse(
    businessCentralSettings(server.origin, { ...BC_DOCUMENTS, ...settings }),
  );
  const adapter = businessCentralAdapter.create(configuration, fakeServices({ 'env:BC_SECRET': BC_SECRET }));
  closers.push(
    () => server.stop(),
    () => adapter.close(),
  );
  return { fake, adapter };
}

/** A sale to somebody whom the books do not know. */
function saleToNewCustomer() {
  const { newCustomer: party } = FAKE_CHART;
  const lines = invoiceJournal().lines.map((line) =>
    line.counterparty === undefined ? line : { ...line, counterparty: party.kennitala },
  );
  return invoiceJournal({ party, lines });
}

it('says of a currency that the rate of the ERP is too far from that of the document', async () => {
  const { fake, adapter } = await connected({ foreignDocuments: 'in-currency' });
  const asked = [{ key: INVOICE_KEY, journal: foreignSale(FAKE_CHART) }];
  expect(await foresee(adapter, asked)).toEqual({ refusals: new Map(), left: 0 });
  for (const rate of fake.documents.rates) Object.assign(rate, { rate: new Decimal(170) });
  const { refusals } = await foresee(adapter, asked);
  expect(refusals.get(INVOICE_KEY)).toMatchObject({ code: 'invalid', said: { code: 'RATE_FAR' } });
});

it('says of a bill that people have typed it in', async () => {
  const { fake, adapter } = await connected();
  const journal = costJournal();
  const { documents } = fake;
  const head = { vendorNumber: FAKE_CHART.supplier.kennitala, vendorInvoiceNumber: journal.documentNo };
  const { id } = documents.create('purchaseInvoices', { ...head, postingDate: FAKE_CHART.openDate });
  const item = { lineType: 'Account', lineObjectNumber: FAKE_CHART.expense, taxCode: 'NO VAT' };
  const amounts = { quantity: new LosslessNumber('1'), unitCost: new LosslessNumber('100') };
  documents.addLine('purchaseInvoices', id, { sequence: new LosslessNumber('10000'), ...item, ...amounts });
  documents.post('purchaseInvoices', id);
  const { refusals } = await foresee(adapter, [{ key: COST_KEY, journal }]);
  expect(refusals.get(COST_KEY)).toMatchObject({ code: 'duplicate', said: { code: 'BILL_TYPED_ALREADY' } });
});

it('says of a customer whom the books lack that nobody may make one, and makes nobody where that may be done', async () => {
  const asked = [{ key: INVOICE_KEY, journal: saleToNewCustomer() }];
  const strict = await connected({ partners: { create: false } });
  expect((await foresee(strict.adapter, asked)).refusals.get(INVOICE_KEY)).toMatchObject({
    ...{ code: 'unknown-party', party: FAKE_CHART.newCustomer.kennitala.replace('-', '') },
  });
  const generous = await connected();
  const before = generous.fake.ledger.customers.length;
  expect((await foresee(generous.adapter, asked)).refusals.size).toBe(0);
  expect(generous.fake.ledger.customers).toHaveLength(before);
});

it('asks once about documents that are alike, and stops asking an ERP that does not answer', async () => {
  const journal = invoiceJournal();
  const many = Array.from({ length: 40 }, (_, at) => ({ key: `K${String(at)}`, journal }));
  let asked = 0;
  const erp = (outcome: PrepareOutcome) => ({
    capabilities: { requestsPerSecond: 10_000 } as never,
    prepare: () => Promise.resolve((asked++, outcome)),
  });
  const refused = { outcome: 'rejected', code: 'invalid', message: 'no' } as const;
  expect((await foresee(erp(refused), many)).refusals.size).toBe(40);
  expect(asked).toBe(1);
  const other = many.map(({ key }, at) => ({
    key,
    journal: { ...journal, postingDate: `2026-03-${String((at % 28) + 1).padStart(2, '0')}` },
  }));
  const foreseen = await foresee(erp({ outcome: 'transient', message: 'away' }), other);
  expect([foreseen.left, asked]).toEqual([40, 5]);
});
