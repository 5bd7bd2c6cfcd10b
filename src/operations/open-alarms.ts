// Critical incidents that are open: beside the conditions that are found at every look, and first among the problems. One that is told
// there already, as a condition of its own or as the cause of its documents, is not told twice.
import type { Condition } from '../domain/condition.js';
import type { Params } from '../domain/message.js';
import { conditionText } from '../language/conditions/condition-text.js';
import type { Language } from '../language/say.js';
import type { StoredAlarm } from './records.js';
import type { Problem } from './views/problem.js';

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

export function alarmCondition({ latest, count }: StoredAlarm): Condition {
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
