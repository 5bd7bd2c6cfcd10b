// What is so now that somebody should know, from the overview and the causes: one list for `status --check`, for the banner of
// the dashboard and for incidents. Nothing is decided here that the records do not say.
import type { Condition, ConditionCode, Severity } from '../domain/condition.js';
import type { QueuesAway } from './deps.js';
import { isToldAlready, outgoingConditions, type OutgoingWaits } from './outgoing/waits.js';
import { BROKEN_FILE } from './broken-files.js';
import type { EndingToken, OriginalsAway, StoredAlarm, UnfinishedReversal } from './records.js';
import type { ConditionView, Overview, TenantOverview } from './views/overview.js';
import type { Problem } from './views/problem.js';
import type { Params } from '../domain/message.js';
import { conditionText } from '../language/conditions/condition-text.js';
import type { Language } from '../language/say.js';

/** A breaker that opens for a moment is nobody's business; after this long a person is told. */
export const DOWN_FOR_MS = 3 * 60_000;
/** Sweeps that fail for this long are told, whatever the breaker thinks of it. */
export const SWEEPS_FAIL_FOR_MS = 15 * 60_000;
/** On its way for longer than this while nothing is known to be down. The longest waits between tries are shorter. */
export const STUCK_FOR_MS = 6 * 60 * 60_000;

/** What is found here anew at every look: its incidents follow it, and say nothing that this list does not. */
export const FOUND_AT_A_LOOK: readonly ConditionCode[] = [
  ...(['PLAN_UNCONFIRMED', 'TENANT_FILE_GONE', 'TENANT_PAUSED', 'CONNECTION_DOWN'] as const),
  ...(['ORIGINALS_STORE_AWAY', 'OUTGOING_UNCONFIRMED', 'SUBMISSIONS_NEED_A_PERSON'] as const),
  ...(['CONNECTION_REFUSED', 'DOCUMENTS_REST', 'DOCUMENTS_STUCK', 'SWEEP_FAILING'] as const),
  ...(['REVERSAL_UNFINISHED', 'QUEUES_AWAY', 'TOKEN_ENDING'] as const),
];

export interface Facts {
  readonly at: string;
  readonly running: boolean;
  readonly tenants: readonly TenantOverview[];
  readonly problems: readonly Problem[];
  readonly originalsAway: OriginalsAway | null;
  readonly queuesAway?: QueuesAway | null;
  readonly reversals: readonly UnfinishedReversal[];
  readonly endingTokens: readonly EndingToken[];
  /** Critical incidents that are open. */
  readonly alarms: readonly StoredAlarm[];
  /** Of the other direction, and whether the tenant's file has it switched on. */
  readonly outgoing: readonly (OutgoingWaits & { readonly isOn: boolean })[];
}

export function conditionsOf(facts: Facts): Condition[] {
  const now = Date.parse(facts.at);
  const resting = facts.problems.flatMap(restingOf);
  const outgoing = facts.outgoing.flatMap((waits) => outgoingConditions(waits, waits.isOn, facts.at));
  return [
    ...(facts.running ? [] : [notRunning(facts.at)]),
    ...(facts.queuesAway ? [queuesAway(facts.queuesAway)] : []),
    ...(facts.originalsAway === null ? [] : [originalsAway(facts.originalsAway)]),
    ...facts.tenants.flatMap((tenant) => [
      ...(isCarriedOn(tenant, facts) ? [] : standing(tenant, facts.at)),
      ...connections(tenant),
      ...sweeps(tenant, now),
      ...stuck(tenant, now),
    ]),
    ...untold(facts.alarms, FOUND_AT_A_LOOK, [...resting, ...outgoing].flatMap(alarmingCause)).map(
      alarmCondition,
    ),
    ...resting,
    ...facts.reversals.map(unfinished),
    ...facts.endingTokens.map(ending),
    ...outgoing,
  ];
}

/** Those that make `status --check` fail. */
export function needingAPerson(overview: Pick<Overview, 'conditions'>): ConditionView[] {
  return overview.conditions.filter(({ needsPerson }) => needsPerson);
}

