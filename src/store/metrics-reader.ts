// The figures that a monitor asks for, in one short transaction: counts come from indexes, and a slow database is given up on
// rather than waited for. The caller keeps the answer for a while.
import { type PostingState, STUCK } from '../domain/posting.js';
import type { PrismaClient } from './generated/client.js';

export interface MetricsSnapshot {
  readonly states: readonly { readonly tenant: string; readonly state: string; readonly count: number }[];
  readonly reasons: readonly { readonly state: string; readonly reason: string; readonly count: number }[];
  readonly delays: readonly TenantDelay[];
  readonly breakers: readonly { readonly tenant: string; readonly side: string; readonly state: string }[];
  readonly sweeps: readonly {
    readonly tenant: string;
    readonly kind: string;
    /** null: never. */
    readonly ageSeconds: number | null;
    readonly fullAgeSeconds: number | null;
  }[];
  readonly outbox: readonly { readonly topic: string; readonly count: number }[];
  readonly incidents: readonly { readonly severity: string; readonly count: number }[];
}

export interface TenantDelay {
  readonly tenant: string;
  /** Since the oldest due posting could have been worked on; 0 when nothing is due. */
  readonly lagSeconds: number;
  /** Since the oldest document that is still on its way was found. */
  readonly oldestSeconds: number;
  /** Sent, perhaps: neither confirmed nor denied, or given to a person for that reason. */
  readonly unknownOutcomes: number;
}

export interface MetricsReader {
  read(): Promise<MetricsSnapshot>;
}

const ON_ITS_WAY = [
  'discovered',
  'mapped',
  'posting',
  'posted',
  'writing_back',
] as const satisfies PostingState[];
/** States in which a reason is news; a resting one keeps its reason for ever. */
const WITH_REASON = ['deferred', 'skipped', ...STUCK] as const;
const STATEMENT_MS_MAX = 3_000;

export function createMetricsReader(prisma: PrismaClient): MetricsReader {
  return {
    read: async () => {
      const [, states, reasons, delays, breakers, sweeps, outbox, incidents] = await prisma.$transaction([
        prisma.$executeRawUnsafe(`SET LOCAL statement_timeout = ${STATEMENT_MS_MAX}`),
        prisma.$queryRaw<Writable<MetricsSnapshot['states']>>`
          SELECT tenant_name AS tenant, state, count(*)::int AS count FROM posting GROUP BY 1, 2 ORDER BY 1, 2`,
        prisma.$queryRaw<Writable<MetricsSnapshot['reasons']>>`
          SELECT state, reason, count(*)::int AS count FROM posting
          WHERE state = ANY(${WITH_REASON}) AND reason IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`,
        delaysOf(prisma),
        prisma.$queryRaw<Writable<MetricsSnapshot['breakers']>>`
          SELECT tenant_name AS tenant, side, state FROM breaker ORDER BY 1, 2`,
        prisma.$queryRaw<Writable<MetricsSnapshot['sweeps']>>`
          SELECT tenant_name AS tenant, kind, extract(epoch FROM now() - last_sweep_at)::float8 AS "ageSeconds",
                 extract(epoch FROM now() - last_full_sweep_at)::float8 AS "fullAgeSeconds"
          FROM cursor ORDER BY 1, 2`,
        prisma.$queryRaw<Writable<MetricsSnapshot['outbox']>>`
          SELECT topic, count(*)::int AS count FROM outbox GROUP BY 1 ORDER BY 1`,
        prisma.$queryRaw<Writable<MetricsSnapshot['incidents']>>`
          SELECT severity, count(*)::int AS count FROM incident WHERE state <> 'resolved' GROUP BY 1 ORDER BY 1`,
      ]);
      return { states, reasons, delays, breakers, sweeps, outbox, incidents };
    },
  };
}

type Writable<Rows extends readonly unknown[]> = Rows[number][];

// Since when something could have been worked on is the later of its state and its due time: what is finished first is given
// a due time in the past, and what was put off entered its state long before.
function delaysOf(prisma: PrismaClient) {
  return prisma.$queryRaw<TenantDelay[]>`
    SELECT t.name AS tenant, coalesce(d.lag, 0)::float8 AS "lagSeconds", coalesce(w.oldest, 0)::float8 AS "oldestSeconds",
           coalesce(u.count, 0)::int AS "unknownOutcomes"
    FROM tenant t
    LEFT JOIN (SELECT tenant_name, extract(epoch FROM now() - min(greatest(state_since, due_at))) AS lag
               FROM posting WHERE due_at <= now() AND (lease_until IS NULL OR lease_until < now()) GROUP BY 1) d
      ON d.tenant_name = t.name
    LEFT JOIN (SELECT tenant_name, extract(epoch FROM now() - min(discovered_at)) AS oldest
               FROM posting WHERE state = ANY(${ON_ITS_WAY}) GROUP BY 1) w
      ON w.tenant_name = t.name
    LEFT JOIN (SELECT p.tenant_name, count(*) AS count FROM posting p
               WHERE (p.state = 'parked' AND p.reason = 'OUTCOME_UNKNOWN')
                  OR (p.state = 'posting' AND (p.lease_until IS NULL OR p.lease_until < now())
                      AND (SELECT coalesce(a.outcome, 'unknown') FROM attempt a
                           WHERE a.posting_id = p.id AND a.part <> 'reversal' ORDER BY a.number DESC LIMIT 1) = 'unknown')
               GROUP BY 1) u
      ON u.tenant_name = t.name
    ORDER BY 1`;
}
