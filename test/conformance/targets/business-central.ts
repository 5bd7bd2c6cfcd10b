import { randomUUID } from 'node:crypto';
import { LosslessNumber } from 'lossless-json';
import { Decimal, sum, ZERO } from '../../../src/domain/money.js';
import {
  DOCUMENTS_PAGE_SIZE,
  ENTRIES_PAGE_SIZE,
  SCHEDULED_MINUTES_MAX,
} from '../../../src/erp/business-central/settings.js';
import { businessCentralAdapter } from '../../../src/erp/business-central/index.js';
import type { ConformanceBed, ConformanceTarget } from '../../../lab/kit/conformance/target.js';
import {
  BC_DOCUMENTS,
  BC_SECRET,
  businessCentralBooks,
  businessCentralSettings,
} from '../../support/fakes/business-central-books.js';
import { keptFile } from '../../support/erp/kept-file.js';
import type { BusinessCentralFake } from '../../support/fakes/business-central-fake.js';
import type { BcLineRow } from '../../support/fakes/business-central-ledger.js';
import { FAKE_CHART } from '../../support/fakes/fake-chart.js';
import { FakeServer } from '../../support/fakes/fake-server.js';
import { fakeServices, splitting } from '../../support/fakes/fake-services.js';

const ANOTHER_COMPANY = '11111111-2222-4333-8444-555555555555';

const NO_DOCUMENTS =
  'these are journals; with `books: documents` there are bills to set credit notes against';

export const businessCentralTarget: ConformanceTarget = {
  name: 'business-central',
  judge: "fake built from Microsoft's documentation and the AL source of the API",
  notApplicable: { 'bill-credited': NO_DOCUMENTS },
  open: () => openBooks(false, {}),
};

export const businessCentralQueueTarget: ConformanceTarget = {
  ...businessCentralTarget,
  name: 'business-central-job-queue',
  judge: `${businessCentralTarget.judge}, posting with the job queue`,
  open: () => openBooks(true, {}),
};

export const businessCentralDocumentsTarget: ConformanceTarget = {
  ...businessCentralTarget,
  name: 'business-central-documents',
  judge: `${businessCentralTarget.judge}, sales and purchase documents`,
  notApplicable: {},
  open: () => openBooks(false, BC_DOCUMENTS),
};

export const businessCentralCurrencyTarget: ConformanceTarget = {
  ...businessCentralTarget,
  name: 'business-central-documents-in-currency',
  judge: `${businessCentralTarget.judge}, sales and purchase documents in their currency`,
  notApplicable: {},
  open: () => openBooks(false, { ...BC_DOCUMENTS, foreignDocuments: 'in-currency' }),
};

async function openBooks(jobQueue: boolean, more: Record<string, unknown>): Promise<ConformanceBed> {
  // Three reads: the adapter has said pending by then, and finds the entry when it is asked again.
  const fake = businessCentralBooks({ jobQueue, queueRunsAfterReads: 3 });
  const { ledger } = fake;
  const server = await new FakeServer(fake).start();
  let passedMs = 0;
  const clock = { now: () => new Date(Date.now() + passedMs) };
  return {
    chart: FAKE_CHART,
    connect(variant = 'normal', shared = {}) {
      const secret = variant === 'bad-credentials' ? 'not-the-secret' : BC_SECRET;
      const company = variant === 'wrong-company' ? { companyId: ANOTHER_COMPANY } : {};
      const posting = jobQueue ? 'job-queue' : 'immediate';
      const settings = businessCentralSettings(server.origin, { posting, ...company, ...more });
      const configuration = businessCentralAdapter.configuration.parse(settings);
      const services = {
        ...fakeServices({ 'env:BC_SECRET': secret }, clock),
        ...splitting(variant),
        ...shared,
      };
      return Promise.resolve(businessCentralAdapter.create(configuration, services));
    },
    provoke: (fault) => server.provoke(fault),
    heal: () => {
      // By the time that somebody has repaired it, the job queue would long have run.
      passedMs += (SCHEDULED_MINUTES_MAX + 1) * 60_000;
      return server.heal();
    },
    heard: () => server.heard(),
    count(key) {
      ledger.runJobQueue();
      const entries = ledger.entries.filter((entry) => entry.documentNumber === key);
      const posted = new Set(entries.map((entry) => ledger.transactionOf.get(entry.id))).size;
      // The blank line that posting leaves may have kept the number; a draft has amounts.
      const isDraft = ({ documentNumber, amount }: BcLineRow) => documentNumber === key && !amount.isZero();
      const journals = ledger.journals.filter((journal) => journal.lines.some(isDraft)).length;
      const documents = documentsOf(fake, key);
      const waiting = documents.filter(({ status }) => status === 'Draft').length;
      return Promise.resolve({
        posted: posted + documents.length - waiting,
        drafts: journals + waiting,
      });
    },
    countParties: (kennitala) =>
      Promise.resolve(
        [...ledger.customers, ...ledger.vendors].filter((each) => each.taxRegistrationNumber === kennitala)
          .length,
      ),
    owed: (key) => Promise.resolve(sum(documentsOf(fake, key).map(({ remaining }) => remaining))),
    texts: (key) =>
      Promise.resolve([
        ...ledger.entries.filter((entry) => entry.documentNumber === key).map((entry) => entry.description),
        ...documentsOf(fake, key).flatMap(({ lines }) => lines.map(({ description }) => description)),
      ]),
    attachments: ({ id }) =>
      Promise.resolve(
        fake.attachments
          .filter(({ parentId }) => parentId === id.split('/').at(-1))
          .map(({ fileName, content }) => keptFile(fileName, content)),
      ),
    crowd(day) {
      for (let count = 0; count <= ENTRIES_PAGE_SIZE; count++)
        ledger.entries.push({
          id: randomUUID(),
          entryNumber: ledger.entries.length + 1,
          postingDate: day,
          // An invoice of Business Central's own; only the form tells it from one of ours.
          documentNumber: `S-INV${String(count)}`,
          documentType: 'Invoice',
          accountNumber: FAKE_CHART.revenue,
          description: 'Pöntun',
          debitAmount: new Decimal(count),
          creditAmount: ZERO,
          dimensionSetLines: [],
        });
      if ('books' in more) crowdDocuments(fake, day);
      return Promise.resolve();
    },
    closeOpenDate(isClosed) {
      ledger.closedUntil = isClosed ? FAKE_CHART.openDate : '';
      return Promise.resolve();
    },
    close: () => server.stop(),
  };
}

/** Without those that are empty and fill a gap in the series of numbers. */
function documentsOf({ documents }: BusinessCentralFake, key: string) {
  return documents.rows
    .filter(({ lines, status }) => status === 'Draft' || lines.length > 0)
    .filter(({ head }) => Object.values(head).some((value) => String(value).endsWith(` ${key}`)));
}

/** Invoices that people made, more than a page. */
function crowdDocuments({ documents }: BusinessCentralFake, postingDate: string): void {
  for (let count = 0; count <= DOCUMENTS_PAGE_SIZE; count++) {
    const head = { customerNumber: FAKE_CHART.customer.kennitala, postingDate, currencyCode: 'ISK' };
    const { id } = documents.create('salesInvoices', head);
    const line = { sequence: new LosslessNumber('10000'), lineType: 'Account', taxCode: 'NO VAT' };
    const item = { lineObjectNumber: FAKE_CHART.revenue, quantity: new LosslessNumber('1') };
    documents.addLine('salesInvoices', id, { ...line, ...item, unitPrice: new LosslessNumber('100') });
    documents.post('salesInvoices', id);
  }
}
