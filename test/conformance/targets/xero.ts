import { randomUUID } from 'node:crypto';
import { Decimal } from '../../../src/domain/decimal.js';
import type { ConformanceBed, ConformanceTarget } from '../../../src/erp/conformance/target.js';
import { PAGE_SIZE } from '../../../src/erp/xero/assumptions.js';
import { xeroAdapter } from '../../../src/erp/xero/index.js';
import { keptFile } from '../../support/erp/kept-file.js';
import { FAKE_CHART, LOCKED_UNTIL } from '../../support/fakes/fake-chart.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { fakeServices, splitting } from '../../support/fakes/fake-services.js';
import { XERO_SECRET, xeroBooks, xeroSettings } from '../../support/fakes/xero-books.js';

export const xeroTarget: ConformanceTarget = {
  name: 'xero',
  judge: "fake built from Xero's OpenAPI document and developer pages (call limit lifted)",
  notApplicable: {},
  open: openBooks,
};

async function openBooks(): Promise<ConformanceBed> {
  const fake = xeroBooks();
  const server = await new FakeServer(fake).start();
  return {
    chart: FAKE_CHART,
    connect(variant = 'normal') {
      const secret = variant === 'bad-credentials' ? 'not-the-secret' : XERO_SECRET;
      const company = variant === 'wrong-company' ? { company: '6612345670' } : {};
      const configuration = xeroAdapter.configuration.parse(xeroSettings(server.origin, company));
      const services = { ...fakeServices({ 'env:XERO_SECRET': secret }), ...splitting(variant) };
      return Promise.resolve(xeroAdapter.create(configuration, services));
    },
    provoke: (fault) => server.provoke(fault),
    heal: () => server.heal(),
    count(key) {
      const ours = fake.journals.filter((journal) => journal.Narration.startsWith(`${key} `));
      const countOf = (status: string) => ours.filter((journal) => journal.Status === status).length;
      return Promise.resolve({ posted: countOf('POSTED'), drafts: countOf('DRAFT') });
    },
    texts: (key) =>
      Promise.resolve(
        fake.journals
          .filter((journal) => journal.Narration.startsWith(`${key} `))
          .flatMap(({ Narration, JournalLines }) => [
            Narration,
            ...JournalLines.map((line) => line.Description ?? ''),
          ]),
      ),
    attachments: ({ id }) =>
      Promise.resolve(
        fake.attachments
          .filter(({ journal }) => journal === id)
          .map(({ fileName, content }) => keptFile(fileName, content)),
      ),
    crowd(day) {
      for (let count = 0; count <= PAGE_SIZE; count++)
        fake.journals.push({
          ManualJournalID: randomUUID(),
          Narration: `Laun ${String(count)}`,
          Date: day,
          Status: 'POSTED',
          JournalLines: [
            { AccountCode: FAKE_CHART.expense, LineAmount: new Decimal(1) },
            { AccountCode: FAKE_CHART.revenue, LineAmount: new Decimal(-1) },
          ],
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
