// How far the work is, in a few numbers: what a progress line and a demo need.
import type { TenantName } from '../domain/ids.js';
import { Decimal } from '../domain/decimal.js';
import type { Db } from './db.js';

export interface TenantProgress {
  readonly tenantName: TenantName;
  readonly states: Readonly<Record<string, number>>;
  /** ISK of what is in the books, as the journals say. */
  readonly postedIsk: string;
}

export interface Progress {
  readonly tenants: readonly TenantProgress[];
  /** Documents under way, sweeps asked for, statuses not yet acknowledged: nothing of it means that all is settled. */
  readonly underWay: number;
}

const UNDER_WAY = ['discovered', 'mapped', 'posting', 'posted', 'writing_back'];

export async function readProgress(db: Db): Promise<Progress> {
  const rows = await db.rows<{ tenant_name: string; state: string; count: number; isk: string }>`
    SELECT t.name AS tenant_name, coalesce(p.state, '') AS state, count(p.id)::int AS count,
           coalesce(sum(p.total_isk) FILTER (WHERE p.erp_reference IS NOT NULL), 0)::text AS isk
    FROM tenant t LEFT JOIN posting p ON p.tenant_name = t.name GROUP BY 1, 2 ORDER BY 1`;
  const [waiting] = await db.rows<{ count: number }>`
    SELECT ((SELECT count(*) FROM posting WHERE state = ANY(${UNDER_WAY}))
          + (SELECT count(*) FROM outbox WHERE topic IN ('sweep', 'reconcile'))
          + (SELECT count(*) FROM write_back WHERE state IN ('pending', 'sent')))::int AS count`;
  type Counted = { tenantName: TenantName; states: Record<string, number>; postedIsk: string };
  const tenants = new Map<TenantName, Counted>();
  for (const row of rows) {
    const tenant: Counted = tenants.get(row.tenant_name) ?? {
      tenantName: row.tenant_name,
      states: {},
      postedIsk: '0',
    };
    if (row.state !== '') tenant.states[row.state] = row.count;
    tenant.postedIsk = new Decimal(tenant.postedIsk).plus(row.isk).toFixed(0);
    tenants.set(row.tenant_name, tenant);
  }
  return { tenants: [...tenants.values()], underWay: waiting?.count ?? 0 };
}
