// Earlier comparisons and how long documents took, on PostgreSQL.
import type { Companies } from '../../operations/access/reach.js';
import {
  CHART_SPANS,
  type ChartSpan,
  type History,
  type Pace,
  type PastReconciliation,
} from '../../operations/history.js';
import type { Records } from '../database.js';
import type { Db } from '../db.js';

export function createHistory({ db, models }: Records): History {
  return {
    reconciliations: async (companies, limit) => {
      const prisma = await models();
      const rows = await prisma.reconciliationRun.findMany({
        where: companies === null ? {} : { tenantName: { in: [...companies] } },
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
    pace: (companies, span, now) => readPace(db, companies, span, now),
  };
}

async function readPace(db: Db, companies: Companies, span: ChartSpan, now: Date): Promise<Pace> {
  const { steps, stepMs } = CHART_SPANS[span];
  const seconds = stepMs / 1_000;
  const last = Math.floor(now.getTime() / stepMs) * stepMs;
  const moments = Array.from({ length: steps }, (_, index) => last - (steps - 1 - index) * stepMs);
  const since = new Date(moments[0] ?? last);
  const [posted, rested] = await Promise.all([
    db.rows<{ step: number; tenant_name: string; count: number; ms: number }>`
      SELECT floor(extract(epoch FROM posted_at) / ${seconds})::float8 AS step, tenant_name, count(*)::int AS count,
             max(extract(epoch FROM posted_at - discovered_at) * 1000)::float8 AS ms
      FROM posting WHERE posted_at >= ${since} AND (${companies}::text[] IS NULL OR tenant_name = ANY(${companies})) GROUP BY 1, 2`,
    db.rows<{ step: number; state: 'skipped' | 'rejected' | 'parked'; count: number }>`
      SELECT floor(extract(epoch FROM state_since) / ${seconds})::float8 AS step, state, count(*)::int AS count
      FROM posting WHERE state IN ('skipped', 'rejected', 'parked') AND state_since >= ${since}
        AND (${companies}::text[] IS NULL OR tenant_name = ANY(${companies})) GROUP BY 1, 2`,
  ]);
  const at = (step: number) => new Date(step * stepMs).toISOString();
  const sum = (rows: readonly { step: number; count: number }[], moment: number) =>
    rows.reduce((total, { step, count }) => (step * stepMs === moment ? total + count : total), 0);
  const resting = (state: string) => rested.filter((row) => row.state === state);
  return {
    steps: moments.map((moment) => ({
      from: new Date(moment).toISOString(),
      posted: sum(posted, moment),
      parked: sum(resting('parked'), moment),
      rejected: sum(resting('rejected'), moment),
      skipped: sum(resting('skipped'), moment),
    })),
    lag: posted.map(({ step, tenant_name, ms }) => ({
      tenantName: tenant_name,
      from: at(step),
      slowestMs: Math.max(0, Math.round(ms)),
    })),
  };
}
