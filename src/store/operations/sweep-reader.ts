// The sweeps of each tenant that matter to people: the last one that was complete, and whether later ones failed.
import type { FailedSweepView, SweepView } from '../../operations/views/overview.js';
import { instantOf, instantOrNull } from './instants.js';
import type { Tx } from '../db.js';

interface SweepRow {
  tenant_name: string;
  kind: 'invoice' | 'cost';
  mode: 'fast' | 'full';
  started_at: Date;
  finished_at: Date | null;
  outcome: string | null;
  message: string | null;
  listed: number;
  discovered: number;
  failing_since: Date | null;
}

export interface TenantSweeps {
  readonly last: SweepView[];
  readonly failed: FailedSweepView[];
}

export async function latestSweeps(db: Pick<Tx, 'rows'>): Promise<ReadonlyMap<string, TenantSweeps>> {
  // The next after the last complete one began the failing; all since then were not complete.
  const rows = await db.rows<SweepRow>`
    WITH complete AS (
      SELECT t.name, k.kind, s.* FROM tenant t CROSS JOIN (VALUES ('invoice'), ('cost')) AS k(kind)
      LEFT JOIN LATERAL (SELECT mode, started_at, finished_at, outcome, message, listed, discovered FROM sweep
                         WHERE tenant_name = t.name AND kind = k.kind AND outcome = 'complete'
                         ORDER BY started_at DESC LIMIT 1) s ON true
    )
    SELECT name AS tenant_name, kind, mode, started_at, finished_at, outcome, message, listed, discovered,
           NULL::timestamptz AS failing_since
    FROM complete WHERE started_at IS NOT NULL
    UNION ALL
    SELECT c.name, c.kind, f.mode, f.started_at, f.finished_at, f.outcome, f.message, f.listed, f.discovered, first.started_at
    FROM complete c
    CROSS JOIN LATERAL (SELECT * FROM sweep s WHERE s.tenant_name = c.name AND s.kind = c.kind
                          AND s.outcome IN ('failed', 'incomplete') AND s.started_at > coalesce(c.started_at, 'epoch')
                        ORDER BY s.started_at DESC LIMIT 1) f
    CROSS JOIN LATERAL (SELECT started_at FROM sweep s WHERE s.tenant_name = c.name AND s.kind = c.kind
                          AND s.started_at > coalesce(c.started_at, 'epoch')
                        ORDER BY s.started_at LIMIT 1) first`;
  const sweeps = new Map<string, TenantSweeps>();
  for (const row of rows) {
    const of = sweeps.get(row.tenant_name) ?? { last: [], failed: [] };
    if (row.failing_since === null) of.last.push(viewOf(row));
    else of.failed.push({ ...viewOf(row), failingSince: instantOf(row.failing_since) });
    sweeps.set(row.tenant_name, of);
  }
  return sweeps;
}

function viewOf(row: SweepRow): SweepView {
  return {
    kind: row.kind,
    mode: row.mode,
    startedAt: instantOf(row.started_at),
    finishedAt: instantOrNull(row.finished_at),
    outcome: row.outcome,
    message: row.message,
    listed: row.listed,
    discovered: row.discovered,
  };
}
