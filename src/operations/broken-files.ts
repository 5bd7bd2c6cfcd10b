// A tenant file that broke while a bridge runs. The bridge works on with the last version that was valid; it alone knows which, and keeps it as
// an incident. Every surface reads that: what another process makes of the file says nothing about what is at work.
import { basename } from 'node:path';
import type { Condition, ConditionParams } from '../domain/condition.js';
import type { Message } from '../domain/message.js';
import { asSaid, message } from '../language/messages.js';
import type { BrokenFile } from '../tenants/watch-tenants.js';
import type { StoredAlarm } from './records.js';

export const BROKEN_FILE = 'TENANT_FILE_BROKEN';

export function brokenFileCondition({ tenant, problem, more, versionOf }: BrokenFile, at: string): Condition {
  const { file, line, path } = problem;
  const { message: what, remedy } = problem.said ?? {
    message: asSaid(problem.message),
    remedy: asSaid(problem.remedy),
  };
  return {
    ...{ code: BROKEN_FILE, tenant: tenant.name, subject: '', severity: 'critical', needsPerson: true },
    // True until the file is valid: nobody can say that it is settled before.
    lastAt: at,
    params: {
      place: `${basename(file)}:${String(line)}`,
      path,
      what,
      remedy,
      more,
      version: versionOf.toISOString(),
    },
  };
}

/** Without a bridge nothing works on, whatever the last one knew. */
export function withoutStale(alarms: readonly StoredAlarm[], isRunning: boolean): readonly StoredAlarm[] {
  return isRunning ? alarms : alarms.filter(({ latest }) => latest.code !== BROKEN_FILE);
}

/** Tenant → what is said of it in one sentence. */
export function goingOn(alarms: readonly StoredAlarm[]): ReadonlyMap<string, Message> {
  return new Map(
    alarms.flatMap(({ latest: { code, tenantName, params } }): [string, Message][] => {
      if (code !== BROKEN_FILE || tenantName === null || params === null) return [];
      const { place, version } = params as ConditionParams[typeof BROKEN_FILE];
      return [[tenantName, message('FILE_BROKEN', { place, version })]];
    }),
  );
}
