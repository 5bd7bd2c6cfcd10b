import { describe, expect, it } from 'vitest';
import { type Condition, fingerprintOf } from '../../../src/domain/condition.js';
import { conditionText } from '../../../src/language/conditions/condition-text.js';
import { asWritten } from '../../../src/domain/message.js';
import { POSTING_STATES } from '../../../src/domain/posting.js';
import {
  conditionsOf,
  DOWN_FOR_MS,
  type Facts,
  worthAnIncident,
} from '../../../src/operations/conditions.js';
import type { StoredAlarm } from '../../../src/operations/records.js';
import type { StateCounts, TenantOverview } from '../../../src/operations/views/overview.js';
import type { Problem } from '../../../src/operations/views/problem.js';

const AT = '2026-03-02T10:00:00.000Z';
const before = (ms: number) => new Date(Date.parse(AT) - ms).toISOString();
const NO_STATES = Object.fromEntries(POSTING_STATES.map((state) => [state, 0])) as StateCounts;

const fine: TenantOverview = {
  ...{ name: 'hraun', title: 'Hraun ehf.', environment: 'production', erp: 'file', loaded: true },
  ...{ health: 'ok', sentence: '', states: NO_STATES, waiting: 0, needsYou: 0, inBooks: 0, postedToday: 0 },
  ...{ oldestWaitingAt: null, lagMs: 0, lastSweeps: [], failedSweeps: [], nextRunAt: null, breakers: [] },
  ...{
    openIncidents: 0,
    outgoing: { waiting: 0, needsYou: 0, underWay: 0, lastSentAt: null },
    paused: null,
    pausedInFile: false,
    cutOver: '2026-01-01',
    rulesVersion: 'v',
    file: 'f',
  },
  planConfirmed: { at: AT, by: 'anna' },
};
const problem: Problem = {
  ...{
    id: 'UNMAPPED_COST_CODE:4711',
    code: 'UNMAPPED_COST_CODE',
    subject: '4711',
    sentence: 'No account.',
    reason: { code: 'UNMAPPED_COST_CODE', params: asWritten('No account.') },
  },
  ...{
    whatToDo: 'Name one.',
    direction: 'in',
    count: 100,
    states: ['parked'],
    action: 'replay',
    needsPerson: true,
    severity: 'warning',
    incidentId: null,
  },
  ...{ tenants: [{ name: 'hraun', count: 100 }], firstSeenAt: AT, lastSeenAt: AT },
};

const found = (facts: Partial<Facts>) =>
  conditionsOf({
    at: AT,
    running: true,
    tenants: [fine],
    problems: [],
    originalsAway: null,
    reversals: [],
    endingTokens: [],
    alarms: [],
    outgoing: [],
    ...facts,
  });
const needing = (facts: Partial<Facts>) =>
  found(facts)
    .filter(({ needsPerson }) => needsPerson)
    .map(({ code }) => code);
const tenant = (more: Partial<TenantOverview>) => ({ tenants: [{ ...fine, ...more }] });
const open = (state: 'open' | 'refused', ageMs: number) => ({
  breakers: [{ side: 'erp', state, openUntil: null, failures: 5, reason: 'no answer', since: before(ageMs) }],
});

const left = {
  ...{ tenantName: 'hraun', posting: '0198c0de-0000-7000-8000-000000000001', kind: 'invoice' as const },
  ...{ number: 'R-1', key: 'R01', since: AT, isHalf: false },
};

const gone: StoredAlarm = {
  latest: {
    ...{ id: '0198c0de-0000-7000-8000-000000000002', tenantName: 'hraun', postingId: null },
    ...{
      code: 'RECONCILIATION_DIFFERS',
      severity: 'critical',
      title: 'as written',
      details: '',
      nextStep: '',
    },
    params: { tenant: 'hraun', from: '2026-01-01', to: '2026-03-01', count: 6, differences: [] },
    ...{ state: 'open', count: 1, firstSeenAt: AT, lastSeenAt: AT },
    ...{ resolvedAt: null, resolvedBy: null, resolution: null },
  },
  ...{ count: 1, firstSeenAt: AT },
};
const alarm = (more: Partial<StoredAlarm['latest']>): StoredAlarm => ({
  ...gone,
  latest: { ...gone.latest, ...more },
});

const waits = {
  ...{ tenantName: 'hraun', isConfirmed: true, isPaused: false, waiting: 0, waitingSince: null, isOn: true },
  ...{ underWay: 0, lastSentAt: null },
  resting: [],
};
const parked = (code: 'CUSTOMER_DEACTIVATED' | 'SUBMISSION_TWICE') => ({
  ...waits,
  resting: [
    {
      ...{ state: 'parked' as const, count: 3, firstAt: AT, lastAt: AT },
      reason: { code, subject: '', params: asWritten('5402696029') },
    },
  ],
});
const unconfirmed = { ...waits, isConfirmed: false, waiting: 12, waitingSince: AT };

