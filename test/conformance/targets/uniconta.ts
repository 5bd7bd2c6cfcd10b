import { PAGE_SIZE } from '../../../src/erp/uniconta/settings.js';
import { unicontaAdapter } from '../../../src/erp/uniconta/index.js';
import { Decimal } from '../../../src/domain/money.js';
import type { ConformanceBed, ConformanceTarget } from '../../../lab/kit/conformance/target.js';
import { FAKE_CHART } from '../../support/fakes/fake-chart.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { fakeServices } from '../../support/fakes/fake-services.js';
import { UNICONTA_PASSWORD, unicontaBooks, unicontaSettings } from '../../support/fakes/uniconta-books.js';

export const unicontaTarget: ConformanceTarget = {
  name: 'uniconta',
  judge: "fake built from Uniconta's pages for developers and code of others",
  notApplicable: {},
  open: openBooks,
};

async function openBooks(): Promise<ConformanceBed> {
  const fake = unicontaBooks();
  const server = await new FakeServer(fake).start();
  return {
    chart: FAKE_CHART,
    connect(variant = 'normal', shared = {}) {
      const password = variant === 'bad-credentials' ? 'another' : UNICONTA_PASSWORD;
      const company = variant === 'wrong-company' ? { company: '6612345670' } : {};
      const configuration = unicontaAdapter.configuration.parse(unicontaSettings(server.origin, company));
      const services = { ...fakeServices({ 'env:UNICONTA_PASSWORD': password }), ...shared };
      return Promise.resolve(unicontaAdapter.create(configuration, services));
    },
    provoke: (fault) => server.provoke(fault),
    heal: () => server.heal(),
    heard: () => server.heard(),
    count(key) {
      const waiting = fake.lines.filter((line) => line.ReferenceNumber === key);
      const posted = fake.transactions.filter((row) => row.ReferenceNumber === key);
      return Promise.resolve({
        posted: new Set(posted.map(({ Voucher }) => Voucher)).size,
        drafts: new Set(waiting.map(({ insertion }) => insertion)).size,
      });
    },
    countParties: (kennitala) =>
      Promise.resolve(
        [fake.partners.DebtorClient, fake.partners.CreditorClient].filter((book) => book.has(kennitala))
          .length,
      ),
    texts: (key) =>
      Promise.resolve(fake.lines.filter((line) => line.ReferenceNumber === key).map((line) => line.Text)),
    crowd(day) {
      for (let count = 0; count <= PAGE_SIZE; count++)
        fake.transactions.push({
          ...{ Date: `${day}T00:00:00`, Voucher: 900_000 + count, VoucherLine: 1 },
          ...{ Account: FAKE_CHART.revenue, DCAccount: null, Debit: new Decimal(1), Credit: null },
          ...{ Text: 'Laun', ReferenceNumber: `L${String(count)}` },
        });
      return Promise.resolve();
    },
    closeOpenDate(isClosed) {
      const year = fake.years.find(({ FromDate }) => FromDate.startsWith(FAKE_CHART.openDate.slice(0, 4)));
      if (year) year.State = isClosed ? 'Closed' : 'Open';
      return Promise.resolve();
    },
    close: () => server.stop(),
  };
}
