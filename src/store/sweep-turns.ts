// One sweep of a tenant at a time. A turn belongs to one run of one request: a run that was killed loses it after a while, and
// the request is handed out again; while a run renews it, neither its lease nor the mark of its request runs out.
import type { TenantName } from '../domain/ids.js';
import { type Db, sql } from './db.js';

export interface SweepTurn {
  readonly tenantName: TenantName;
  /** The row of the outbox that asked for it. */
  readonly requestId: string;
  /** Another one for each run of the same request. */
  readonly runId: string;
}

export interface SweepTurns {
  /** `another`: a run of another request has it. `same`: one of this request has, or had until just now. */
  take(turn: SweepTurn, forMs: number): Promise<'ours' | 'another' | 'same'>;
  /** Does nothing once it was taken over. */
  renew(turn: SweepTurn, forMs: number): Promise<void>;
  giveBack(turn: SweepTurn): Promise<void>;
}

export function createSweepTurns(db: Db): SweepTurns {
  return {
    take: (turn, forMs) => take(db, turn, forMs),
    renew: async (turn, forMs) => {
      const until = sql`now() + ${forMs} * interval '1 millisecond'`;
      await db.run`
        WITH renewed AS (
          UPDATE lease SET until = ${until} WHERE name = ${leaseOf(turn)} AND owner = ${ownerOf(turn)} RETURNING name
        )
        UPDATE outbox SET queued_until = ${until} FROM renewed WHERE id = ${turn.requestId}::uuid`;
    },
    giveBack: async (turn) => {
      await db.run`DELETE FROM lease WHERE name = ${leaseOf(turn)} AND owner = ${ownerOf(turn)}`;
    },
  };
}

async function take(db: Db, turn: SweepTurn, forMs: number): ReturnType<SweepTurns['take']> {
  const taken = await db.run`
    INSERT INTO lease AS l (name, owner, until)
    VALUES (${leaseOf(turn)}, ${ownerOf(turn)}, now() + ${forMs} * interval '1 millisecond')
    ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until WHERE l.until < now()`;
  if (taken > 0) return 'ours';
  const [holder] = await db.rows<{ owner: string }>`
    SELECT owner FROM lease WHERE name = ${leaseOf(turn)}`;
  return holder === undefined || holder.owner.startsWith(`${turn.requestId}:`) ? 'same' : 'another';
}

function leaseOf({ tenantName }: SweepTurn): string {
  return `sweep:${tenantName}`;
}

function ownerOf({ requestId, runId }: SweepTurn): string {
  return `${requestId}:${runId}`;
}
