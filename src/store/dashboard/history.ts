// Earlier comparisons and how long documents took, on PostgreSQL.
import type { History, PastReconciliation } from '../../operations/history.js';
import type { PrismaClient } from '../generated/client.js';

export function createHistory(prisma: PrismaClient): History {
  return {
    reconciliations: async (tenant, limit) => {
      const rows = await prisma.reconciliationRun.findMany({
        where: tenant === null ? {} : { tenantName: tenant },
        orderBy: { startedAt: 'desc' },
        take: limit,
      });
      return rows.map((row) => ({
        id: row.id,
        tenantName: row.tenantName,
        from: row.fromDate,
        to: row.toDate,
        startedAt: row.startedAt.toISOString(),
        finishedAt: row.finishedAt?.toISOString() ?? null,
        clean: row.clean,
        report: row.report === null ? null : (JSON.parse(row.report) as PastReconciliation['report']),
      }));
    },
    lag: async (tenant, hours) => {
      const rows = await prisma.$queryRaw<{ tenant_name: string; hour: Date; ms: number }[]>`
        SELECT tenant_name, date_trunc('hour', posted_at) AS hour,
               max(extract(epoch FROM posted_at - discovered_at) * 1000)::float8 AS ms
        FROM posting WHERE posted_at >= date_trunc('hour', now()) - ${hours - 1} * interval '1 hour'
          AND (${tenant}::text IS NULL OR tenant_name = ${tenant})
        GROUP BY 1, 2 ORDER BY 1, 2`;
      return rows.map((row) => ({
        tenantName: row.tenant_name,
        hour: row.hour.toISOString(),
        slowestMs: Math.max(0, Math.round(row.ms)),
      }));
    },
  };
}