/** Those that a person is told of: an outage of a moment is not among them. */
export function worthAnIncident(conditions: readonly Condition[], at: string): Condition[] {
  const oldEnough = ({ since }: { since: string }) => Date.parse(at) - Date.parse(since) >= DOWN_FOR_MS;
  return conditions.filter((condition) => {
    // What is an incident is not made one again.
    if (condition.code === 'BRIDGE_NOT_RUNNING' || condition.code === 'INCIDENT_OPEN') return false;
    if (isToldAlready(condition)) return false;
    const mayPass = condition.code === 'CONNECTION_DOWN' || condition.code === 'QUEUES_AWAY';
    return !mayPass || oldEnough(condition.params);
  });
}

function notRunning(at: string): Condition {
  const code = 'BRIDGE_NOT_RUNNING';
  return { code, tenant: null, subject: '', severity: 'critical', needsPerson: true, lastAt: at, params: {} };
}

function queuesAway(params: QueuesAway): Condition {
  const about = { tenant: null, subject: '', lastAt: params.since };
  return { code: 'QUEUES_AWAY', ...about, severity: 'critical', needsPerson: true, params };
}

function originalsAway({ count, reason, lastAt }: OriginalsAway): Condition {
  const code = 'ORIGINALS_STORE_AWAY';
  const params = { count, reason };
  return { code, tenant: null, subject: '', severity: 'critical', needsPerson: true, lastAt, params };
}

/** That its file is broken is told by the bridge that works on with what was in it before. */
function isCarriedOn({ name, loaded, paused }: TenantOverview, { alarms }: Facts): boolean {
  if (loaded || paused !== null) return false;
  return alarms.some(({ latest }) => latest.code === BROKEN_FILE && latest.tenantName === name);
}

/** Paused, without a file, or not confirmed yet. */
function standing(tenant: TenantOverview, at: string): Condition[] {
  const { name, waiting, needsYou } = tenant;
  const about = { tenant: name, subject: '' };
  if (tenant.paused || tenant.pausedInFile) {
    const { by, reason, at: lastAt } = tenant.paused ?? { by: 'its file', reason: '', at };
    const [severity, needsPerson]: [Severity, boolean] = needsYou > 0 ? ['warning', true] : ['info', false];
    const params = { by, reason, needsYou, waiting };
    return [{ code: 'TENANT_PAUSED', ...about, severity, needsPerson, lastAt, params }];
  }
  if (!tenant.loaded) {
    const params = { count: waiting };
    return [
      { code: 'TENANT_FILE_GONE', ...about, severity: 'critical', needsPerson: true, lastAt: at, params },
    ];
  }
  if (tenant.planConfirmed || waiting === 0) return [];
  const lastAt = tenant.oldestWaitingAt ?? at;
  const params = { count: waiting };
  return [{ code: 'PLAN_UNCONFIRMED', ...about, severity: 'warning', needsPerson: true, lastAt, params }];
}

function connections({ name, breakers, waiting }: TenantOverview): Condition[] {
  return breakers
    .filter(({ state }) => state !== 'closed')
    .map(({ side, state, since, reason }) => ({
      code: state === 'refused' ? 'CONNECTION_REFUSED' : 'CONNECTION_DOWN',
      tenant: name,
      subject: side,
      severity: 'critical',
      needsPerson: true,
      lastAt: since,
      params: { side, since, count: waiting, reason: reason ?? '' },
    }));
}

function sweeps(
  { name, failedSweeps, lastSweeps, paused, pausedInFile }: TenantOverview,
  now: number,
): Condition[] {
  if (paused || pausedInFile) return [];
  return failedSweeps
    .filter(({ failingSince }) => now - Date.parse(failingSince) >= SWEEPS_FAIL_FOR_MS)
    .map(({ kind, message, failingSince }) => ({
      code: 'SWEEP_FAILING',
      tenant: name,
      subject: kind,
      severity: 'critical',
      needsPerson: true,
      lastAt: failingSince,
      params: {
        kind,
        since: lastSweeps.find((sweep) => sweep.kind === kind)?.startedAt ?? null,
        reason: message ?? '',
      },
    }));
}

