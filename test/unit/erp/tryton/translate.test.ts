import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../../src/domain/money.js';
import { compareEntry } from '../../../../src/erp/compare-entry.js';
import { trytonConfiguration } from '../../../../src/erp/tryton/settings.js';
import { judgeError } from '../../../../src/erp/tryton/client.js';
import type { TrytonSetup } from '../../../../src/erp/tryton/facts.js';
import { problemOf } from '../../../../src/erp/chart.js';
import { CHART_RULES, trytonFacts } from '../../../../src/erp/tryton/facts.js';
import { keyIn, toEntry, toMove } from '../../../../src/erp/tryton/translate.js';
import { wireMoves } from '../../../../src/erp/tryton/wire.js';
import { readWireJson } from '../../../../src/http/wire-json.js';
import { FOREIGN_COST, SALE } from '../../../support/erp/sample-journals.js';

const KEY = 'IAAAAAAAAAAAAAAAAAAA';
const account = (id: number, code: string, more = {}) =>
  [code, { id, code, name: '', closed: false, party_required: false, type: 1, ...more }] as const;

const setup: TrytonSetup = {
  company: { id: 1, kennitala: '', name: 'Fjörður ehf.', currency: 'ISK', currencyDigits: 2 },
  salesJournal: 10,
  purchaseJournal: 20,
  currencies: new Map([
    ['ISK', 1],
    ['EUR', 2],
  ]),
  accounts: new Map([
    account(1, '1500', { party_required: true }),
    account(2, '2410', { party_required: true }),
    account(3, '3000'),
    account(4, '2500'),
    account(5, '6100'),
    account(6, '9900'),
    account(7, '7000', { closed: true }),
  ]),
  taxes: new Map(),
  axes: new Map([['costLocation', { rootId: 1, match: 'name', values: new Map([['Reykjavík', 9]]) }]]),
};
const parties = new Map([
  ['4501011230', 41],
  ['5501012420', 42],
]);

