import { describe, expect, it } from 'vitest';
import { message, reason } from '../../../src/language/messages.js';
import { say } from '../../../src/language/say.js';
import { causeFilter, causeId, groupProblems, inboxRows } from '../../../src/operations/causes.js';
import { meaningsOf } from '../../../src/operations/document-query.js';
import { csvCell } from '../../../src/operations/export.js';
import type { StoredCause } from '../../../src/operations/records.js';
import type { Tenant } from '../../../src/tenants/tenant.js';

describe('what a person types', () => {
  it.each([
    ['4501700777', { kennitala: '4501700777', amount: '4501700777' }],
    ['450170-0777', { kennitala: '4501700777' }],
    ['1.234.567 kr.', { amount: '1234567' }],
    ['1.234,50', { amount: '1234.50' }],
    ['Hraun ehf.', { words: ['hraun'] }],
    ['ehf', { words: ['ehf'] }],
    ['IABCDEFGHIJKLMNOPQ23', { key: 'IABCDEFGHIJKLMNOPQ23' }],
    ['0007a1-', { guidPrefix: '0007a1-' }],
  ])('%s is understood', (text, meanings) => {
    expect(meaningsOf(text)).toMatchObject(meanings);
  });

  it('cannot smuggle operators into the search for words', () => {
    expect(meaningsOf(`a' | !b:* & (c`).words).toEqual(['a', 'b', 'c']);
  });
});

describe('a cell of CSV', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+354 555', "'+354 555"],
    ['-12.50', '-12.50'],
    ['-cmd', "'-cmd"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['Jón, "Nonni"', '"Jón, ""Nonni"""'],
    ['\tx', "'\tx"],
  ])('%j is written as %j', (text, written) => {
    expect(csvCell(text)).toBe(written);
  });
});

describe('causes', () => {
  const cause = (more: Partial<StoredCause>): StoredCause => ({
    reason: reason('UNMAPPED_COST_CODE', { costCode: '2443', written: '2443' }),
    state: 'held',
    tenantName: 'hraun',
    kind: 'cost',
    count: 3,
    firstSeenAt: '2026-01-02T00:00:00.000Z',
    lastSeenAt: '2026-01-03T00:00:00.000Z',
    ...more,
  });

  it('are one row however many tenants and kinds they hold up', () => {
    const [problem, ...others] = groupProblems([cause({}), cause({ tenantName: 'fjordur', count: 2 })], 'en');
    expect(others).toEqual([]);
    expect(problem).toMatchObject({
      count: 5,
      tenants: [
        { name: 'hraun', count: 3 },
        { name: 'fjordur', count: 2 },
      ],
    });
  });

  it('of the ERP are told apart by what it lacks, and found again by their name', () => {
    const message = 'Account 4711 is not in the chart.';
    const lacks = reason('ERP_CONFIGURATION', { refusal: 'unknown-account', message, account: '4711' });
    const [problem] = groupProblems([cause({ reason: lacks })], 'en');
    expect(problem!.id).toBe(`ERP_CONFIGURATION:${message}`);
    expect(problem!.sentence).toBe(`The ERP does not know something the rules use. ${message}`);
    expect(causeFilter(problem!.id)).toEqual({ reason: 'ERP_CONFIGURATION', subject: message });
    expect(causeFilter(causeId('X', 'a:b'))).toEqual({ reason: 'X', subject: 'a:b' });
  });

  it('that a tenant file cures come with lines to write', () => {
    const [row] = inboxRows([cause({})], () => null, 'en');
    expect(row!.mend.example).toBe('rules:\n  cost:\n    codes:\n      "2443": { account: "…" }');
  });

  it.each([
    [
      { dimension: 'project', value: 'Óþekkt verk' },
      'rules.dimensions.values',
      /project:\n +"Óþekkt verk": /,
    ],
    [{ value: 'V7' }, 'rules.dimensions.values', /"V7": /],
    [{ dimension: 'project' }, 'erp.settings.dimensions', /^ {6}project: "…"/m],
    [{}, 'rules.dimensions', /^ {2}dimensions: \{\}$/m],
  ])('that lack the dimension %j lead to the dimensions and not to the accounts', (about, path, line) => {
    const facts = { refusal: 'unknown-dimension', message: 'The ERP does not have it.', ...about };
    const file = { file: '/etc/ledgerbridge/tenants/hraun.yaml' } as Tenant;
    const [row] = inboxRows([cause({ reason: reason('ERP_CONFIGURATION', facts) })], () => file, 'en');
    expect(row!.mend).toMatchObject({ path, file: file.file });
    expect(row!.mend.example).toMatch(line);
    expect(row!.mend.example).not.toContain('accounts');
  });
});

describe('a tenant where nothing waits', () => {
  it.each([
    [0, 0, 'Every document that was handed over is in the books.'],
    [1, 0, 'Every document that was handed over is in the books, but for 1 reversed.'],
    [0, 2, 'Every document that was handed over is in the books, but for 2 skipped.'],
    [1, 2, 'Every document that was handed over is in the books, but for 1 reversed and 2 skipped.'],
  ])(
    'with %i reversed and %i skipped does not claim that they are in the books',
    (reversed, skipped, said) => {
      expect(say('en', message('ALL_IN_BOOKS', { reversed, skipped }))).toBe(said);
    },
  );
});
