import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/domain/money.js';
import { LINE_ROLES } from '../../../src/domain/journal.js';
import { checkJournal } from '../../../src/erp/compare-entry.js';
import type { ErpCapabilities } from '../../../src/erp/erp-adapter.js';
import { dispositionOf, failedSend } from '../../../src/erp/erp-http.js';
import { journalFromPlain, journalJsonSchema, plainJournal } from '../../../src/domain/journal-json.js';
import { OneAtATime } from '../../../src/erp/keyed-books.js';
import { partyNumber, partySpellings } from '../../../src/erp/partner-directory.js';
import { erpAdapter } from '../../../src/erp/registry.js';
import { FOREIGN_COST, SALE } from '../../support/erp/sample-journals.js';

const TAKES_ALL = { foreignCurrency: 'in-currency', dimensions: true } as ErpCapabilities;

describe('a journal as JSON', () => {
  test('comes back the same, amounts to the last digit', () => {
    const amount = fc
      .bigInt({ min: 1n, max: 10n ** 15n })
      .map((cents) => new Decimal(cents.toString()).div(100));
    fc.assert(
      fc.property(amount, fc.string(), fc.constantFrom(...LINE_ROLES), (value, text, role) => {
        const line = { account: '1', role, debit: value, credit: new Decimal(0), text };
        const journal = { ...SALE, lines: [...SALE.lines, line] };
        const json = JSON.stringify(plainJournal(journal));
        const back = journalFromPlain(journalJsonSchema.parse(JSON.parse(json)));
        expect(JSON.stringify(plainJournal(back))).toBe(json);
        expect(back.lines.at(-1)?.debit.equals(value)).toBe(true);
        expect(back.lines.at(-1)?.text).toBe(text);
      }),
    );
  });

  test('is the same text for the same journal, whatever the order of its fields', () => {
    const turned = Object.fromEntries(
      Object.entries(FOREIGN_COST).reverse(),
    ) as unknown as typeof FOREIGN_COST;
    expect(JSON.stringify(plainJournal(turned))).toBe(JSON.stringify(plainJournal(FOREIGN_COST)));
  });
});

describe('what no ERP is asked to book', () => {
  test.each([
    ['nothing is wrong', SALE, null],
    ['a króna is missing', { ...SALE, lines: [...SALE.lines.slice(0, 2)] }, 'unbalanced'],
    ['one line alone', { ...SALE, lines: SALE.lines.slice(0, 1) }, 'unbalanced'],
    [
      'a line on both sides',
      {
        ...SALE,
        lines: SALE.lines.map((line) => ({ ...line, debit: new Decimal(1), credit: new Decimal(1) })),
      },
      'unbalanced',
    ],
    [
      'a negative debit',
      {
        ...SALE,
        lines: SALE.lines.map((line) => ({ ...line, debit: line.credit.negated(), credit: line.debit })),
      },
      'unbalanced',
    ],
    [
      'an amount that is none',
      { ...SALE, lines: SALE.lines.map((line) => ({ ...line, debit: new Decimal(NaN) })) },
      'unbalanced',
    ],
  ])('%s', (_name, journal, code) => {
    expect(checkJournal(journal, TAKES_ALL)?.code ?? null).toBe(code);
  });

  test('a currency or a dimension that the connection does not take', () => {
    expect(checkJournal(FOREIGN_COST, { ...TAKES_ALL, foreignCurrency: 'none' })?.code).toBe('unsupported');
    expect(checkJournal(SALE, { ...TAKES_ALL, dimensions: false })?.code).toBe('unsupported');
  });
});

describe('reading HTTP', () => {
  test('what may have had an effect is unknown, also a status that nobody has heard of', () => {
    for (const isOwn of [true, false])
      for (const status of [408, 425, 429, 500, 502, 503, 504, 520, 599])
        expect(dispositionOf(status, { purpose: 'write', isOwn })).toBe('unknown');
    const failure = { outcome: 'failure', reason: 'reset', message: 'gone', durationMs: 1 } as const;
    expect(failedSend({ ...failure, reached: 'maybe-sent' }, 'X').outcome).toBe('unknown');
    expect(failedSend({ ...failure, reached: 'not-sent' }, 'X').outcome).toBe('transient');
  });
});

describe('who vouches that a write had no effect', () => {
  const documented = { 429: 'transient', 403: 'rejected' } as const;

  test('a refusal in the form of the ERP, and never the status alone', () => {
    for (const status of [400, 403, 404, 409, 413, 422, 418, 302])
      expect(dispositionOf(status, { purpose: 'write', isOwn: false, documented })).toBe('unknown');
    expect(dispositionOf(422, { purpose: 'write', isOwn: true })).toBe('rejected');
    expect(dispositionOf(403, { purpose: 'write', isOwn: true })).toBe('auth');
  });

  test('what the ERP documents, in its own form only', () => {
    expect(dispositionOf(429, { purpose: 'write', isOwn: true, documented })).toBe('transient');
    expect(dispositionOf(429, { purpose: 'write', isOwn: false, documented })).toBe('unknown');
    expect(dispositionOf(403, { purpose: 'write', isOwn: true, documented })).toBe('rejected');
  });

  test('HTTP itself for 401: the request has not been applied', () => {
    expect(dispositionOf(401, { purpose: 'write', isOwn: false })).toBe('auth');
  });

  test('nobody has to for a request that changes nothing: it can be repeated', () => {
    for (const status of [408, 429, 500, 502, 503, 504, 599])
      expect(dispositionOf(status, { purpose: 'read', isOwn: false })).toBe('transient');
    expect(dispositionOf(403, { purpose: 'read', isOwn: false })).toBe('auth');
    expect(dispositionOf(404, { purpose: 'read', isOwn: false })).toBe('rejected');
  });
});

describe('keys', () => {
  test('one kennitala has one spelling here, and two in an ERP', () => {
    expect(partyNumber(' 450401-3150 ')).toBe('4504013150');
    expect(partyNumber('DE 123-456')).toBe('DE 123-456');
    expect(partySpellings('450401-3150')).toEqual(['4504013150', '450401-3150']);
    expect(partySpellings('4504013150')).toEqual(partySpellings('450401-3150'));
    expect(partySpellings('DE 123-456')).toEqual(['DE 123-456']);
  });

  test('work under one key runs one after the other, also after a failure; other keys do not wait', async () => {
    const turns = new OneAtATime();
    const seen: string[] = [];
    const step = (name: string, ms: number) => async () => {
      seen.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, ms));
      seen.push(`${name} ends`);
      if (name === 'a1') throw new Error('a1 failed');
      return name;
    };
    const results = await Promise.allSettled([
      turns.run('a', step('a1', 20)),
      turns.run('a', step('a2', 1)),
      turns.run('b', step('b1', 1)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(seen.indexOf('a2 begins')).toBeGreaterThan(seen.indexOf('a1 ends'));
    expect(seen.indexOf('b1 ends')).toBeLessThan(seen.indexOf('a1 ends'));
  });

  test('an adapter that does not exist is named, with those that do', async () => {
    await expect(erpAdapter('sap')).rejects.toThrow(/no ERP adapter "sap".*file.*tryton/);
    expect((await erpAdapter('file')).name).toBe('file');
  });
});