describe('journals in the words of Tryton', () => {
  test('are written as they always were', async () => {
    const context = { setup, periodId: 15, parties };
    const moves = [
      toMove(KEY, SALE, context),
      toMove('CAAAAAAAAAAAAAAAAAAA', FOREIGN_COST, {
        ...context,
        reverses: { id: '77', journal: 20, lines: [] },
      }),
    ];
    await expect(`${JSON.stringify(moves, null, 2)}\n`).toMatchFileSnapshot(
      '../../../fixtures/erp/tryton/moves.json',
    );
  });

  test('come back from an answer of Tryton as they were', () => {
    const answer = `[{"id":5,"post_number":"2026-7","description":"${KEY} SR-1001 Sala","state":"posted","origin":null,"journal":10,
      "date":{"__class__":"date","year":2026,"month":3,"day":15},"lines.":[
      {"id":1,"account.":{"id":1,"code":"1500"},"debit":{"__class__":"Decimal","decimal":"12400.00"},"credit":{"__class__":"Decimal","decimal":"0.0"},
       "party.":{"id":41,"name":"Þórður","code":"17","identifiers.":[{"id":1,"code":"450101-1230"}]},"second_currency.":null,"amount_second_currency":null,"analytic_lines.":[]},
      {"id":2,"account.":{"id":3,"code":"3000"},"debit":{"__class__":"Decimal","decimal":"0"},"credit":{"__class__":"Decimal","decimal":"10000"},
       "party.":null,"second_currency.":null,"amount_second_currency":null,"analytic_lines.":[{"id":3,"account.":{"id":9,"code":null,"name":"Reykjavík","root":1}}]},
      {"id":3,"account.":{"id":4,"code":"2500"},"debit":{"__class__":"Decimal","decimal":"0"},"credit":{"__class__":"Decimal","decimal":"2400.00"},
       "party.":null,"second_currency.":null,"amount_second_currency":null,"analytic_lines.":[]}]}]`;
    const [move] = wireMoves.parse(readWireJson(Buffer.from(answer)));
    expect(keyIn(move!.description)).toBe(KEY);
    const entry = toEntry(move!, KEY, false, setup);
    const all = {
      readBack: 'lines',
      foreignCurrency: 'in-currency',
      dimensions: true,
      subledger: true,
    } as const;
    expect(compareEntry(SALE, entry, all)).toEqual([]);
    expect(entry.reference).toEqual({ id: '5', number: '2026-7' });
  });

  test("a bookkeeper's own description is no key of ours", () => {
    expect(keyIn(`${KEY} SR-1 Sala`)).toBe(KEY);
    expect(keyIn(KEY)).toBe(KEY);
    expect(keyIn(`${KEY}X`)).toBeNull();
    expect(keyIn('LEIDRETTING 2026')).toBeNull();
    expect(keyIn(null)).toBeNull();
  });

  test.each([
    ['an unknown account', { account: '4321' }, 'unknown-account'],
    ['a closed account', { account: '7000' }, 'blocked-account'],
    ['a partner on an account without', { account: '3000' }, 'invalid'],
    ['more decimals than the currency has', { debit: new Decimal('0.001') }, 'invalid'],
    ['a currency that Tryton lacks', { currency: 'USD', currencyAmount: new Decimal(1) }, 'invalid'],
    ['a value that the axis lacks', { dimensions: { costLocation: 'Atlantis' } }, 'unknown-dimension'],
    ['a dimension without an axis', { dimensions: { deild: 'x' } }, 'unknown-dimension'],
  ])('%s is refused before anything is sent', (_name, change, code) => {
    const lines = SALE.lines.map((line, index) => (index === 0 ? { ...line, ...change } : line));
    const periods = new Map([[SALE.postingDate, [{ id: 1, name: '2026', state: 'open' }]]]);
    const facts = trytonFacts(setup, periods);
    expect(problemOf({ ...SALE, lines }, facts, CHART_RULES)?.code).toBe(code);
    expect(problemOf(SALE, facts, CHART_RULES)).toBeNull();
    expect(problemOf(SALE, trytonFacts(setup, new Map()), CHART_RULES)?.code).toBe('closed-period');
  });
});

describe('errors of Tryton', () => {
  test.each([
    [['UserError', ['Period is closed.', '', null]], 'rejected', /Period is closed/],
    [['UserWarning', ['name', 'Are you sure?', '']], 'rejected', /Are you sure/],
    [['ConcurrencyException', ['x']], 'transient', /ConcurrencyException|x/],
    [['LoginException', ['x']], 'auth', /./],
    [['database is locked', 'Traceback …'], 'unknown', /database is locked/],
  ])('%j is %s', (error, outcome, message) => {
    const judged = judgeError(error);
    expect(judged.outcome).toBe(outcome);
    expect(judged.message).toMatch(message);
  });
});

describe('Tryton configuration', () => {
  const settings = {
    baseUrl: 'https://tryton.example.is/',
    database: 'fjordur',
    user: 'bridge',
    password: 'env:TRYTON_PASSWORD',
    company: '4504013150',
  };

  test('needs no more than where, who and whose', () => {
    expect(trytonConfiguration.parse(settings)).toMatchObject({
      baseUrl: 'https://tryton.example.is',
      salesJournal: 'REV',
      purchaseJournal: 'EXP',
      partners: { create: false },
    });
  });

  test.each([
    [{ baseUrl: 'http://tryton.example.is' }, 'must start with https://'],
    [{ database: 'fjörður/' }, 'must be the name of a database'],
    [{ password: 'leyndarmál' }, 'must name a secret'],
    [{ dimensions: { costLocation: { root: 'Staðir', match: 'number' } } }, 'expected one of'],
    [{ journal: 'REV' }, 'Unrecognized key'],
  ])('says what is wrong with %j', (overrides, message) => {
    const parsed = trytonConfiguration.safeParse({ ...settings, ...overrides });
    expect(parsed.error?.message).toContain(message);
  });
});
