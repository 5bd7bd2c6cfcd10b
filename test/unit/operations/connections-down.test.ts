import { say } from '../../../src/language/say.js';
import { describe, expect, it } from 'vitest';
import { connectionProblems, whyItWaits } from '../../../src/operations/connections-down.js';
import type { StoredTenant } from '../../../src/operations/records.js';

const SINCE = '2026-08-31T10:15:30.000Z';
const breaker = (side: 'source' | 'erp', state: 'open' | 'refused' | 'closed') => ({
  side,
  state,
  since: SINCE,
  openUntil: null,
  failures: 7,
  reason: 'ECONNREFUSED',
});
const tenant = (...breakers: StoredTenant['breakers']) =>
  ({
    name: 'hraun',
    states: { discovered: 2, mapped: 3, posted: 4, acknowledged: 90 },
    paused: null,
    planConfirmed: { at: SINCE, by: 'sigga' },
    breakers,
  }) as unknown as StoredTenant;

describe('a connection that is down', () => {
  it('is a problem with since when and how many documents wait, though none rests for a reason', () => {
    expect(connectionProblems([tenant(breaker('erp', 'open'))], undefined, 'en')).toMatchObject([
      {
        id: 'CONNECTION_DOWN:hraun/erp',
        sentence: 'The ERP of hraun does not answer',
        count: 5,
        states: ['discovered', 'mapped'],
        firstSeenAt: SINCE,
        needsPerson: false,
      },
    ]);
  });

  it('that refuses credentials needs a person', () => {
    const [problem] = connectionProblems([tenant(breaker('source', 'refused'))], 'hraun', 'en');
    expect(problem).toMatchObject({ code: 'CONNECTION_REFUSED', count: 9, needsPerson: true });
    expect(problem!.whatToDo).toContain('`ledgerbridge tenant check hraun`');
  });

  it('of another tenant is not asked for, and a closed breaker is none', () => {
    expect(connectionProblems([tenant(breaker('erp', 'open'))], 'fjordur', 'en')).toEqual([]);
    expect(connectionProblems([tenant(breaker('erp', 'closed'))], undefined, 'en')).toEqual([]);
  });

  it('is what a document waits for, in both languages', () => {
    const why = whyItWaits({ state: 'mapped', tenantName: 'hraun' }, tenant(breaker('erp', 'open')))!;
    expect(say('en', why)).toMatch(
      /^It waits because the ERP does not answer since 31\.08\.2026 10:15 GMT\. .*ECONNREFUSED$/,
    );
    expect(say('is', why)).not.toMatch(/\b(waits|answer|since|look)\b/);
  });

  it('is nothing to a document that does not need it', () => {
    expect(whyItWaits({ state: 'posted', tenantName: 'hraun' }, tenant(breaker('erp', 'open')))).toBeNull();
    expect(
      whyItWaits({ state: 'parked', tenantName: 'hraun' }, tenant(breaker('source', 'open'))),
    ).toBeNull();
  });
});

it('a document of a tenant that is paused, or whose plan nobody confirmed, waits for a person', () => {
  const row = { state: 'discovered', tenantName: 'hraun' } as const;
  const paused = { at: SINCE, by: 'sigga', reason: 'month end' };
  expect(say('en', whyItWaits(row, { ...tenant(), paused })!)).toBe('It waits. Paused by sigga: month end');
  expect(say('en', whyItWaits(row, { ...tenant(), planConfirmed: null })!)).toContain('plan');
  expect(whyItWaits(row, tenant())).toBeNull();
});
