// What the watchman asks: who is silent, who was not swept, what is old enough to go, who is due for a reconciliation.
import { SOURCE_KINDS } from '../domain/source-document.js';
import type { PrismaClient } from './generated/client.js';
import { openIncident, wake } from './incidents.js';

export interface WatchStore {
  /** Documents came on at least `daysBusy` of the 14 days before, and none for `daysSilent`. */
  openSilence(daysBusy: number, daysSilent: number): Promise<readonly string[]>;
  /** Confirmed, not paused, and without a complete sweep of one of its kinds for this long. */
  openOverdue(overdueMs: number): Promise<readonly string[]>;
  /** Asks for a reconciliation of every confirmed tenant that had none today. */
  requestReconciliations(days: number): Promise<number>;
  /** Sweeps and reconciliations older than this are history that nobody asks for. */
  forget(daysKept: number): Promise<void>;
}

export function createWatchStore(prisma: PrismaClient): WatchStore {
  return {
    openSilence: (daysBusy, daysSilent) => openSilence(prisma, daysBusy, daysSilent),
    openOverdue: (overdueMs) => openOverdue(prisma, overdueMs),
    requestReconciliations: (days) => requestReconciliations(prisma, days),
    forget: async (daysKept) => {
      await prisma.$executeRaw`DELETE FROM sweep WHERE started_at < now() - ${daysKept} * interval '1 day'`;
      await prisma.$executeRaw`DELETE FROM reconciliation_run WHERE started_at < now() - ${daysKept} * interval '1 day'`;
    },
  };
}

async function openSilence(prisma: PrismaClient, daysBusy: number, daysSilent: number): Promise<string[]> {
  const silent = await prisma.$queryRaw<{ tenant_name: string; days: number; last: string }[]>`
    SELECT tenant_name, count(DISTINCT first_seen_at::date)::int AS days, to_char(max(first_seen_at), 'YYYY-MM-DD') AS last
    FROM document
    WHERE first_seen_at > now() - (14 + ${daysSilent}) * interval '1 day'
    GROUP BY tenant_name
    HAVING max(first_seen_at) < now() - ${daysSilent} * interval '1 day' AND count(DISTINCT first_seen_at::date) >= ${daysBusy}`;
  for (const { tenant_name: tenantName, days, last } of silent) {
    await prisma.$transaction((tx) =>
      openIncident(
        tx,
        { tenantName },
        {
          code: 'TENANT_SILENT',
          fingerprint: `TENANT_SILENT:${tenantName}`,
          severity: 'warning',
          title: `${tenantName} always has documents, and has had none since ${last}`,
          details: `New documents came on ${days} of the days before.`,
          nextStep: `Look whether the company is closed or the account was changed: ledgerbridge tenant check ${tenantName}`,
        },
      ),
    );
  }
  return silent.map((row) => row.tenant_name);
}

async function openOverdue(prisma: PrismaClient, overdueMs: number): Promise<string[]> {
  const overdue = await prisma.$queryRaw<{ name: string; last: string | null }[]>`
    SELECT t.name, to_char(nullif(min(swept.at), 'epoch'), 'YYYY-MM-DD HH24:MI') AS last
    FROM tenant t CROSS JOIN unnest(${[...SOURCE_KINDS]}::text[]) AS k(kind) CROSS JOIN LATERAL (
      SELECT coalesce(max(s.finished_at), 'epoch') AS at FROM sweep s
      WHERE s.tenant_name = t.name AND s.kind = k.kind AND s.outcome = 'complete') swept
    WHERE t.paused_at IS NULL AND t.plan_confirmed_at < now() - ${overdueMs} * interval '1 millisecond'
    GROUP BY t.name
    HAVING min(swept.at) < now() - ${overdueMs} * interval '1 millisecond'`;
  for (const { name: tenantName, last } of overdue) {
    await prisma.$transaction((tx) =>
      openIncident(
        tx,
        { tenantName },
        {
          code: 'SWEEP_OVERDUE',
          fingerprint: `SWEEP_OVERDUE:${tenantName}`,
          severity: 'critical',
          title: `${tenantName} was not swept completely since ${last ?? 'it was connected'}`,
          details: 'Documents may be waiting at the source that the bridge has not seen.',
          nextStep: `Look at its connection: ledgerbridge tenant check ${tenantName}; then: ledgerbridge sweep ${tenantName}`,
        },
      ),
    );
  }
  return overdue.map((row) => row.name);
}

async function requestReconciliations(prisma: PrismaClient, days: number): Promise<number> {
  return prisma.$transaction(async (tx) => {
    const due = await tx.$queryRaw<{ name: string; from: string; to: string }[]>`
      SELECT t.name, to_char(now() - ${days} * interval '1 day', 'YYYY-MM-DD') AS "from", to_char(now(), 'YYYY-MM-DD') AS "to"
      FROM tenant t
      WHERE t.paused_at IS NULL AND t.plan_confirmed_at < now() - interval '1 day'
        AND NOT EXISTS (SELECT 1 FROM reconciliation_run r WHERE r.tenant_name = t.name AND r.started_at > now() - interval '20 hours')
        AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.tenant_name = t.name AND o.topic = 'reconcile')`;
    for (const { name, from, to } of due) await wake(tx, 'reconcile', name, { from, to });
    return due.length;
  });
}
