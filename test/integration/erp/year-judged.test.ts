// A year of a generated company, 2,000 documents and the payments of its invoices, booked as files and judged by programs that know
// nothing of the bridge; and the VAT return says what they say. books-in-tryton.test.ts has Tryton judge the same company.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Decimal, sum, ZERO } from '../../../src/domain/money.js';
import type { Journal } from '../../../src/domain/journal.js';
import { plainJournal } from '../../../src/domain/journal-json.js';
import { freshKey } from '../../../lab/kit/conformance/journals.js';
import { fileAdapter } from '../../../src/erp/file/index.js';
import { accountNaming } from '../../../src/erp/file/translate.js';
import { vatOfJournal } from '../../../src/operations/vat/vat-ledger.js';
import { openRuleBook, ruleClasses } from '../../../src/pipeline/mapping/rules.js';
import { isSummarised, summarise } from '../../../src/pipeline/mapping/make-journal.js';
import { erpServices, temporaryDirectory } from '../../support/erp/erp-services.js';
import { hledger, hledgerBalances } from '../../support/erp/judges.js';
import {
  CUSTOMERS,
  debtOf,
  YEAR_RULES as rules,
  yearOfACompany,
} from '../../support/erp/year-of-a-company.js';
import { has } from '../../support/services.js';

const EACH = 1000;
const AT_ONCE = 64;
const classes = ruleClasses(rules);

function booksIn(directory: string) {
  const configuration = fileAdapter.configuration.parse({ formats: ['journal', 'beancount'] });
  return fileAdapter.create(configuration, { ...erpServices({}, directory), accountClasses: classes });
}

async function bookAll(erp: ReturnType<typeof booksIn>, journals: readonly Journal[]): Promise<void> {
  for (let at = 0; at < journals.length; at += AT_ONCE)
    await Promise.all(
      journals.slice(at, at + AT_ONCE).map(async (journal) => {
        const ready = await erp.prepare({ key: freshKey(), journal });
        if (ready.outcome !== 'prepared') throw new Error(JSON.stringify(ready));
        const posted = await erp.post(ready.prepared);
        if (posted.outcome !== 'posted') throw new Error(JSON.stringify(posted));
      }),
    );
}

/** As the rules would have it that want one journal a day; what they do not put together stays as it is. */
function togetherByDay(journals: readonly Journal[]): readonly Journal[] {
  const daily = { ...rules, summary: { invoices: 'daily', costs: 'daily' } as const };
  const days = new Map<string, Journal[]>();
  const alone: Journal[] = [];
  for (const journal of journals) {
    const kind = journal.party?.kind === 'supplier' ? 'cost' : 'invoice';
    const isDocument = journal.lines.some(({ role }) => role === 'revenue' || role === 'expense');
    if (!isDocument || !isSummarised(daily, kind, journal)) alone.push(journal);
    else
      days.set(`${kind} ${journal.postingDate}`, [
        ...(days.get(`${kind} ${journal.postingDate}`) ?? []),
        journal,
      ]);
  }
  const summaries = [...days].map(([name, ofDay]) => {
    const [kind, day = ''] = name.split(' ');
    const documents = ofDay.map((journal) => ({ key: freshKey(), journal }));
    return summarise(
      { kind: kind === 'cost' ? 'cost' : 'invoice', day, serial: 1 },
      documents,
      openRuleBook(rules),
    );
  });
  return [...summaries, ...alone];
}

