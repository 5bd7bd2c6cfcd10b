// What is due, handed out fairly. The rows are the truth and the queue only carries their ids: `queued_until` says when a
// wake-up that led to nothing is handed out again, so losing the queue loses nothing.
import { Prisma, type PrismaClient } from './generated/client.js';

export const STAGES = ['write-back', 'post'] as const;
/** Which of its two queues a document is due for. */
export type Stage = (typeof STAGES)[number];

export interface Due {
  readonly id: string;
  readonly tenantName: string;
}

export interface DueElsewhere {
  readonly id: string;
  readonly topic: 'sweep' | 'reconcile';
}

/** Tenant → wake-ups it may get in this round; one that is not named may get as many as its turn gives. */
export type Allowances = Readonly<Record<string, number>>;

export interface Round {
  readonly stage: Stage;
  /** Only these: a tenant whose file is gone or says paused waits. */
  readonly tenants: readonly string[];
  readonly perTenant: number;
  readonly room: number;
  readonly againAfterMs: number;
  readonly allowances: Allowances;
}

export interface DispatchStore {
  /** One process at a time hands out; true while it is us. */
  lead(owner: string, forMs: number): Promise<boolean>;
  /** A named lease for work that must not run twice at once; false when somebody else has it. */
  take(name: string, owner: string, forMs: number): Promise<boolean>;
  giveBack(name: string, owner: string): Promise<void>;
  /** At most `perTenant` × weight of each tenant that may work now, and no more than its allowance; `room` in all. */
  takeDue(round: Round): Promise<readonly Due[]>;
  /** Postings a second that each tenant's file or ERP allows. */
  rates(): Promise<ReadonlyMap<string, number>>;
  takeOutbox(room: number, againAfterMs: number): Promise<readonly DueElsewhere[]>;
  finishOutbox(id: string): Promise<void>;
  failOutbox(id: string, againInMs: number): Promise<void>;
  outboxPayload(id: string): Promise<{
    readonly tenantName: string | null;
    readonly payload: unknown;
    readonly tries: number;
  } | null>;
}

export function createDispatchStore(prisma: PrismaClient): DispatchStore {
  return {
    lead: (owner, forMs) => take(prisma, 'dispatch', owner, forMs),
    take: (name, owner, forMs) => take(prisma, name, owner, forMs),
    giveBack: async (name, owner) => {
      await prisma.lease.deleteMany({ where: { name, owner } });
    },
    takeDue: (round) => takeDue(prisma, round),
    rates: async () => {
      const rows = await prisma.tenant.findMany({ select: { name: true, postingsPerSecond: true } });
      return new Map(rows.map((row) => [row.name, row.postingsPerSecond]));
    },
    takeOutbox: (room, againAfterMs) => prisma.$queryRaw<DueElsewhere[]>`
      UPDATE outbox SET queued_until = now() + ${againAfterMs} * interval '1 millisecond'
      WHERE id IN (SELECT id FROM outbox WHERE due_at <= now() AND (queued_until IS NULL OR queued_until < now()) AND topic <> 'notify'
                   ORDER BY due_at LIMIT ${room} FOR UPDATE SKIP LOCKED)
      RETURNING id, topic`,
    finishOutbox: async (id) => {
      await prisma.outbox.deleteMany({ where: { id } });
    },
    failOutbox: async (id, againInMs) => {
      await prisma.$executeRaw`
        UPDATE outbox SET tries = tries + 1, queued_until = NULL, due_at = now() + ${againInMs} * interval '1 millisecond' WHERE id = ${id}::uuid`;
    },
    outboxPayload: async (id) => {
      const row = await prisma.outbox.findUnique({ where: { id } });
      return row
        ? { tenantName: row.tenantName, payload: JSON.parse(row.payload) as unknown, tries: row.tries }
        : null;
    },
  };
}

async function take(prisma: PrismaClient, name: string, owner: string, forMs: number): Promise<boolean> {
  const rows = await prisma.$executeRaw`
    INSERT INTO lease AS l (name, owner, until) VALUES (${name}, ${owner}, now() + ${forMs} * interval '1 millisecond')
    ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until
    WHERE l.owner = excluded.owner OR l.until < now()`;
  return rows > 0;
}

// Spelt as in the indexes that find the few that are under way among the many that are to be begun.
const TO_FINISH = Prisma.sql`p.state IN ('posted', 'writing_back', 'skipped', 'rejected')`;
const BEGUN = Prisma.sql`p.state IN ('mapped', 'posting')`;

