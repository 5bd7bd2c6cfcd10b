// Who follows a README to the letter, with the bundled rules that it names, has a tenant that passes its check and can book a
// sale and a cost. The simulations are set up as the README tells its reader to set up the ERP.
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { Decimal, ZERO } from '../../../src/domain/decimal.js';
import type { Journal, JournalLine, JournalParty } from '../../../src/domain/journal.js';
import type { ErpAdapter, ExpectedChart } from '../../../src/erp/erp-adapter.js';
import { erpAdapter } from '../../../src/erp/registry.js';
import { ruleAccounts } from '../../../src/pipeline/mapping/rule-accounts.js';
import { type TenantRules, tenantRules } from '../../../src/pipeline/mapping/rules.js';
import { BC_SECRET, businessCentralBooks } from '../../support/fakes/business-central-books.js';
import { DK_TOKEN, dkPlusBooks } from '../../support/fakes/dkplus-books.js';
import { FAKE_CHART } from '../../support/fakes/fake-chart.js';
import { FakeServer, type FakeVendor } from '../../support/fakes/fake-server.js';
import { fakeServices } from '../../support/fakes/fake-services.js';
import { ODOO_KEY, odooBooks } from '../../support/fakes/odoo-books.js';
import { UNICONTA_PASSWORD, unicontaBooks } from '../../support/fakes/uniconta-books.js';
import { XERO_SECRET, xeroBooks } from '../../support/fakes/xero-books.js';

const example = z.object({
  erp: z.object({ adapter: z.string(), settings: z.record(z.string(), z.unknown()) }),
  rules: z.object({ extends: z.tuple([z.string()]) }),
});

function exampleOf(adapter: string) {
  const readme = readFileSync(new URL(`../../../src/erp/${adapter}/README.md`, import.meta.url), 'utf8');
  return example.parse(parseYaml(/```yaml\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''));
}

function rulesNamed(name: string): TenantRules {
  const file = new URL(`../../../config/rules/${name}.yaml`, import.meta.url);
  return tenantRules.parse(parseYaml(readFileSync(file, 'utf8')));
}

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

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function connected(name: string, bench: Bench) {
  const { erp, rules: named } = exampleOf(name);
  const rules = rulesNamed(named.extends[0]);
  const expected = ruleAccounts(rules);
  const server = await new FakeServer(bench.vendor(expected, rules)).start();
  const definition = await erpAdapter(erp.adapter);
  const settings = definition.configuration.parse({ ...erp.settings, ...bench.address(server.origin) });
  const adapter = definition.create(settings, fakeServices(SECRETS));
  closers.push(
    () => server.stop(),
    () => adapter.close(),
  );
  return { adapter, rules, expected };
}

function line(account: string, amount: number, party?: JournalParty): JournalLine {
  const value = new Decimal(amount);
  return {
    account,
    role: party?.kind === 'customer' ? 'receivable' : 'expense',
    debit: amount > 0 ? value : ZERO,
    credit: amount > 0 ? ZERO : value.negated(),
    text: 'Færsla',
    ...(party ? { counterparty: party.kennitala } : {}),
  };
}

function journal(documentNo: string, party: JournalParty, lines: readonly JournalLine[]): Journal {
  const { openDate } = FAKE_CHART;
  return {
    documentNo,
    externalReference: documentNo,
    postingDate: openDate,
    documentDate: openDate,
    description: 'Prufa',
    currency: 'ISK',
    exchangeRate: new Decimal(1),
    party,
    lines,
  };
}

async function posted(erp: ErpAdapter, key: string, wanted: Journal): Promise<string> {
  const prepared = await erp.prepare({ key, journal: wanted });
  return prepared.outcome === 'prepared'
    ? (await erp.post(prepared.prepared)).outcome
    : JSON.stringify(prepared);
}

describe.each(Object.entries(BENCHES))('the README of %s', (name, bench) => {
  test('leads to a tenant that passes its check', async () => {
    const { adapter, expected } = await connected(name, bench);
    const findings = await adapter.validate(expected);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('leads to books that take a sale, and a cost on account and from the bank', async () => {
    const { adapter, rules } = await connected(name, bench);
    const { customer, supplier } = FAKE_CHART;
    const revenue = String(rules.invoice.revenueByTreatment['S']);
    const expense = String(Object.values(rules.cost.codes)[0]?.account);
    const howPaid = (code: string) => String(rules.cost.howPaid[code]);
    const sale = journal('SR1', customer, [
      line(rules.accounts.receivable, 100, customer),
      line(revenue, -100),
    ]);
    const bought = journal('K1', supplier, [line(expense, 50), line(howPaid('1'), -50, supplier)]);
    const paid = journal('K2', supplier, [line(expense, 50), line(howPaid('2'), -50)]);
    const { finality } = adapter.capabilities;
    const done = finality === 'draft' ? 'draft' : 'posted';
    expect(await posted(adapter, 'IABCDEFGHIJKLMNOPQR2', sale)).toBe(done);
    expect(await posted(adapter, 'CABCDEFGHIJKLMNOPQR3', bought)).toBe(done);
    expect(await posted(adapter, 'CABCDEFGHIJKLMNOPQR4', paid)).toBe(done);
  });
});

test.each(['tryton', 'http', 'file'])(
  'the example of %s has settings that are right, with a place for every dimension',
  async (name) => {
    const { erp, rules } = exampleOf(name);
    const definition = await erpAdapter(erp.adapter);
    expect(definition.configuration.safeParse(erp.settings)).toMatchObject({ success: true });
    const dimensions = Object.keys(ruleAccounts(rulesNamed(rules.extends[0])).dimensions);
    if (name === 'tryton') expect(Object.keys(erp.settings['dimensions'] as object)).toEqual(dimensions);
  },
);
