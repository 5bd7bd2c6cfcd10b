import { dkPlusAdapter } from '../../../src/erp/dkplus/index.js';
import type { ConformanceBed, ConformanceTarget } from '../../../src/erp/conformance/target.js';
import { DK_TOKEN, dkPlusBooks, dkPlusSettings } from '../../support/fakes/dkplus-books.js';
import { FAKE_CHART } from '../../support/fakes/fake-chart.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { fakeServices } from '../../support/fakes/fake-services.js';

export const dkPlusTarget: ConformanceTarget = {
  name: 'dkplus',
  judge: "fake built from dk's swagger document and examples",
  notApplicable: {},
  open: openBooks,
};

async function openBooks(): Promise<ConformanceBed> {
  const fake = dkPlusBooks();
  const server = await new FakeServer(fake).start();
  return {
    chart: FAKE_CHART,
    connect(variant = 'normal') {
      const token = variant === 'bad-credentials' ? 'not-the-token' : DK_TOKEN;
      const overrides = variant === 'wrong-company' ? { company: '6612345670' } : {};
      const configuration = dkPlusAdapter.configuration.parse(dkPlusSettings(server.origin, overrides));
      return Promise.resolve(dkPlusAdapter.create(configuration, fakeServices({ 'env:DK_TOKEN': token })));
    },
    provoke: (fault) => server.provoke(fault),
    heal: () => server.heal(),
    count(key) {
      const vouchers = fake.transactions.filter((row) => row.Reference === key).map((row) => row.Voucher);
      return Promise.resolve({ posted: new Set(vouchers).size, drafts: 0 });
    },
    countParties: (kennitala) =>
      Promise.resolve(
        (fake.customers.get(kennitala)?.length ?? 0) + (fake.vendors.get(kennitala)?.length ?? 0),
      ),
    close: () => server.stop(),
  };
}