/**
 * Whose states they are, those that go first first; and the breakers that concern them: the source is asked at both stages,
 * the ERP at one.
 */
const STAGE_SQL = {
  'write-back': {
    classes: [TO_FINISH],
    sides: ['source'],
    open: Prisma.sql`t.source_open`,
    probing: Prisma.sql`t.source_probing`,
  },
  post: {
    classes: [BEGUN, Prisma.sql`NOT (${TO_FINISH}) AND NOT (${BEGUN})`],
    sides: ['source', 'erp'],
    open: Prisma.sql`(t.source_open OR t.erp_open)`,
    probing: Prisma.sql`(t.source_probing OR t.erp_probing)`,
  },
} as const satisfies Record<Stage, unknown>;

/** The next ones of tenant `t` at a stage. Each class is read by its own index, no further than the tenant's share. */
function nextOf(stage: Stage, share: Prisma.Sql): Prisma.Sql {
  const { classes, open } = STAGE_SQL[stage];
  const branches = classes.map(
    (states, rank) => Prisma.sql`
      (SELECT p.id, p.due_at, ${rank}::int AS rank
       FROM posting p
       WHERE p.tenant_name = t.name AND p.due_at <= now() AND ${states} AND NOT ${open}
         AND (p.queued_until IS NULL OR p.queued_until < now()) AND (p.lease_until IS NULL OR p.lease_until < now())
       ORDER BY p.due_at LIMIT ${share})`,
  );
  return Prisma.join(branches, ' UNION ALL ');
}

/** A probe that was given back without having asked the side that it was to try holds nobody up any longer. */
const HOLDS = Prisma.sql`(b.probe_id IS NULL OR probe.queued_until > now() OR probe.lease_until > now())`;

// A tenant whose breaker has just run out gets one document: if that works, the breaker closes and the rest follow.
async function takeDue(prisma: PrismaClient, round: Round): Promise<Due[]> {
  const { stage, perTenant, room, againAfterMs } = round;
  const turn = Prisma.sql`${perTenant} * t.weight`;
  const allowance = Prisma.sql`(${JSON.stringify(round.allowances)}::jsonb ->> t.name)::int`;
  const { probing, sides } = STAGE_SQL[stage];
  // What is begun goes first; but a probe is for whoever waits longest, or one that never works would be it every time.
  const order = Prisma.sql`CASE WHEN ${probing} THEN 0 ELSE p.rank END, p.due_at`;
  const share = Prisma.sql`CASE WHEN ${probing} THEN 1 ELSE least(${turn}, coalesce(${allowance}, ${turn})) END`;
  return prisma.$queryRaw<Due[]>`
    WITH may_work AS (
      SELECT t.name, t.weight,
             coalesce(bool_or(b.state <> 'closed' AND b.side = 'source'), false) AS source_probing,
             coalesce(bool_or(b.state <> 'closed' AND b.side = 'erp'), false) AS erp_probing,
             coalesce(bool_or(b.open_until > now() AND ${HOLDS} AND b.side = 'source'), false) AS source_open,
             coalesce(bool_or(b.open_until > now() AND ${HOLDS} AND b.side = 'erp'), false) AS erp_open
      FROM tenant t LEFT JOIN breaker b ON b.tenant_name = t.name AND b.state <> 'closed'
                    LEFT JOIN posting probe ON probe.id = b.probe_id
      WHERE t.name = ANY(${[...round.tenants]}) AND t.paused_at IS NULL AND t.plan_confirmed_at IS NOT NULL
      GROUP BY t.name, t.weight
    ),
    due AS (
      SELECT p.id, p.turn, t.name, ${probing} AS probing
      FROM may_work t CROSS JOIN LATERAL (
        SELECT p.id, row_number() OVER (ORDER BY ${order}) / t.weight AS turn
        FROM (${nextOf(stage, share)}) p
        ORDER BY ${order} LIMIT ${share}
      ) p
      ORDER BY p.turn, random() LIMIT ${room}
    ),
    -- Until the probe has answered, or is handed out again, nobody else goes.
    probed AS (
      UPDATE breaker b SET probe_id = due.id, open_until = now() + ${againAfterMs} * interval '1 millisecond'
      FROM due WHERE due.probing AND b.tenant_name = due.name AND b.state <> 'closed' AND b.side = ANY(${[...sides]})
    )
    UPDATE posting SET queued_until = now() + ${againAfterMs} * interval '1 millisecond'
    FROM due WHERE posting.id = due.id
    RETURNING posting.id, posting.tenant_name AS "tenantName"`;
}