function stuck(tenant: TenantOverview, now: number): Condition[] {
  const { name, states, lagMs, health } = tenant;
  if (lagMs < STUCK_FOR_MS || (health !== 'working' && health !== 'needs-you')) return [];
  const count = states.discovered + states.mapped + states.posting + states.posted + states.writing_back;
  const since = new Date(now - lagMs).toISOString();
  const params = { count, since };
  const about = { tenant: name, subject: '', lastAt: since };
  return [{ code: 'DOCUMENTS_STUCK', ...about, severity: 'warning', needsPerson: true, params }];
}

function unfinished({ tenantName, ...params }: UnfinishedReversal): Condition {
  const about = { tenant: tenantName, subject: params.posting, lastAt: params.since };
  return { code: 'REVERSAL_UNFINISHED', ...about, severity: 'critical', needsPerson: true, params };
}

/** Told for two weeks; it ends by itself, and then those who use it are refused. */
function ending({ id, name, endsAt, toldFrom }: EndingToken): Condition {
  const about = { tenant: null, subject: id, lastAt: toldFrom };
  return {
    code: 'TOKEN_ENDING',
    ...about,
    severity: 'warning',
    needsPerson: false,
    params: { id, name, endsAt },
  };
}

/** One for each tenant and cause, however many documents. What a person holds back is known to that person. */
function restingOf(problem: Problem): Condition[] {
  if (problem.code === 'HELD_BY_OPERATOR') return [];
  const { id: cause, states, reason, needsPerson, severity, lastSeenAt: lastAt } = problem;
  return problem.tenants.map(({ name, count }) => ({
    code: 'DOCUMENTS_REST',
    tenant: name,
    subject: cause,
    severity,
    needsPerson,
    lastAt,
    params: { cause, states, count, reason, needsPerson },
  }));
}

/** A critical cause says of each of its documents what its incident says. */
function alarmingCause(condition: Condition) {
  const { code, tenant, severity, params } = condition;
  if (severity !== 'critical') return [];
  return code === 'DOCUMENTS_REST' || code === 'SUBMISSIONS_NEED_A_PERSON'
    ? [{ tenant, code: params.reason.code }]
    : [];
}

// Critical incidents that are open: beside the conditions that are found at every look, and first among the problems. One that is told
// there already, as a condition of its own or as the cause of its documents, is not told twice.

interface ToldCause {
  readonly tenant: string | null;
  readonly code: string;
}

export function untold(
  alarms: readonly StoredAlarm[],
  codes: readonly string[],
  causes: readonly ToldCause[],
): StoredAlarm[] {
  return alarms.filter(
    ({ latest: { code, tenantName } }) =>
      !codes.includes(code) && !causes.some((told) => told.code === code && told.tenant === tenantName),
  );
}

function alarmCondition({ latest, count }: StoredAlarm): Condition {
  const { id, code, tenantName, params, title, details, nextStep, lastSeenAt } = latest;
  return {
    ...{ code: 'INCIDENT_OPEN', tenant: tenantName, subject: code, severity: 'critical', needsPerson: true },
    ...{
      lastAt: lastSeenAt,
      params: { id, incident: code, count, values: params, title, details, nextStep },
    },
  };
}

/** Those of conditions too, which are found by looking at more than the problems are made of. */
export function alarmProblem(
  alarm: StoredAlarm,
  titleOf: (tenant: string) => string,
  language: Language,
): Problem {
  const { latest, count, firstSeenAt } = alarm;
  const { id: incidentId, code, tenantName, params, lastSeenAt } = latest;
  const name = tenantName === null ? undefined : titleOf(tenantName);
  const { title, nextStep } = conditionText(language, alarmCondition(alarm), name);
  return {
    ...{ id: tenantName === null ? code : `${code}:${tenantName}`, code, subject: tenantName ?? '' },
    ...{ sentence: title, reason: { code, params: (params ?? {}) as Params }, whatToDo: nextStep },
    ...{ direction: 'in', count, states: [], firstSeenAt, lastSeenAt, incidentId },
    tenants: tenantName === null ? [] : [{ name: tenantName, count }],
    ...{ action: 'none', needsPerson: true, severity: 'critical' },
  };
}
