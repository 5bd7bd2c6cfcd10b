// Part of the year of a generated company, foreign documents and payments among them, mapped as the bridge maps them, in every ERP:
// real files, a real Tryton, the ledger behind plain HTTP, and the simulations. Every entry is booked, and the balances of each are
// those that hledger computes from the files. In Tryton the VAT and every customer's debt are judged too.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Decimal, sum, ZERO } from '../../../src/domain/decimal.js';
import type { Journal, JournalLine } from '../../../src/domain/journal.js';
import { plainJournal } from '../../../src/domain/journal-json.js';
import { freshKey } from '../../../src/erp/conformance/journals.js';
import { vatOfJournal } from '../../../src/operations/vat/vat-ledger.js';
import { ruleClasses } from '../../../src/pipeline/mapping/rule-classes.js';
import type { ErpAdapter } from '../../../src/erp/erp-adapter.js';
import { owedOn } from '../../../src/erp/owed-line.js';
import { compareEntry } from '../../../src/erp/compare-entry.js';
import { fileAdapter } from '../../../src/erp/file/index.js';
import { trytonAdapter } from '../../../src/erp/tryton/index.js';
import { erpServices, temporaryDirectory } from '../../support/erp/erp-services.js';
import { beanCheck, hledger, hledgerBalances, ledger } from '../../support/erp/judges.js';
import { TRYTON_AXIS, TRYTON_COMPANY, TRYTON_TAXES } from '../../support/erp/tryton-company.js';
import { date, TrytonRpc } from '../../support/erp/tryton-rpc.js';
import {
  startTryton,
  TRYTON_DATABASE,
  TRYTON_PASSWORD,
  TRYTON_USER,
  type TrytonServer,
} from '../../support/erp/tryton-server.js';
import { CUSTOMERS, YEAR_RULES, yearOfACompany } from '../../support/erp/year-of-a-company.js';
import { IN_CURRENCY, SIMULATIONS } from '../../support/erp/simulations.js';
import { has } from '../../support/services.js';

/** Entries that every ERP is given; `JUDGED_ENTRIES=3000` has them judge the whole year, which takes Tryton up to an hour. */
const ENTRIES = Number(process.env['JUDGED_ENTRIES'] ?? 178);
const SLOW_MS = Math.max(900_000, ENTRIES * 2500);

interface Booked {
  readonly key: string;
  readonly journal: Journal;
}

async function postAll(erp: ErpAdapter, documents: readonly Booked[], atOnce: number): Promise<void> {
  const waiting = [...documents];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const outcome = await erp.prepare(next);
        if (outcome.outcome !== 'prepared') throw new Error(JSON.stringify(outcome));
        const posted = await erp.post(outcome.prepared);
        const { finality } = erp.capabilities;
        if (posted.outcome !== (finality === 'draft' ? 'draft' : 'posted'))
          throw new Error(JSON.stringify(posted));
      }
    }),
  );
}

async function trytonBalances(server: TrytonServer): Promise<Map<string, Decimal>> {
  const rpc = await TrytonRpc.login(server.rpcUrl, TRYTON_USER, TRYTON_PASSWORD);
  const [year] = await rpc.search('account.fiscalyear', [['start_date', '=', date('2026-01-01')]]);
  rpc.use({ company: 1, fiscalyear: year, posted: true });
  const ids = await rpc.search('account.general_ledger.account', []);
  const rows = await rpc.read('account.general_ledger.account', ids, ['account.code', 'debit', 'credit']);
  const amount = (value: unknown) => new Decimal((value as { decimal: string }).decimal);
  return new Map(
    rows
      .map((row): [string, Decimal] => {
        const { code } = row['account.'] as { code: string };
        return [code, amount(row['debit']).minus(amount(row['credit']))];
      })
      .filter(([, balance]) => !balance.isZero()),
  );
}

/** Kennitala → what its lines on the receivable come to. */
async function trytonDebts(server: TrytonServer): Promise<Map<string, Decimal>> {
  const rpc = await TrytonRpc.login(server.rpcUrl, TRYTON_USER, TRYTON_PASSWORD);
  rpc.use({ company: 1 });
  const amount = (value: unknown) => new Decimal((value as { decimal: string }).decimal);
  const debts = new Map<string, Decimal>();
  for (const kennitala of CUSTOMERS) {
    const of = [
      ['account.code', '=', '1500'],
      ['party.identifiers.code', '=', kennitala],
    ];
    const lines = await rpc.read('account.move.line', await rpc.search('account.move.line', of), [
      'debit',
      'credit',
    ]);
    debts.set(kennitala, sum(lines.map((line) => amount(line['debit']).minus(amount(line['credit'])))));
  }
  return debts;
}

