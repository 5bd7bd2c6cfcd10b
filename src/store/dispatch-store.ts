// What is due, handed out fairly. The rows are the truth: the queue says that a tenant has work, and whoever hears it claims
// documents of that tenant here. A wake-up that is lost or comes twice changes nothing: what is due is still due, and is claimed once.
import type { TenantName } from '../domain/ids.js';
import type { ClaimedPosting } from '../sync/posting-records.js';
import type { Database } from './database.js';
import { OUTBOX_DUE, TurnClaims, type TurnRow, TURNS_DUE, WHAT_IS_DUE } from './turn-claims.js';
import type { Stage, Turn, TurnRecords } from '../sync/turns.js';
import { type Db, raw } from './db.js';

export interface DueElsewhere {
  readonly id: string;
  readonly topic: 'sweep' | 'reconcile';
}

export interface Leases {
  /** A named lease for work that must not run twice at once; false when somebody else has it. */
  take(name: string, owner: string, forMs: number): Promise<boolean>;
  giveBack(name: string, owner: string): Promise<void>;
}

/** Orders for sweeps and reconciliations are not of a stage. */
export type WhatIsDue = Readonly<Record<Stage | 'orders', boolean>>;
export const ALL_DUE: WhatIsDue = { 'write-back': true, post: true, orders: true };

export interface DispatchStore extends Leases, TurnRecords {
  /** One process at a time hands out; true while it is us. */
  lead(owner: string, forMs: number): Promise<boolean>;
  /** Whether anybody has anything due: documents of these tenants by their stage, or orders. */
  whatIsDue(tenants: readonly TenantName[]): Promise<WhatIsDue>;
  /** The next documents of a turn, with their leases. None: nothing is due, or the tenant may not work any more. */
  claim(turn: Turn, most: number, owner: string, leaseMs: number): Promise<readonly ClaimedPosting[]>;
  takeOutbox(room: number, againAfterMs: number): Promise<readonly DueElsewhere[]>;
  finishOutbox(id: string): Promise<void>;
  failOutbox(id: string, againInMs: number): Promise<void>;
  outboxPayload(id: string): Promise<{
    readonly tenantName: TenantName | null;
    readonly payload: unknown;
    readonly tries: number;
  } | null>;
}

export function createLeases(db: Db): Leases {
  return {
    take: (name, owner, forMs) => take(db, name, owner, forMs),
    giveBack: async (name, owner) => {
      await db.run`DELETE FROM lease WHERE name = ${name} AND owner = ${owner}`;
    },
  };
}

export function createDispatchStore({ db, indexed }: Pick<Database, 'db' | 'indexed'>): DispatchStore {
  const claims = new TurnClaims(indexed);
  return {
    ...createLeases(db),
    lead: (owner, forMs) => take(db, 'dispatch', owner, forMs),
    whatIsDue: async (tenants) => {
      const [row] = await indexed.rows<WhatIsDue>({ ...WHAT_IS_DUE, values: [tenants] });
      return row ?? ALL_DUE;
    },
    turnsDue: async ({ stage, tenants, perTenant, probeMs }) => {
      const values = [tenants, perTenant, probeMs];
      const rows = await indexed.rows<TurnRow>({ ...TURNS_DUE[stage], values });
      return rows.map(({ name, due, probing }) => ({
        stage,
        tenantName: name,
        share: probing ? 1 : due,
        isProbe: probing,
      }));
    },
    claim: (turn, most, owner, leaseMs) => claims.claim(turn, most, owner, leaseMs),
    rates: async () => {
      const rows = await db.rows<{ name: string; rate: number }>`
        SELECT name, postings_per_second AS rate FROM tenant`;
      return new Map(rows.map(({ name, rate }) => [name, rate]));
    },
    takeOutbox: (room, againAfterMs) => db.rows<DueElsewhere>`
      UPDATE outbox SET queued_until = now() + ${againAfterMs} * interval '1 millisecond'
      WHERE id IN (SELECT id FROM outbox WHERE ${raw(OUTBOX_DUE)}
                   ORDER BY due_at LIMIT ${room} FOR UPDATE SKIP LOCKED)
      RETURNING id, topic`,
    finishOutbox: async (id) => {
      await db.run`DELETE FROM outbox WHERE id = ${id}::uuid`;
    },
    failOutbox: async (id, againInMs) => {
      await db.run`
        UPDATE outbox SET tries = tries + 1, queued_until = NULL, due_at = now() + ${againInMs} * interval '1 millisecond' WHERE id = ${id}::uuid`;
    },
    outboxPayload: async (id) => {
      const [row] = await db.rows<{
        tenantName: TenantName | null;
        payload: string;
        tries: number;
      }>`SELECT tenant_name AS "tenantName", payload, tries FROM outbox WHERE id = ${id}::uuid`;
      return row ? { ...row, payload: JSON.parse(row.payload) as unknown } : null;
    },
  };
}

async function take(db: Db, name: string, owner: string, forMs: number): Promise<boolean> {
  const rows = await db.run`
    INSERT INTO lease AS l (name, owner, until) VALUES (${name}, ${owner}, now() + ${forMs} * interval '1 millisecond')
    ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until
    WHERE l.owner = excluded.owner OR l.until < now()`;
  return rows > 0;
}
