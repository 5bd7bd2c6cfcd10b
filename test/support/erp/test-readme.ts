// Who follows a README to the letter, with the bundled rules that it names, has a tenant that passes its check and can book a
// sale and a cost.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { Decimal, ZERO } from '../../../src/domain/money.js';
import type { Journal, JournalLine, JournalParty } from '../../../src/domain/journal.js';
import type { ErpAdapter, ErpServices, ExpectedChart } from '../../../src/erp/erp-adapter.js';
import { trialEntry, tryIt } from '../../../src/cli/adapter-try.js';
import { erpAdapter } from '../../../src/erp/registry.js';
import { ruleAccounts, type TenantRules, tenantRules } from '../../../src/pipeline/mapping/rules.js';
import { FAKE_CHART } from '../fakes/fake-chart.js';

/** The ERP as the README wants it, and what a test has to change in the settings: where the ERP is. */
export interface WalkedErp {
  readonly settings: Record<string, unknown>;
  readonly services: ErpServices;
  close(): Promise<void>;
}

const example = z.object({
  erp: z.object({ adapter: z.string(), settings: z.record(z.string(), z.unknown()) }),
  rules: z.object({ extends: z.tuple([z.string()]) }),
});

const furtherSettings = z.record(z.string(), z.unknown());

/** The first is a whole tenant; those that follow it are settings that a reader may add to it. */
function examplesOf(adapter: string) {
  const readme = readFileSync(new URL(`../../../src/erp/${adapter}/README.md`, import.meta.url), 'utf8');
  const [first, ...further] = [...readme.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml]) =>
    parseYaml(yaml ?? ''),
  );
  const { erp, rules } = example.parse(first);
  const walk = (more: Record<string, unknown>) => {
    const added = Object.entries(more).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
    const title = added.length === 0 ? adapter : `${adapter} with ${added.slice(0, 2).join(', ')}`;
    return { title, rules, erp: { ...erp, settings: { ...erp.settings, ...more } } };
  };
  return [walk({}), ...further.map((each) => walk(furtherSettings.parse(each)))];
}

function rulesNamed(name: string): TenantRules {
  const file = new URL(`../../../config/rules/${name}.yaml`, import.meta.url);
  return tenantRules.parse(parseYaml(readFileSync(file, 'utf8')));
}

const OWED = { customer: 'receivable', supplier: 'payable' } as const;

function line(account: string, amount: number, party?: JournalParty): JournalLine {
  const value = new Decimal(amount);
  return {
    account,
    role: party ? OWED[party.kind] : 'expense',
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

export function testReadme(
  name: string,
  open: (expected: ExpectedChart, rules: TenantRules) => Promise<WalkedErp>,
): void {
  describe.each(examplesOf(name))('the README of $title', ({ erp, rules: named }) => {
    const rules = rulesNamed(named.extends[0]);
    const expected = ruleAccounts(rules);
    let walked: WalkedErp;
    let adapter: ErpAdapter;

    beforeAll(async () => {
      walked = await open(expected, rules);
      const definition = await erpAdapter(erp.adapter);
      expect(definition.configuration.safeParse(erp.settings)).toMatchObject({ success: true });
      const settings = definition.configuration.parse({ ...erp.settings, ...walked.settings });
      adapter = definition.create(settings, walked.services);
    });
    afterAll(async () => {
      await adapter.close();
      await walked.close();
    });

    test('leads to a tenant that passes its check', async () => {
      expect(await adapter.health()).toMatchObject({ outcome: 'healthy' });
      const findings = await adapter.validate(expected);
      expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    });

    test('leads to a trial entry that is posted, read back, compared and undone', async () => {
      const steps: string[] = [];
      await tryIt(adapter, trialEntry({ rules }, FAKE_CHART.openDate), ({ step, good, says }) =>
        steps.push(good ? step : `${step}: ${says}`),
      );
      expect(steps).toEqual(['open', 'post', 'find', 'compare', 'reverse']);
    });

    test('leads to books that take a sale, and a cost on account and from the bank', async () => {
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
      // Where people finish what waits, it may be all of it or the documents that they approve.
      const done = finality === 'draft' ? ['draft', 'posted'] : ['posted'];
      expect(done).toContain(await posted(adapter, 'IABCDEFGHIJKLMNOPQR2', sale));
      expect(done).toContain(await posted(adapter, 'CABCDEFGHIJKLMNOPQR3', bought));
      expect(done).toContain(await posted(adapter, 'CABCDEFGHIJKLMNOPQR4', paid));
    });
  });
}
