// The books of a generated company in a real Tryton, invoices and bills as documents of its own. Tryton's trial balance is the one that
// hledger computes from the files; its VAT report, its paid invoices and every customer's debt are judged too.
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Decimal, sum, ZERO } from '../../../src/domain/money.js';
import type { Journal } from '../../../src/domain/journal.js';
import { plainJournal } from '../../../src/domain/journal-json.js';
import { freshKey } from '../../../lab/kit/conformance/journals.js';
import type { ErpAdapter } from '../../../src/erp/erp-adapter.js';
import { owedOn } from '../../../src/erp/owed-line.js';
import { trytonAdapter } from '../../../src/erp/tryton/index.js';
import { vatOfJournal } from '../../../src/operations/vat/vat-ledger.js';
import {
  balancesOf,
  type Booked,
  bookedAsFiles,
  postAll,
  shown,
  SLOW_MS,
  everyKindOf,
  someOfTheYear,
} from '../../support/erp/books-of-a-company.js';
import { erpServices, temporaryDirectory } from '../../support/erp/erp-services.js';
import { hledgerBalances } from '../../support/erp/judges.js';
import { TRYTON_AXIS, TRYTON_COMPANY, TRYTON_TAXES } from '../../support/erp/tryton-company.js';
import { date, TrytonRpc } from '../../support/erp/tryton-rpc.js';
import {
  startTryton,
  TRYTON_DATABASE,
  TRYTON_PASSWORD,
  TRYTON_USER,
  type TrytonServer,
} from '../../support/erp/tryton-server.js';
import { CUSTOMERS, debtOf, YEAR_RULES } from '../../support/erp/year-of-a-company.js';
import { has } from '../../support/services.js';

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

describe.skipIf(!has('trytond') || !has('hledger'))('the books of a company in a real Tryton', () => {
  const { journals, debts } = everyKindOf(someOfTheYear());
  const documents = journals.map((journal): Booked => ({ key: freshKey(), journal }));
  const directory = temporaryDirectory();

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

  let books: string;
  let server: TrytonServer;
  let tryton: ErpAdapter;

  beforeAll(async () => {
    books = await bookedAsFiles(directory, documents);
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
    rmSync(directory, { recursive: true, force: true });
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
    expect(settled.length).toBeGreaterThan(1);
  });

  test('have what every customer owes as the documents alone say', async () => {
    const owed = await trytonDebts(server);
    for (const kennitala of CUSTOMERS)
      expect(owed.get(kennitala)?.toFixed(), kennitala).toBe(debtOf(kennitala, debts).toFixed());
  });

  test('read back as they were sent, each once', () => balancesOf(tryton, documents), SLOW_MS);
});
