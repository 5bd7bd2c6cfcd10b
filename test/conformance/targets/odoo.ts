import type { ConformanceBed, ConformanceTarget } from '../../../lab/kit/conformance/target.js';
import { sum } from '../../../src/domain/money.js';
import { ENTRIES_PAGE_SIZE, OWED } from '../../../src/erp/odoo/settings.js';
import { odooAdapter } from '../../../src/erp/odoo/index.js';
import { keptFile } from '../../support/erp/kept-file.js';
import { FAKE_CHART, LOCKED_UNTIL } from '../../support/fakes/fake-chart.js';
import { FakeServer, type FakeVendor } from '../../support/fakes/fake-server.js';
import { fakeServices, splitting } from '../../support/fakes/fake-services.js';
import { ODOO_COMPANY, ODOO_KEY, odooBooks, odooSettings } from '../../support/fakes/odoo-books.js';

const NO_DOCUMENTS = 'these are plain entries; with `books: documents` there are invoices to match with';

function target(name: string, judge: string, settings: Record<string, unknown>): ConformanceTarget {
  const exempt = {
    'matched-after-crash': NO_DOCUMENTS,
    'payment-taken-back': NO_DOCUMENTS,
    'bill-credited': NO_DOCUMENTS,
  };
  const notApplicable = 'books' in settings ? {} : exempt;
  return { name, judge, notApplicable, open: () => openOdooBooks(settings) };
}

export const odooTarget = target('odoo', "fake built from Odoo's documentation and source, JSON-2", {});

export const odooDocumentsTarget = target(
  'odoo-documents',
  "fake built from Odoo's documentation and source, JSON-2, invoices and bills as documents",
  { books: 'documents' },
);

export const odooRpcTarget = target(
  'odoo-json-rpc',
  "fake built from Odoo's documentation and source, JSON-RPC",
  {
    protocol: 'json-rpc',
    user: 'bot@example.is',
  },
);

/** `between`: what stands between the adapter and Odoo, for a test of the suite itself. */
export async function openOdooBooks(
  settings: Record<string, unknown>,
  between: (odoo: FakeVendor) => FakeVendor = (odoo) => odoo,
): Promise<ConformanceBed> {
  const fake = odooBooks();
  const server = await new FakeServer(between(fake)).start();
  return {
    chart: FAKE_CHART,
    connect(variant = 'normal', shared = {}) {
      const key = variant === 'bad-credentials' ? 'not-the-key' : ODOO_KEY;
      const company = variant === 'wrong-company' ? { company: '6612345670' } : {};
      const configuration = odooAdapter.configuration.parse(
        odooSettings(server.origin, { ...settings, ...company }),
      );
      const services = { ...fakeServices({ 'env:ODOO_KEY': key }), ...splitting(variant), ...shared };
      return Promise.resolve(odooAdapter.create(configuration, services));
    },
    provoke: (fault) => server.provoke(fault),
    heal: () => server.heal(),
    heard: () => server.heard(),
    count(key) {
      const moves = fake.records.search('account.move', [['ref', '=', key]]);
      const posted = moves.filter((move) => move['state'] === 'posted').length;
      return Promise.resolve({ posted, drafts: moves.length - posted });
    },
    countParties: (kennitala) => {
      const numbered = ['|', ['company_registry', '=', kennitala], ['vat', '=', `IS${kennitala}`]];
      return Promise.resolve(
        fake.records.search('res.partner', [['parent_id', '=', false], ...numbered]).length,
      );
    },
    owed(key) {
      const moves = fake.records.search('account.move', [['ref', '=', key]]).map((move) => move.id);
      const lines = fake.records.search('account.move.line', [['move_id', 'in', moves]]);
      return Promise.resolve(sum(lines.filter((line) => line['display_type'] === OWED).map(fake.openOf)));
    },
    texts(key) {
      const moves = fake.records.search('account.move', [['ref', '=', key]]).map((move) => move.id);
      const lines = fake.records.search('account.move.line', [['move_id', 'in', moves]]);
      return Promise.resolve(lines.map((line) => String(line['name'])));
    },
    attachments({ id }) {
      const files = fake.records.search('ir.attachment', [
        ['res_model', '=', 'account.move'],
        ['res_id', '=', Number(id)],
      ]);
      return Promise.resolve(
        files.map((file) => keptFile(String(file['name']), Buffer.from(String(file['datas']), 'base64'))),
      );
    },
    crowd(date) {
      const [journal] = fake.records.rows('account.journal');
      for (let count = 0; count <= ENTRIES_PAGE_SIZE; count++)
        fake.records.insert('account.move', {
          name: `LAUN/${String(count)}`,
          ref: `Laun ${String(count)}`,
          date,
          state: 'posted',
          move_type: 'entry',
          journal_id: journal?.id,
        });
      return Promise.resolve();
    },
    closeOpenDate(isClosed) {
      const company = fake.records
        .rows('res.company')
        .find((row) => row['company_registry'] === ODOO_COMPANY);
      if (company) company['fiscalyear_lock_date'] = isClosed ? FAKE_CHART.openDate : LOCKED_UNTIL;
      return Promise.resolve();
    },
    close: () => server.stop(),
  };
}
