// Part of the year of a generated company, foreign documents and payments among them, mapped as the bridge maps them, in every ERP:
// real files, the ledger behind plain HTTP, and the simulations. Every entry is booked, and the balances of each are those that hledger
// computes from the files. books-in-tryton.test.ts has a real Tryton judge the same company.
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sum, ZERO } from '../../../src/domain/money.js';
import type { JournalLine } from '../../../src/domain/journal.js';
import { freshKey } from '../../../lab/kit/conformance/journals.js';
import {
  balancesOf,
  type Booked,
  bookedAsFiles,
  everyKindOf,
  postAll,
  shown,
  SLOW_MS,
  someOfTheYear,
} from '../../support/erp/books-of-a-company.js';
import { temporaryDirectory } from '../../support/erp/erp-services.js';
import { beanCheck, hledger, hledgerBalances, ledger } from '../../support/erp/judges.js';
import { IN_CURRENCY, SIMULATIONS } from '../../support/erp/simulations.js';
import { has } from '../../support/services.js';

/** Codes of Business Central are kept in upper case, so the rules of a tenant there name them so. */
function namedFor(erp: string, documents: readonly Booked[]): readonly Booked[] {
  if (!erp.startsWith('Business Central')) return documents;
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

/** Here also every account and every currency: an ERP may have rules of its own for some. */
const { journals } = everyKindOf(someOfTheYear(), ({ currency, lines }) => [
  currency,
  ...lines.map(({ account }) => account),
]);

describe.skipIf(!has('hledger'))(`the books of a company, ${String(journals.length)} entries`, () => {
  const documents = journals.map((journal): Booked => ({ key: freshKey(), journal }));
  const directory = temporaryDirectory();
  let books: string;

  beforeAll(async () => {
    const foreign = journals.filter(({ currency }) => currency !== 'ISK');
    expect(foreign.length).toBeGreaterThan(journals.length / 6);
    books = await bookedAsFiles(directory, documents);
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
    async ({ name, open: openBooks }) => {
      const opened = await openBooks(journals);
      onTestFinished(() => opened.close());
      const erp = opened.connect();
      const named = namedFor(name, documents);
      await postAll(erp, named, erp.capabilities.concurrency);
      const balances = await balancesOf(erp, named);
      const inFiles = await hledgerBalances(books);
      const turnover = sum(journals.flatMap(({ lines }) => lines.map(({ debit }) => debit)));
      const slack = turnover.times(erp.capabilities.foreignIskTolerance ?? 0).plus(journals.length);
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
});
