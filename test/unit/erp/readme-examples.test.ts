// The README of every adapter, followed to the letter. The simulations are set up as it tells its reader to set up the ERP; Tryton's is
// walked in test/conformance, on the server that runs there.
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ERP_ADAPTER_NAMES } from '../../../src/erp/registry.js';
import type { ExpectedChart } from '../../../src/erp/erp-adapter.js';
import type { TenantRules } from '../../../src/pipeline/mapping/rules.js';
import { startErpLedger } from '../../../lab/sandbox/erp-ledger/server.js';
import { erpServices } from '../../support/erp/erp-services.js';
import { testReadme } from '../../support/erp/test-readme.js';
import { BC_SECRET, businessCentralBooks } from '../../support/fakes/business-central-books.js';
import { DK_TOKEN, dkPlusBooks } from '../../support/fakes/dkplus-books.js';
import { FakeServer, type FakeVendor } from '../../support/fakes/fake-server.js';
import { fakeServices } from '../../support/fakes/fake-services.js';
import { ODOO_KEY, odooBooks } from '../../support/fakes/odoo-books.js';
import { UNICONTA_PASSWORD, unicontaBooks } from '../../support/fakes/uniconta-books.js';
import { XERO_SECRET, xeroBooks } from '../../support/fakes/xero-books.js';
import { LEDGER_SECRET } from '../../support/http-erp.js';

const SECRETS = {
  'env:BC_SECRET': BC_SECRET,
  'env:DK_TOKEN': DK_TOKEN,
  'env:ODOO_KEY': ODOO_KEY,
  'env:UNICONTA_PASSWORD': UNICONTA_PASSWORD,
  'env:XERO_SECRET': XERO_SECRET,
};

/** The ERP as the README wants it, and what a test has to change in the settings: where the ERP is. */
interface Bench {
  vendor(expected: ExpectedChart, rules: TenantRules): FakeVendor;
  address(origin: string): Record<string, unknown>;
}

function controlsOf({ accounts, cost }: TenantRules) {
  return { customers: accounts.receivable, suppliers: String(cost.howPaid['1']) };
}

const BENCHES: Readonly<Record<string, Bench>> = {
  dkplus: {
    vendor({ accounts }, rules) {
      const fake = dkPlusBooks();
      fake.controls = controlsOf(rules);
      for (const number of accounts) fake.accounts.set(number, { Name: number, TaxCode: '', Closed: false });
      return fake;
    },
    address: (origin) => ({ baseUrl: `${origin}/api/v1` }),
  },
  'business-central': {
    vendor({ accounts, dimensions }, rules) {
      const fake = businessCentralBooks();
      fake.ledger.controls = controlsOf(rules);
      const control = Object.values(controlsOf(rules));
      for (const number of accounts)
        fake.ledger.accounts.set(number, {
          blocked: false,
          accountType: 'Posting',
          directPosting: !control.includes(number),
        });
      for (const code of Object.keys(dimensions)) fake.ledger.dimensions.set(code, new Set(['RVK']));
      return fake;
    },
    address: (origin) => ({ baseUrl: origin, loginUrl: origin }),
  },
  odoo: {
    vendor({ accounts }) {
      const fake = odooBooks();
      for (const { id } of fake.records.rows('res.company'))
        for (const code of accounts)
          fake.records.insert('account.account', { name: code, code, tax_ids: false, company_id: id });
      fake.records.insert('account.analytic.plan', { name: 'Verkefni' });
      return fake;
    },
    address: (origin) => ({ url: origin, database: 'prufa' }),
  },
  uniconta: {
    vendor({ accounts }, rules) {
      const fake = unicontaBooks();
      const { customers, suppliers } = controlsOf(rules);
      fake.controls = { Debtor: customers, Creditor: suppliers };
      for (const number of accounts)
        fake.accounts.set(number, { Name: number, AccountType: 'Account', Blocked: false });
      return fake;
    },
    address: (origin) => ({ baseUrl: origin }),
  },
  xero: {
    vendor({ accounts }, rules) {
      const fake = xeroBooks({ clientId: '0123456789ABCDEF0123456789ABCDEF' });
      const system: Record<string, string> = {
        [rules.accounts.receivable]: 'DEBTORS',
        [String(rules.cost.howPaid['1'])]: 'CREDITORS',
      };
      for (const code of accounts) {
        const Type = code === rules.accounts.bank ? 'BANK' : 'CURRENT';
        fake.accounts.set(code, { Type, Status: 'ACTIVE', SystemAccount: system[code] ?? null });
      }
      // Those that the README has its reader make.
      for (const code of ['1590', '1990', '2490'])
        fake.accounts.set(code, { Type: 'CURRENT', Status: 'ACTIVE', SystemAccount: null });
      for (const category of ['Staður', 'Verkefni']) fake.tracking.set(category, new Set());
      return fake;
    },
    address: (origin) => ({ baseUrl: origin, identityUrl: origin }),
  },
};

for (const [name, bench] of Object.entries(BENCHES))
  testReadme(name, async (expected, rules) => {
    const server = await new FakeServer(bench.vendor(expected, rules)).start();
    return {
      settings: bench.address(server.origin),
      services: fakeServices(SECRETS),
      close: () => server.stop(),
    };
  });

testReadme('http', async () => {
  const ledger = await startErpLedger({ company: 'Fjörður ehf.', ledger: 'main', secret: LEDGER_SECRET });
  return {
    settings: { baseUrl: ledger.url },
    services: erpServices({ 'env:LEDGER_SECRET': LEDGER_SECRET }),
    close: () => ledger.close(),
  };
});

testReadme('file', () => {
  const services = erpServices();
  const close = () => rm(services.dataDirectory, { recursive: true, force: true });
  return Promise.resolve({ settings: {}, services, close });
});

test('every adapter is walked', () => {
  const walked = [...Object.keys(BENCHES), 'http', 'file', 'tryton'];
  expect([...ERP_ADAPTER_NAMES].sort()).toEqual(walked.sort());
});