describe.skipIf(!has('hledger') || !has('bean-check'))('a year of a company', () => {
  const directory = temporaryDirectory();
  const books = join(directory, 'books');
  const erp = booksIn(directory);
  const { journals, payments, debts } = yearOfACompany(EACH);

  beforeAll(() => bookAll(erp, journals), 120_000);
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const claimed = () => {
    const totals = new Map<string, Decimal>();
    for (const { account, debit, credit } of journals.flatMap(({ lines }) => lines))
      totals.set(account, (totals.get(account) ?? ZERO).plus(debit).minus(credit));
    return new Map([...totals].filter(([, total]) => !total.isZero()));
  };
  /** Totals of the postings that a query finds, by the value of a tag or, without one, by account. */
  const hledgerTotals = async (query: readonly string[], ...pivot: string[]) => {
    const csv = await hledger(books, 'balance', '--flat', '--no-total', '-O', 'csv', ...query, ...pivot);
    const cells = [...csv.matchAll(/^"([^"]*)","(-?[\d.]+)(?: ISK)?"$/gm)];
    return new Map(cells.map(([, name = '', total = '0']) => [name, new Decimal(total)]));
  };
  const totalOf = (totals: Map<string, Decimal>) => sum([...totals.values()]).toFixed();

  test('has most of its documents in the books', () => {
    expect(journals.length).toBeGreaterThan(EACH * 1.8);
    expect(payments).toBeGreaterThan(EACH / 4);
    const roles = new Set(journals.flatMap(({ lines }) => lines.map(({ role }) => role)));
    expect([...roles]).toEqual(
      expect.arrayContaining(['interest', 'collection', 'withheld-tax', 'exchange']),
    );
    expect(new Set(journals.map(({ currency }) => currency)).size).toBeGreaterThan(10);
  });

  test('adds up for hledger, account by account, without asking for costs', async () => {
    await hledger(books, 'check', '--strict');
    expect((await hledger(books, 'balance', '-O', 'csv')).trim().split('\n').at(-1)).toMatch(/"0"$/);
    const balances = await hledgerBalances(books);
    const known = claimed();
    expect([...balances].map(([account, total]) => `${account} ${total.toFixed()}`).sort()).toEqual(
      [...known].map(([account, total]) => `${account} ${total.toFixed()}`).sort(),
    );
  });

  test('adds up for beancount, account by account', () => {
    const nameOf = accountNaming(undefined, classes);
    const asserted = [...claimed()].map(
      ([account, total]) => `2027-01-01 balance ${nameOf(account)}  ${total.toFixed()} ~ 0 ISK`,
    );
    writeFileSync(join(books, 'balances.beancount'), `${asserted.join('\n')}\n`);
    const all = join(books, 'all.beancount');
    writeFileSync(all, 'include "ledger.beancount"\ninclude "balances.beancount"\n');
    expect(execFileSync('bean-check', ['-C', all], { encoding: 'utf8' })).toBe('');
    writeFileSync(join(books, 'balances.beancount'), `${asserted[0]?.replace(/(-?\d+) ~/, '1$1 ~') ?? ''}\n`);
    expect(() => execFileSync('bean-check', ['-C', all], { stdio: 'pipe' })).toThrow();
  });

  test('has a VAT return that hledger reckons too', async () => {
    const rows = journals.flatMap((journal) => vatOfJournal(plainJournal(journal) as never, rules));
    const total = (pick: (row: (typeof rows)[number]) => Decimal) => sum(rows.map(pick));
    const box = (name: string) => total((row) => (row.box === name ? row.base : ZERO));
    const turnover = await hledgerTotals(['Income'], '--pivot', 'vat');
    const byCode = { U24: 'A', U11: 'B', UX: 'C', U0: 'outside' } as const;
    for (const [code, name] of Object.entries(byCode))
      expect(turnover.get(code)?.neg().toFixed(), code).toBe(box(name).toFixed());
    const out = total((row) => (row.side === 'sale' ? row.vat : row.owed));
    const back = total((row) => (row.side === 'sale' ? ZERO : row.vat));
    expect(totalOf(await hledgerTotals(['2500', '2501', '2502']))).toBe(out.neg().toFixed());
    expect(totalOf(await hledgerTotals(['1600', '1601', '1603']))).toBe(back.toFixed());
    for (const name of ['A', 'B', 'C', 'outside']) expect(box(name).isZero(), name).toBe(false);
  });

  test('has what every customer owes, as the documents have it', async () => {
    const owed = await hledgerTotals(['1500'], '--pivot', 'counterparty');
    for (const kennitala of CUSTOMERS)
      expect(owed.get(kennitala)?.toFixed(), kennitala).toBe(debtOf(kennitala, debts).toFixed());
  });

  test('two months of it with one journal a day have the same balances, VAT by code and customers for hledger', async () => {
    const some = journals.filter(({ postingDate }) => /-0[34]-/.test(postingDate));
    const together = togetherByDay(some);
    expect(some.length - together.length).toBeGreaterThan(50);
    const ledgers = [some, together].map((ofMonths) => ({ ofMonths, directory: temporaryDirectory() }));
    const judged = await Promise.all(
      ledgers.map(async ({ ofMonths, directory: place }) => {
        await bookAll(booksIn(place), ofMonths);
        await hledger(join(place, 'books'), 'check', '--strict');
        const balance = (...query: string[]) =>
          hledger(join(place, 'books'), 'balance', '--flat', '-O', 'csv', ...query);
        return [
          await balance(),
          await balance('Income', '--pivot', 'vat'),
          await balance('1500', '--pivot', 'counterparty'),
        ];
      }),
    );
    expect(judged[1]).toEqual(judged[0]);
    for (const { directory: place } of ledgers) rmSync(place, { recursive: true, force: true });
  });
});