/** Boxes of the VAT return by Tryton's own report. */
async function trytonBoxes(server: TrytonServer): Promise<Record<string, string>> {
  const rpc = await TrytonRpc.login(server.rpcUrl, TRYTON_USER, TRYTON_PASSWORD);
  rpc.use({ company: 1 });
  const periods = await rpc.search('account.period', [['start_date', '>=', date('2026-01-01')]]);
  rpc.use({ periods });
  const codes = await rpc.read('account.tax.code', await rpc.search('account.tax.code', []), [
    'code',
    'amount',
  ]);
  return Object.fromEntries(
    codes
      .map(({ code, amount }) => [String(code), (amount as { decimal: string }).decimal] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function shown(balances: ReadonlyMap<string, Decimal>): Record<string, string> {
  return Object.fromEntries([...balances].sort().map(([account, balance]) => [account, balance.toFixed(2)]));
}

/** As many documents as come to so many entries: some have a settlement and payments. */
function someOfTheYear() {
  for (let each = Math.ceil(ENTRIES / 4); ; each += Math.ceil(ENTRIES / 20)) {
    const year = yearOfACompany(each);
    if (year.journals.length >= ENTRIES || each > ENTRIES) return year;
  }
}

/** Codes of Business Central are kept in upper case, so the rules of a tenant there name them so. */
function namedFor(erp: string, documents: readonly Booked[]): readonly Booked[] {
  if (erp !== 'Business Central') return documents;
  const upper = ({ dimensions = {}, ...line }: JournalLine): JournalLine => ({
    ...line,
    dimensions: Object.fromEntries(
      Object.entries(dimensions).map(([name, value]) => [name, value.toUpperCase()]),
    ),
  });
  return documents.map(({ key, journal }) => ({
    key,
    journal: { ...journal, lines: journal.lines.map(upper) },
  }));
}

/** Every entry of the year, each compared with what was sent, and what they come to by account. */
async function balancesOf(erp: ErpAdapter, documents: readonly Booked[]): Promise<Map<string, Decimal>> {
  const wanted = new Map(documents.map(({ key, journal }) => [key, journal]));
  const totals = new Map<string, Decimal>();
  for await (const entry of erp.entries({ from: '2026-01-01', to: '2026-12-31' })) {
    const journal = wanted.get(entry.key);
    expect(journal && compareEntry(journal, entry, erp.capabilities)).toEqual([]);
    wanted.delete(entry.key);
    for (const { account, debit, credit } of entry.lines)
      totals.set(account, (totals.get(account) ?? ZERO).plus(debit).minus(credit));
  }
  expect([...wanted.keys()]).toEqual([]);
  return new Map([...totals].filter(([, total]) => !total.isZero()));
}

describe.skipIf(!has('hledger'))(`the books of a company, ${String(ENTRIES)} entries`, () => {
  const { journals, open } = someOfTheYear();
  const documents = journals.map((journal): Booked => ({ key: freshKey(), journal }));
  const directory = temporaryDirectory();
  const books = join(directory, 'books');
  const files = fileAdapter.create(
    fileAdapter.configuration.parse({ formats: ['journal', 'beancount', 'csv'] }),
    { ...erpServices({}, directory), accountClasses: ruleClasses(YEAR_RULES) },
  );

  /** Numbers of invoices in ISK whose receivable comes to nothing by all that was booked under their guid. */
  const settledNumbers = (): string[] => {
    const owed = new Map<string, Decimal>();
    for (const { externalReference, lines } of journals)
      for (const { role, debit, credit } of lines)
        if (role === 'receivable' || role === 'payable')
          owed.set(externalReference, (owed.get(externalReference) ?? ZERO).plus(debit).minus(credit));
    return journals
      .filter((journal) => journal.currency === 'ISK' && owedOn(journal))
      .filter(({ externalReference }) => owed.get(externalReference)?.isZero())
      .map(({ documentNo }) => documentNo)
      .sort();
  };

  beforeAll(async () => {
    const foreign = journals.filter(({ currency }) => currency !== 'ISK');
    expect(foreign.length).toBeGreaterThan(ENTRIES / 6);
    await postAll(files, documents, 16);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test.each(SIMULATIONS)(
    'hold all of them in $name, with the balances that hledger computes from the files',
    async ({ name, open: openBooks }) => {
      const opened = await openBooks(journals);
      onTestFinished(() => opened.close());
      const erp = opened.connect();
      const named = namedFor(name, documents);
      await postAll(erp, named, erp.capabilities.concurrency);
      const balances = shown(await balancesOf(erp, named));
      expect(Object.keys(balances).length).toBeGreaterThan(12);
      expect(balances).toEqual(shown(await hledgerBalances(books)));
    },
    SLOW_MS,
  );

  test.each(IN_CURRENCY)(
    'hold all of them in $name, each foreign one to the cent, and balances as near as its rates are',
    async ({ open: openBooks }) => {
      const opened = await openBooks(journals);
      onTestFinished(() => opened.close());
      const erp = opened.connect();
      await postAll(erp, documents, erp.capabilities.concurrency);
      const balances = await balancesOf(erp, documents);
      const inFiles = await hledgerBalances(books);
      const turnover = sum(journals.flatMap(({ lines }) => lines.map(({ debit }) => debit)));
      const slack = turnover.times(erp.capabilities.foreignIskTolerance ?? 0).plus(ENTRIES);
      for (const account of new Set([...balances.keys(), ...inFiles.keys()])) {
        const apart = (balances.get(account) ?? ZERO).minus(inFiles.get(account) ?? ZERO).abs();
        expect(apart.lessThanOrEqualTo(slack), `${account} is ${apart.toFixed()} apart`).toBe(true);
      }
    },
    SLOW_MS,
  );

  test.skipIf(!has('ledger') || !has('bean-check'))(
    'are accepted by hledger, ledger and beancount in their strictest modes',
    async () => {
      await hledger(books, 'check', '--strict');
      expect(await ledger(books, 'balance', '-B')).toMatch(/-+\n\s+0\n$/);
      await beanCheck(books);
    },
  );

  describe.skipIf(!has('trytond'))('in a real Tryton, invoices and bills as documents of its own', () => {
    let server: TrytonServer;
    let tryton: ErpAdapter;

    beforeAll(async () => {
      server = await startTryton();
      const configuration = trytonAdapter.configuration.parse({
        baseUrl: server.url,
        database: TRYTON_DATABASE,
        user: TRYTON_USER,
        password: 'env:TRYTON_PASSWORD',
        company: TRYTON_COMPANY.kennitala,
        dimensions: { costLocation: { root: TRYTON_AXIS } },
        partners: { create: true },
        books: 'documents',
        taxes: TRYTON_TAXES,
      });
      tryton = trytonAdapter.create(configuration, erpServices({ 'env:TRYTON_PASSWORD': TRYTON_PASSWORD }));
      // What is owed comes before what is paid of it, and one payment of an invoice at a time, as the bridge sends them.
      const isOwed = ({ journal }: Booked) => owedOn(journal) !== null;
      await postAll(tryton, documents.filter(isOwed), 2);
      await postAll(
        tryton,
        documents.filter((each) => !isOwed(each)),
        1,
      );
    }, SLOW_MS);

    afterAll(async () => {
      await tryton.close();
      await server.stop();
    });

    test('have the same trial balance as hledger computes from the files', async () => {
      const inTryton = shown(await trytonBalances(server));
      expect(Object.keys(inTryton).length).toBeGreaterThan(12);
      expect(shown(await hledgerBalances(books))).toEqual(inTryton);
    });

    test('have the same VAT as the VAT return says', async () => {
      const inTryton = await trytonBalances(server);
      const rows = journals.flatMap((journal) => vatOfJournal(plainJournal(journal) as never, YEAR_RULES));
      const out = sum(rows.map((row) => (row.side === 'sale' ? row.vat : row.owed)));
      const back = sum(rows.map((row) => (row.side === 'sale' ? ZERO : row.vat)));
      const balance = (...codes: string[]) => sum(codes.map((code) => inTryton.get(code) ?? ZERO)).toFixed();
      expect(balance('2500', '2501', '2502')).toBe(out.neg().toFixed());
      expect(balance('1600', '1601', '1603')).toBe(back.toFixed());
      expect(out.isZero()).toBe(false);
    });

    test("have in Tryton's own VAT report what the VAT return says, by the codes that have a tax there", async () => {
      const rows = journals
        .flatMap((journal) => vatOfJournal(plainJournal(journal) as never, YEAR_RULES))
        .filter(({ code }) => code in TRYTON_TAXES);
      const total = (of: (row: (typeof rows)[number]) => Decimal) => sum(rows.map(of)).toFixed(2);
      const only = (isIt: boolean, amount: Decimal) => (isIt ? amount : ZERO);
      expect(await trytonBoxes(server)).toEqual({
        A: total(({ box, base }) => only(box === 'A', base)),
        B: total(({ box, base }) => only(box === 'B', base)),
        D: total(({ side, vat, owed }) => only(side === 'sale', vat).plus(owed)),
        E: total(({ side, vat }) => only(side !== 'sale', vat)),
      });
    });

    test('have invoices and bills, each paid when nothing is owed of it any more', async () => {
      const rpc = await TrytonRpc.login(server.rpcUrl, TRYTON_USER, TRYTON_PASSWORD);
      rpc.use({ company: 1 });
      // Fixed assets stand on no invoice of Tryton.
      const isAsset = ({ lines }: Journal) =>
        lines.some(({ role, account }) => role === 'expense' && account < '2');
      const sent = journals.filter(
        (journal) => journal.currency === 'ISK' && owedOn(journal) && !isAsset(journal),
      );
      const ids = await rpc.search('account.invoice', []);
      const invoices = await rpc.read('account.invoice', ids, ['state', 'number', 'type', 'amount_to_pay']);
      expect(invoices.length).toBe(sent.length);
      expect(new Set(invoices.map(({ type }) => type))).toEqual(new Set(['out', 'in']));
      const settled = settledNumbers();
      const paid = invoices.filter(({ state }) => state === 'paid').map(({ number }) => String(number));
      expect(paid.sort()).toEqual(settled);
      expect(settled.length).toBeGreaterThan(5);
    });

    test('have what every customer owes as the documents alone say', async () => {
      const owed = await trytonDebts(server);
      for (const kennitala of CUSTOMERS)
        expect(owed.get(kennitala)?.toFixed(), kennitala).toBe(open.get(kennitala)?.toFixed());
    });

    test('read back as they were sent, each once', () => balancesOf(tryton, documents), SLOW_MS);
  });
});