describe('a person is needed', () => {
  it('by nobody while everything works', () => {
    expect(found({})).toEqual([]);
    expect(needing(tenant({ planConfirmed: null }))).toEqual([]);
  });

  it.each<[string, Partial<Facts>, string]>([
    ['when no bridge runs', { running: false }, 'BRIDGE_NOT_RUNNING'],
    ['when documents wait behind a plan', tenant({ planConfirmed: null, waiting: 67 }), 'PLAN_UNCONFIRMED'],
    [
      'when an ERP does not answer',
      tenant(open('open', 1_000) as Partial<TenantOverview>),
      'CONNECTION_DOWN',
    ],
    [
      'when credentials are refused',
      tenant(open('refused', 1) as Partial<TenantOverview>),
      'CONNECTION_REFUSED',
    ],
    ['when a file is gone', tenant({ loaded: false }), 'TENANT_FILE_GONE'],
    [
      'when documents of a paused tenant do',
      tenant({ paused: { at: AT, by: 'anna', reason: 'audit' }, needsYou: 3 }),
      'TENANT_PAUSED',
    ],
    ['when documents are parked', { problems: [problem] }, 'DOCUMENTS_REST'],
    [
      'when sweeps fail for a while',
      tenant({
        failedSweeps: [
          {
            ...{
              kind: 'cost',
              mode: 'fast',
              startedAt: AT,
              finishedAt: AT,
              outcome: 'failed',
              message: '500',
            },
            ...{ listed: 0, discovered: 0, failingSince: before(20 * 60_000) },
          },
        ],
      }),
      'SWEEP_FAILING',
    ],
    [
      'when something is on its way for ever',
      tenant({ health: 'working', lagMs: 7 * 3_600_000, states: { ...NO_STATES, posting: 2 } }),
      'DOCUMENTS_STUCK',
    ],
    [
      'the store of originals does not work',
      { originalsAway: { count: 3, reason: 'ENOSPC: no space left on device', lastAt: AT } },
      'ORIGINALS_STORE_AWAY',
    ],
    ['when a reversal was begun and left', { reversals: [left] }, 'REVERSAL_UNFINISHED'],
    [
      'when records of the other direction are parked',
      { outgoing: [parked('CUSTOMER_DEACTIVATED')] },
      'SUBMISSIONS_NEED_A_PERSON',
    ],
    [
      'when records wait behind a plan of the other direction',
      { outgoing: [unconfirmed] },
      'OUTGOING_UNCONFIRMED',
    ],
  ])('%s', (_when, facts, code) => {
    expect(needing(facts)).toEqual([code]);
  });

  it('not for a plan that nothing waits for, that is switched off, or that a person holds back', () => {
    for (const more of [{ waiting: 0 }, { isOn: false }, { isPaused: true }, { isConfirmed: true }])
      expect(needing({ outgoing: [{ ...unconfirmed, ...more }] })).toEqual([]);
  });

  it('not for a pause, a hold or what time cures; these are still told', () => {
    expect(needing(tenant({ paused: { at: AT, by: 'anna', reason: 'audit' }, waiting: 4 }))).toEqual([]);
    const closed: Problem = {
      ...problem,
      ...{ code: 'ERP_PERIOD_CLOSED', states: ['held'], needsPerson: false, severity: 'info' },
    };
    expect(found({ problems: [closed] })).toMatchObject([{ severity: 'info', needsPerson: false }]);
    expect(found({ problems: [{ ...problem, code: 'HELD_BY_OPERATOR' }] })).toEqual([]);
  });
});

describe('an incident', () => {
  it('is one for a hundred documents of one cause and tenant', () => {
    const two = { ...problem, tenants: [...problem.tenants, { name: 'fell', count: 1 }] };
    const rested = found({ problems: [two] });
    expect(rested.map(fingerprintOf)).toEqual([
      'DOCUMENTS_REST:UNMAPPED_COST_CODE:4711:hraun',
      'DOCUMENTS_REST:UNMAPPED_COST_CODE:4711:fell',
    ]);
  });

  it('is opened for an outage of minutes, not of a moment', () => {
    const told = (ageMs: number) =>
      worthAnIncident(found(tenant(open('open', ageMs) as Partial<TenantOverview>)), AT).length;
    expect([told(DOWN_FOR_MS - 1), told(DOWN_FOR_MS)]).toEqual([0, 1]);
    expect(worthAnIncident(found({ running: false }), AT)).toEqual([]);
  });
});

