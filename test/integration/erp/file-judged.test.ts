import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshKey, purchase, sale } from '../../../lab/kit/conformance/journals.js';
import { fileAdapter } from '../../../src/erp/file/index.js';
import { erpServices, temporaryDirectory } from '../../support/erp/erp-services.js';
import { beanCheck, hledger, hledgerBalances, ledger } from '../../support/erp/judges.js';
import { CHART } from '../../support/erp/sample-chart.js';
import { FOREIGN_COST, SALE } from '../../support/erp/sample-journals.js';
import { has } from '../../support/services.js';

const HOSTILE = [
  '[2020-01-01] date:2020-01-01 | ; * ! = @ @@ { } "quoted" \\ %',
  '=HYPERLINK("x")',
  ':tag: key:I',
  '\n2019-01-01 * fölsk færsla\n    Assets:1500  1 ISK\n    Income:3000\n',
  '  ; comment',
  '',
];

describe.skipIf(!has('hledger') || !has('ledger') || !has('bean-check'))(
  'journal files, judged by others',
  () => {
    const directory = temporaryDirectory();
    const books = join(directory, 'books');
    const erp = fileAdapter.create(
      fileAdapter.configuration.parse({ formats: ['journal', 'beancount', 'csv'] }),
      erpServices({}, directory),
    );
    const key = freshKey();

    async function post(postingKey: string, journal: typeof SALE) {
      const outcome = await erp.prepare({ key: postingKey, journal });
      if (outcome.outcome !== 'prepared') throw new Error(JSON.stringify(outcome));
      return erp.post(outcome.prepared);
    }

    beforeAll(async () => {
      await post(key, SALE);
      await post(freshKey(), FOREIGN_COST);
      await post(freshKey(), purchase(CHART));
      for (const text of HOSTILE) await post(freshKey(), sale(CHART, { text, description: text }));
      // Two equal sales on a day are no double posting.
      await post(freshKey(), { ...SALE, description: 'Tvisvar' });
      await post(freshKey(), { ...SALE, description: 'Tvisvar' });
      const found = await erp.findByKey(key);
      if (found.outcome !== 'one') throw new Error('not found');
      await erp.reverse({ key: freshKey(), original: found.entry, date: '2026-04-02', reason: 'Rangt' });
    });
    afterAll(() => rmSync(directory, { recursive: true, force: true }));

    test('hledger accepts them with --strict', async () => {
      await hledger(books, 'check', '--strict');
    });

    test('ledger accepts them with --pedantic, and they balance', async () => {
      expect(await ledger(books, 'balance')).toMatch(/-+\n\s+0\n$/);
    });

    test('a plain balance is in ISK and adds up to nothing; only what is owed names a currency', async () => {
      const balance = await hledger(books, 'balance', '--flat', '-O', 'csv');
      expect(balance.trim().split('\n').at(-1)).toMatch(/^"(Total:|total)","0"$/i);
      expect(balance).not.toContain('EUR');
      const foreign = await hledger(books, 'print', 'tag:foreign', '-O', 'csv');
      expect(foreign).toContain('Liabilities:2410');
      const tagged = await hledger(books, 'register', 'tag:foreign', '-O', 'csv');
      expect(
        tagged
          .trim()
          .split('\n')
          .slice(1)
          .every((row) => row.includes('Liabilities:2410')),
      ).toBe(true);
    });

    test('a line of VAT says what it is of', async () => {
      expect(await hledger(books, 'print', `tag:key=${key}`)).toMatch(/base: \d+/);
    });

    test('beancount accepts them, and fails on a double posting', async () => {
      await beanCheck(books);
      const month = join(books, '2026-03.beancount');
      const text = readFileSync(month, 'utf8');
      appendFileSync(month, text.slice(0, text.indexOf('\n\n') + 2));
      await expect(beanCheck(books)).rejects.toThrow(/Duplicate entry/);
    });

    test('hledger finds an entry by its key', async () => {
      const found = await hledger(books, 'print', `tag:key=${key}`);
      expect(found).toContain('SR-1001');
      expect(found.match(/^\d{4}-\d{2}-\d{2} /gm)).toHaveLength(1);
    });

    test('no text of a customer moves an amount or a date', async () => {
      const balances = await hledgerBalances(books);
      // The first sale was reversed; two equal ones and the hostile ones remain.
      expect(balances.get('1500')?.toFixed()).toBe(String(12400 * (2 + HOSTILE.length)));
      expect(await hledger(books, 'print', 'date:-2026-01-01')).toBe('');
      const csv = readFileSync(join(books, '2026-03.csv'), 'utf8');
      expect(csv).not.toMatch(/(^|,)"[=+@]/m);
    });
  },
);
