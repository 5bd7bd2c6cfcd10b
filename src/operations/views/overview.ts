// Is every document in the books, and if not, who has to do something? One row a tenant, and the sum of all.
import * as z from 'zod';
import type { Condition } from '../../domain/condition.js';
import type { ConditionText } from '../../language/conditions/condition-text.js';
import { POSTING_STATES } from '../../domain/posting.js';
import { count, instant, sourceKind } from './common.js';

export const stateCounts = z.record(z.enum(POSTING_STATES), count);
export type StateCounts = z.infer<typeof stateCounts>;

export const breaker = z.object({
  side: z.enum(['source', 'erp']),
  state: z.enum(['closed', 'open', 'refused']),
  openUntil: instant.nullable(),
  failures: count,
  reason: z.string().nullable(),
  since: instant,
});

export const sweep = z
  .object({
    kind: sourceKind,
    mode: z.enum(['fast', 'full']),
    startedAt: instant,
    finishedAt: instant.nullable(),
    outcome: z.string().nullable().describe('complete, incomplete, failed; null while it runs.'),
    message: z.string().nullable(),
    listed: count,
    discovered: count,
  })
  .meta({ id: 'Sweep' });
export type SweepView = z.infer<typeof sweep>;

export const failedSweep = sweep
  .extend({ failingSince: instant.describe('The first that failed since the last complete one.') })
  .meta({ id: 'FailedSweep' });
export type FailedSweepView = z.infer<typeof failedSweep>;

export const condition = z
  .object({
    code: z.string(),
    tenant: z.string().nullable().describe('null: the bridge itself.'),
    subject: z.string(),
    severity: z.enum(['info', 'warning', 'critical']),
    needsPerson: z.boolean().describe('true: `status --check` exits with 3.'),
    lastAt: instant,
    params: z.record(z.string(), z.unknown()),
    title: z.string(),
    details: z.string(),
    nextStep: z.string(),
  })
  .meta({ id: 'Condition' });
export type ConditionView = Condition & ConditionText;

export const HEALTHS = ['ok', 'working', 'waiting', 'needs-you', 'down', 'paused', 'unconfirmed'] as const;

export const tenantOverview = z
  .object({
    name: z.string(),
    title: z.string(),
    environment: z.string(),
    erp: z.string().describe('Name of the adapter; empty when the tenant file is gone.'),
    loaded: z.boolean().describe('false: the database knows the tenant, but there is no valid file for it.'),
    health: z.enum(HEALTHS),
    sentence: z.string().describe('The health in one sentence.'),
    states: stateCounts,
    waiting: count.describe('On their way, deferred or held, and nobody has to do anything.'),
    needsYou: count.describe(
      'Parked, orphaned or rejected, or held until a file is mended: a person has to act.',
    ),
    inBooks: count,
    postedToday: count.describe('Since midnight in the time zone of the bridge (LEDGERBRIDGE_TIME_ZONE).'),
    oldestWaitingAt: instant.nullable(),
    lagMs: count.describe('Age of the oldest document that is on its way; 0 when there is none.'),
    lastSweeps: z.array(sweep).describe('The latest complete one of each kind.'),
    failedSweeps: z.array(failedSweep).describe('The latest of each kind where it failed since then.'),
    nextRunAt: instant.nullable(),
    breakers: z.array(breaker),
    openIncidents: count,
    outgoing: z
      .object({
        waiting: count.describe('Records that were not begun.'),
        underWay: count.describe('Sent, in doubt, or not told to its origin yet.'),
        lastSentAt: instant.nullable(),
        needsYou: count.describe(
          'Parked, refused, or waiting for its plan to be confirmed: a person has to act.',
        ),
      })
      .describe('What goes into the service.'),
    paused: z.object({ at: instant, by: z.string(), reason: z.string() }).nullable(),
    pausedInFile: z.boolean(),
    planConfirmed: z.object({ at: instant, by: z.string() }).nullable(),
    cutOver: z.string().nullable(),
    rulesVersion: z.string().nullable(),
    file: z.string(),
  })
  .meta({ id: 'TenantOverview' });
export type TenantOverview = z.infer<typeof tenantOverview>;

export const overview = z
  .object({
    at: instant,
    running: z.boolean().describe('Somebody hands out work on these records at this moment.'),
    conditions: z.array(condition).describe('What somebody should know, the worst first.'),
    tenants: z.array(tenantOverview),
    totals: z.object({
      waiting: count,
      needsYou: count,
      inBooks: count,
      postedToday: count,
      openIncidents: count,
      causes: count,
      oldestWaitingAt: instant.nullable(),
    }),
  })
  .meta({ id: 'Overview' });
export type Overview = Omit<z.infer<typeof overview>, 'conditions'> & {
  conditions: ConditionView[];
};

export const throughput = z
  .object({
    tenantName: z.string().nullable(),
    buckets: z.array(
      z.object({
        from: instant,
        posted: count,
        skipped: count,
        rejected: count,
        parked: count,
        discovered: count,
      }),
    ),
  })
  .meta({ id: 'Throughput' });
export type Throughput = z.infer<typeof throughput>;

export const schedule = z
  .object({
    tenantName: z.string(),
    title: z.string(),
    cron: z.string(),
    timeZone: z.string(),
    nextRunAt: instant.nullable().describe('null: paused in its file.'),
    lastRunAt: instant.nullable(),
    lastFiredBy: z.string().nullable(),
  })
  .meta({ id: 'Schedule' });
export type ScheduleView = z.infer<typeof schedule>;
