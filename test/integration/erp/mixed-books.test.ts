// The same mixed documents, foreign ones among them, in every simulated ERP: all are booked, and the books of each add up to
// what hledger computes from the files.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Decimal, ZERO } from '../../../src/domain/decimal.js';
import type { Journal, JournalLine } from '../../../src/domain/journal.js';
import { compareEntry } from '../../../src/erp/compare-entry.js';
import type { ErpAdapter } from '../../../src/erp/erp-adapter.js';
import { fileAdapter } from '../../../src/erp/file/index.js';
import { erpServices, temporaryDirectory } from '../../support/erp/erp-services.js';
import { hledgerBalances } from '../../support/erp/judges.js';
import { type MixedDocument, mixedDocuments } from '../../support/erp/mixed-journals.js';
import { FAKE_CHART } from '../../support/fakes/fake-chart.js';
import { FAKE_ERPS } from '../../support/fakes/fake-erps.js';
import { has } from '../../support/services.js';

const DOCUMENTS = 178;
const SLOW_MS = 240_000;

const ACCOUNTS: Readonly<Record<string, string>> = {
  '3010': '3000',
  '3020': '3000',
  '2501': '2500',
  '2430': '1910',
};

/** In the words of the chart that all simulations share. Xero keeps no bank account in a journal, so none is used. */
function inFakeChart({ key, journal }: MixedDocument): MixedDocument {
  const party = journal.party?.kind === 'supplier' ? FAKE_CHART.supplier : FAKE_CHART.customer;
  const lines = journal.lines.map((line): JournalLine => {
    const account = line.role === 'expense' ? '6000' : (ACCOUNTS[line.account] ?? line.account);
    const { counterparty, dimensions, ...rest } = line;
    return {
      ...rest,
      account: account === '1910' ? '9900' : account,
      ...(counterparty === undefined ? {} : { counterparty: party.kennitala }),
      ...(dimensions ? { dimensions: { [FAKE_CHART.dimension.name]: FAKE_CHART.dimension.value } } : {}),
    };
  });
  return { key, journal: { ...journal, party, lines } };
}

async function postAll(erp: ErpAdapter, documents: readonly MixedDocument[]): Promise<void> {
  for (const document of documents) {
    const outcome = await erp.prepare(document);
    if (outcome.outcome !== 'prepared') throw new Error(JSON.stringify(outcome));
    const posted = await erp.post(outcome.prepared);
    if (posted.outcome !== 'posted') throw new Error(JSON.stringify(posted));
  }
}

type Line = Pick<JournalLine, 'account' | 'debit' | 'credit'>;

function balances(lines: Iterable<Line>): Record<string, string> {
  const totals = new Map<string, Decimal>();
  for (const { account, debit, credit } of lines)
    totals.set(account, (totals.get(account) ?? ZERO).plus(debit).minus(credit));
  return shown(totals);
}

function shown(totals: ReadonlyMap<string, Decimal>): Record<string, string> {
  const entries = [...totals].filter(([, total]) => !total.isZero()).sort();
  return Object.fromEntries(entries.map(([account, total]) => [account, total.toFixed(2)]));
}

describe(`the books of ${String(DOCUMENTS)} mixed documents`, () => {
  const documents = mixedDocuments(20260315, DOCUMENTS).map(inFakeChart);
  const wanted = balances(documents.flatMap(({ journal }) => journal.lines));
  const directory = temporaryDirectory();
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  beforeAll(() => {
    const foreign = documents.filter(({ journal }) => journal.currency !== 'ISK');
    expect(foreign.length).toBeGreaterThan(30);
  });

  test.skipIf(!has('hledger'))('are what hledger computes from the files', async () => {
    const files = fileAdapter.create(
      fileAdapter.configuration.parse({ formats: ['journal'] }),
      erpServices({}, directory),
    );
    await postAll(files, documents);
    expect(shown(await hledgerBalances(join(directory, 'books')))).toEqual(wanted);
  });

  test.each(FAKE_ERPS.filter(({ name }) => name !== 'Odoo (JSON-RPC)'))(
    'hold all of them, with the same balances: $name',
    async ({ open }) => {
      const books = await open();
      const erp = books.connect();
      await postAll(erp, documents);
      const journals = new Map(documents.map(({ key, journal }): [string, Journal] => [key, journal]));
      const lines: Line[] = [];
      for await (const entry of erp.entries({ from: '2026-01-01', to: '2026-12-31' })) {
        const journal = journals.get(entry.key);
        expect(journal && compareEntry(journal, entry, erp.capabilities)).toEqual([]);
        journals.delete(entry.key);
        lines.push(...entry.lines);
      }
      await books.close();
      expect([...journals.keys()]).toEqual([]);
      expect(balances(lines)).toEqual(wanted);
    },
    SLOW_MS,
  );
});
