import { randomUUID } from 'node:crypto';
import { Decimal, sum } from '../../../src/domain/money.js';
import type { ConformanceBed, ConformanceTarget } from '../../../lab/kit/conformance/target.js';
import { PAGE_SIZE } from '../../../src/erp/xero/settings.js';
import { xeroAdapter } from '../../../src/erp/xero/index.js';
import { keptFile } from '../../support/erp/kept-file.js';
import { FAKE_CHART, LOCKED_UNTIL } from '../../support/fakes/fake-chart.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { fakeServices, splitting } from '../../support/fakes/fake-services.js';
import type { XeroFake } from '../../support/fakes/xero-fake.js';
import { XERO_DOCUMENTS, XERO_SECRET, xeroBooks, xeroSettings } from '../../support/fakes/xero-books.js';

const JUDGE = "fake built from Xero's OpenAPI document and developer pages (call limit lifted)";

const NO_DOCUMENTS = 'these are manual journals; with `books: documents` there are invoices to match with';

function target(name: string, judge: string, settings: Record<string, unknown>): ConformanceTarget {
  const exempt = {
    'matched-after-crash': NO_DOCUMENTS,
    'payment-taken-back': NO_DOCUMENTS,
    'bill-credited': NO_DOCUMENTS,
  };
  const notApplicable = 'books' in settings ? {} : exempt;
  return { name, judge, notApplicable, open: () => openBooks(settings) };
}

export const xeroTarget = target('xero', JUDGE, {});

export const xeroDocumentsTarget = target(
  'xero-documents',
  `${JUDGE}, invoices and bills as documents`,
  XERO_DOCUMENTS,
);

export const xeroCurrencyTarget = target(
  'xero-documents-in-currency',
  `${JUDGE}, invoices and bills as documents in their currency`,
  { ...XERO_DOCUMENTS, foreignDocuments: 'in-currency' },
);

async function openBooks(settings: Record<string, unknown>): Promise<ConformanceBed> {
  const fake = xeroBooks();
  const server = await new FakeServer(fake).start();
  return {
    chart: FAKE_CHART,
    connect(variant = 'normal', shared = {}) {
      const secret = variant === 'bad-credentials' ? 'not-the-secret' : XERO_SECRET;
      const company = variant === 'wrong-company' ? { company: '6612345670' } : {};
      const configuration = xeroAdapter.configuration.parse(
        xeroSettings(server.origin, { ...settings, ...company }),
      );
      const services = { ...fakeServices({ 'env:XERO_SECRET': secret }), ...splitting(variant), ...shared };
      return Promise.resolve(xeroAdapter.create(configuration, services));
    },
    provoke: (fault) => server.provoke(fault),
    heal: () => server.heal(),
    heard: () => server.heard(),
    count(key) {
      const states = [
        ...fake.journals.filter(({ Narration }) => Narration.startsWith(`${key} `)),
        ...documentsOf(fake, key),
      ].map(({ Status }) => Status);
      const countOf = (...wanted: string[]) => states.filter((status) => wanted.includes(status)).length;
      return Promise.resolve({
        posted: countOf('POSTED', 'AUTHORISED', 'PAID'),
        drafts: countOf('DRAFT', 'SUBMITTED'),
      });
    },
    // Manual journals name no contact.
    ...('books' in settings ? { countParties: (kennitala: string) => contactsOf(fake, kennitala) } : {}),
    owed: (key) => Promise.resolve(sum(documentsOf(fake, key).map(({ open }) => open))),
    texts: (key) =>
      Promise.resolve([
        ...fake.journals
          .filter(({ Narration }) => Narration.startsWith(`${key} `))
          .flatMap(({ Narration, JournalLines }) => [
            Narration,
            ...JournalLines.map((line) => line.Description ?? ''),
          ]),
        ...documentsOf(fake, key).flatMap(({ items, words }) => [
          ...words,
          ...items.map(({ Description }) => Description),
        ]),
      ]),
    attachments: ({ id }) =>
      Promise.resolve(
        fake.attachments
          .filter(({ journal }) => journal === id.split('/').at(-1))
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

function documentsOf({ documents }: XeroFake, key: string) {
  return documents.rows.filter(({ Reference, number }) => `${Reference ?? ''} ${number}`.includes(key));
}

function contactsOf({ documents }: XeroFake, kennitala: string): Promise<number> {
  const found = documents.contacts.filter(({ ContactNumber, TaxNumber }) =>
    [ContactNumber, TaxNumber].includes(kennitala),
  );
  return Promise.resolve(found.length);
}