describe('a critical incident that is open', () => {
  it('is a condition that a person must settle, and no second incident', () => {
    expect(found({ alarms: [gone] })).toMatchObject([
      { code: 'INCIDENT_OPEN', subject: 'RECONCILIATION_DIFFERS', severity: 'critical', needsPerson: true },
    ]);
    expect(worthAnIncident(found({ alarms: [gone] }), AT)).toEqual([]);
  });

  it('is told once: not beside the condition that it follows, nor beside the critical cause of its documents', () => {
    const unknown: Problem = {
      ...problem,
      ...{ id: 'OUTCOME_UNKNOWN', code: 'OUTCOME_UNKNOWN', subject: '', severity: 'critical' },
      reason: { code: 'OUTCOME_UNKNOWN', params: {} },
    };
    const alarms = [alarm({ code: 'OUTCOME_UNKNOWN' }), alarm({ code: 'REVERSAL_UNFINISHED' })];
    expect(needing({ problems: [unknown], alarms })).toEqual(['DOCUMENTS_REST']);
    expect(needing({ alarms })).toEqual(['INCIDENT_OPEN']);
    const other = alarm({ code: 'OUTCOME_UNKNOWN', tenantName: 'fell' });
    expect(needing({ problems: [unknown], alarms: [other] })).toEqual(['INCIDENT_OPEN', 'DOCUMENTS_REST']);
  });

  it.each(['en', 'is'] as const)(
    'says in %s what is so, how many there are, and how it is settled',
    (language) => {
      const [one] = found({ alarms: [gone] });
      const [many] = found({ alarms: [{ ...gone, count: 5 }] });
      const said = conditionText(language, one!, 'Hraun ehf.');
      expect(said.title).toMatch(/^6 /);
      expect(said.nextStep).toContain('ledgerbridge reconcile hraun');
      expect(said.nextStep).toContain(`ledgerbridge incidents resolve ${gone.latest.id}`);
      expect(conditionText(language, many!, 'Hraun ehf.').title).toContain('4');
    },
  );
});

describe('an incident of the other direction', () => {
  it('is one a tenant and reason, and none where each record has one of its own', () => {
    const told = (outgoing: Facts['outgoing']) => worthAnIncident(found({ outgoing }), AT).map(fingerprintOf);
    expect(told([parked('CUSTOMER_DEACTIVATED'), unconfirmed])).toEqual([
      'SUBMISSIONS_NEED_A_PERSON:parked/CUSTOMER_DEACTIVATED:hraun',
      'OUTGOING_UNCONFIRMED:hraun',
    ]);
    expect(told([parked('SUBMISSION_TWICE')])).toEqual([]);
    expect(found({ outgoing: [parked('SUBMISSION_TWICE')] })).toMatchObject([{ severity: 'critical' }]);
  });
});

describe('every condition', () => {
  const samples: Condition[] = [
    ...found({ running: false, problems: [problem], ...tenant({ loaded: false }) }),
    ...found(tenant({ planConfirmed: null, waiting: 1 })),
    ...found(tenant(open('open', 1) as Partial<TenantOverview>)),
    ...found({ outgoing: [parked('CUSTOMER_DEACTIVATED'), unconfirmed] }),
    ...found({ alarms: [gone, { ...alarm({ code: 'SWEEP_OVERDUE', params: { since: AT } }), count: 2 }] }),
  ];

  it.each(samples.map((sample) => [sample.code, sample] as const))(
    '%s is said in both languages',
    (_code, sample) => {
      const [english, icelandic] = (['en', 'is'] as const).map((language) =>
        conditionText(language, sample, 'Hraun ehf.'),
      );
      for (const part of ['title', 'details', 'nextStep'] as const) {
        expect(english![part]).not.toMatch(/undefined|\[object/);
        expect(icelandic![part]).not.toMatch(/undefined|\[object/);
      }
      expect(icelandic!.title).not.toBe(english!.title);
    },
  );

  it('names the command with the name of the tenant, and the company with its own', () => {
    const [condition] = found(tenant({ planConfirmed: null, waiting: 2 }));
    expect(conditionText('en', condition!, 'Hraun ehf.')).toMatchObject({
      title: 'The plan of Hraun ehf. is not confirmed: 2 documents wait',
      nextStep: 'Look at it, then confirm it: ledgerbridge plan hraun --confirm',
    });
  });
});

describe.each(['en', 'is'] as const)('a reversal that was left, in %s', (language) => {
  it.each([true, false])(
    'says which, since when, and the command to finish it (half of it done: %s)',
    (isHalf) => {
      const [condition] = found({ reversals: [{ ...left, isHalf }] });
      expect(condition).toMatchObject({ tenant: 'hraun', subject: left.posting, severity: 'critical' });
      const { title, details, nextStep } = conditionText(language, condition!, 'Hraun ehf.');
      expect(title).toContain('R-1');
      expect(title).toContain('Hraun ehf.');
      expect(details).toContain(left.key);
      expect(nextStep).toContain(`ledgerbridge reverse ${left.posting}`);
      const [other] = found({ reversals: [{ ...left, isHalf: !isHalf }] });
      const said = conditionText(language, other!, 'Hraun ehf.');
      expect(said.details).not.toBe(details);
      expect(said.nextStep).not.toBe(nextStep);
    },
  );
});
