// Two programs that other people wrote check 200 generated journals: whether each balances, and what each account comes to.
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sum, ZERO, type Decimal } from '../../../src/domain/money.js';
import type { Journal, JournalLine } from '../../../src/domain/journal.js';
import { mapRecord, RuleLayers } from '../../../src/pipeline/mapping/map-record.js';
import { rulesWith } from '../../unit/mapping/build.js';
import { costCase, invoiceCase } from '../../property/mapping/arbitrary-documents.js';
import { workRoom } from './run-map.js';

const { writeWork } = workRoom();

const WANTED = 200;
const rules = new RuleLayers(rulesWith({ invoice: { settlement: 'all' }, cost: { reverseCharge: 'both' } }));

const records = [
  ...fc
    .sample(invoiceCase, { numRuns: WANTED, seed: 20250310 })
    .map((made) => ({ kind: 'invoice', ...made })),
  ...fc.sample(costCase, { numRuns: WANTED, seed: 20250311 }).map((document) => ({ kind: 'cost', document })),
];
const documents = records
  .toSorted((one, other) => String(one.document['guid']).localeCompare(String(other.document['guid'])))
  .map((record) => mapRecord(record, rules))
  .filter((outcome) => outcome.outcome === 'post')
  .slice(0, WANTED);
const journals: Journal[] = documents.flatMap(({ journal, settlement }) => [
  journal,
  ...(settlement ? [settlement] : []),
]);

const signed = (line: JournalLine) => line.debit.minus(line.credit);

function claimed(amount: (line: JournalLine) => Decimal | undefined): Map<string, string> {
  const totals = new Map<string, Decimal>();
  for (const line of journals.flatMap((journal) => journal.lines)) {
    const value = amount(line);
    if (value) totals.set(line.account, (totals.get(line.account) ?? ZERO).plus(value));
  }
  return new Map(
    [...totals].filter(([, total]) => !total.isZero()).map(([account, total]) => [account, total.toFixed()]),
  );
}

describe('200 generated documents', () => {
  test('are of both kinds, in many currencies, and some settle', () => {
    expect(documents).toHaveLength(WANTED);
    expect(new Set(journals.map(({ currency }) => currency)).size).toBeGreaterThan(10);
    expect(journals.length).toBeGreaterThan(WANTED);
    expect(journals.some(({ party }) => party?.kind === 'supplier')).toBe(true);
  });

  test('are accepted by hledger, whose balances are the mapper’s', () => {
    const text = journals.map((journal) => {
      const postings = journal.lines.map((line) => `    a${line.account}  ISK ${signed(line).toFixed()}`);
      return `${journal.postingDate} (${journal.documentNo})\n${postings.join('\n')}\n`;
    });
    const file = writeWork('journals.journal', `commodity ISK 1000.\n\n${text.join('\n')}`);
    execFileSync('hledger', ['-f', file, 'check'], { stdio: 'pipe' });
    const csv = execFileSync('hledger', ['-f', file, 'balance', '--flat', '-N', '-O', 'csv'], {
      encoding: 'utf8',
    });
    const balances = csv
      .split('\n')
      .slice(1)
      .filter((row) => row !== '')
      .map((row): [string, string] => {
        const [account = '', amount = ''] = row.replaceAll('"', '').split(',');
        return [account.slice(1), amount.replace(/[^\d.-]/g, '')];
      });
    expect(new Map(balances)).toEqual(claimed(signed));
  });

  test('are accepted by beancount, whose balances are the mapper’s in ISK and in every currency', () => {
    const accounts = [...new Set(journals.flatMap(({ lines }) => lines.map(({ account }) => account)))];
    const opened = accounts.map((account) => `2000-01-01 open Assets:A${account}`);
    const entries = journals.flatMap((journal) => [
      beanEntry(journal, 'ISK', (line) => signed(line)),
      ...(journal.currency === 'ISK'
        ? []
        : [beanEntry(journal, journal.currency, (line) => line.currencyAmount)]),
    ]);
    const currencies = [...new Set(journals.map(({ currency }) => currency))].filter(
      (code) => code !== 'ISK',
    );
    const inCurrency = (code: string) =>
      claimed((line) => (line.currency === code ? line.currencyAmount : undefined));
    const claims = [
      ['ISK', claimed(signed)] as const,
      ...currencies.map((code) => [code, inCurrency(code)] as const),
    ];
    // Of every account in every currency, also that it holds none. "~ 0": without it, a cent off would pass.
    const asserted = claims.flatMap(([code, totals]) =>
      accounts.map(
        (account) => `2100-01-01 balance Assets:A${account}  ${totals.get(account) ?? '0'} ~ 0 ${code}`,
      ),
    );
    expect(claims.filter(([, totals]) => totals.size > 1).length).toBeGreaterThan(10);
    const options = 'option "operating_currency" "ISK"\noption "inferred_tolerance_default" "*:0"\n';
    const file = writeWork(
      'journals.beancount',
      `${options}${[...opened, ...entries, ...asserted].join('\n')}\n`,
    );
    expect(execFileSync('bean-check', [file], { encoding: 'utf8' })).toBe('');
  });

  test('a judge that accepts a wrong total would be none', () => {
    const wrong = `2000-01-01 open Assets:A1\n2000-01-01 open Assets:A2\n2025-01-01 * "x"\n  Assets:A1  5 ISK\n  Assets:A2  -5 ISK\n2100-01-01 balance Assets:A1  6 ISK\n`;
    expect(() =>
      execFileSync('bean-check', [writeWork('wrong.beancount', wrong)], { stdio: 'pipe' }),
    ).toThrow();
    const cents = wrong.replaceAll(/(-?\d) ISK/g, '$1.00 EUR').replace('6.00', '5.00 ~ 0');
    expect(execFileSync('bean-check', [writeWork('cents.beancount', cents)], { encoding: 'utf8' })).toBe('');
    const centOff = writeWork('cent-off.beancount', cents.replace('5.00 ~', '5.01 ~'));
    expect(() => execFileSync('bean-check', [centOff], { stdio: 'pipe' })).toThrow();
    const odd = writeWork('wrong.journal', '2025-01-01 x\n    a1  ISK 5\n    a2  ISK -4\n');
    expect(() => execFileSync('hledger', ['-f', odd, 'check'], { stdio: 'pipe' })).toThrow();
  });

  test('the debits of all journals are their credits', () => {
    const all = journals.flatMap(({ lines }) => lines);
    expect(sum(all.map(({ debit }) => debit)).toFixed()).toBe(sum(all.map(({ credit }) => credit)).toFixed());
  });
});

function beanEntry(
  journal: Journal,
  currency: string,
  amount: (line: JournalLine) => Decimal | undefined,
): string {
  const postings = journal.lines.flatMap((line) => {
    const value = amount(line);
    return value ? [`  Assets:A${line.account}  ${value.toFixed()} ${currency}`] : [];
  });
  return `${journal.postingDate} * "${journal.documentNo}"\n${postings.join('\n')}`;
}
