import { Decimal } from '../../../src/domain/money.js';
import { PAGE_SIZE } from '../../../src/erp/dkplus/settings.js';
import { dkPlusAdapter } from '../../../src/erp/dkplus/index.js';
import type { ConformanceBed, ConformanceTarget } from '../../../lab/kit/conformance/target.js';
import { DK_TOKEN, dkPlusBooks, dkPlusSettings } from '../../support/fakes/dkplus-books.js';
import { FAKE_CHART, LOCKED_UNTIL } from '../../support/fakes/fake-chart.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { fakeServices, splitting } from '../../support/fakes/fake-services.js';

export const dkPlusTarget: ConformanceTarget = {
  name: 'dkplus',
  judge: "fake built from dk's swagger document and examples",
  notApplicable: {},
  open: () => openBooks({}),
};

export const dkPlusDocumentsTarget: ConformanceTarget = {
  name: 'dkplus-documents',
  judge: `${dkPlusTarget.judge}, supplier invoices for approval, and currency`,
  notApplicable: {
    'vat-split':
      'VAT of a supplier invoice is split when people book it; of journals it is shown without them',
  },
  open: () => openBooks({ supplierInvoices: 'approval', foreignDocuments: 'in-currency' }),
};

async function openBooks(more: Record<string, unknown>): Promise<ConformanceBed> {
  const fake = dkPlusBooks();
  const server = await new FakeServer(fake).start();
  return {
    chart: FAKE_CHART,
    connect(variant = 'normal', shared = {}) {
      const token = variant === 'bad-credentials' ? 'not-the-token' : DK_TOKEN;
      const overrides = { ...more, ...(variant === 'wrong-company' ? { company: '6612345670' } : {}) };
      const configuration = dkPlusAdapter.configuration.parse(dkPlusSettings(server.origin, overrides));
      const services = { ...fakeServices({ 'env:DK_TOKEN': token }), ...splitting(variant), ...shared };
      return Promise.resolve(dkPlusAdapter.create(configuration, services));
    },
    provoke: (fault) => server.provoke(fault),
    heal: () => server.heal(),
    heard: () => server.heard(),
    count(key) {
      const vouchers = fake.transactions.filter((row) => row.Reference === key).map((row) => row.Voucher);
      const waiting = fake.invoices.waiting.filter(({ sent }) => sent.Reference === key);
      return Promise.resolve({ posted: new Set(vouchers).size, drafts: waiting.length });
    },
    countParties: (kennitala) =>
      Promise.resolve(
        (fake.customers.get(kennitala)?.length ?? 0) + (fake.vendors.get(kennitala)?.length ?? 0),
      ),
    texts: (key) =>
      Promise.resolve(fake.transactions.filter((row) => row.Reference === key).map((row) => row.Text)),
    crowd(day) {
      for (let count = 0; count <= PAGE_SIZE; count++)
        fake.transactions.push({
          ID: 17_000 + fake.transactions.length,
          Account: FAKE_CHART.revenue,
          SubAccount: null,
          Amount: new Decimal(count),
          Reference: `S${String(count)}`,
          Text: 'Pöntun',
          Voucher: `s${String(count)}`,
          Dim1: null,
          JournalDate: `${day}T00:00:00`,
          Created: '2026-03-20T12:00:00',
        });
      return Promise.resolve();
    },
    closeOpenDate(isClosed) {
      fake.lockedUntil = isClosed ? FAKE_CHART.openDate : LOCKED_UNTIL;
      return Promise.resolve();
    },
    close: () => server.stop(),
  };
}
