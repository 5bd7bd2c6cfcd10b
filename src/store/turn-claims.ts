// Claims of turns. Places become free for several tenants at once, and with hundreds of them each takes few documents: turns that
// ask in the same moment are answered by one statement, whoever they belong to.
import type { TenantName } from '../domain/ids.js';
import type { ClaimedPosting } from '../sync/posting-records.js';
import type { Stage, Turn } from '../sync/turns.js';
import { Batcher } from './batcher.js';
import { type Db, isUndone } from './db.js';
import { type ClaimRow, toClaim } from './posting-rows.js';
import { CLAIM_TURNS } from './turn-statements.js';

/** Turns of one statement. */
const BATCH_MAX = 64;

interface Asked extends Turn {
  readonly most: number;
  readonly leaseMs: number;
}

type Claims = readonly ClaimedPosting[];

export class TurnClaims {
  readonly #db: Db;
  readonly #batchers = new Map<string, Batcher<Asked, Claims>>();

  constructor(db: Db) {
    this.#db = db;
  }

  async claim(turn: Turn, most: number, owner: string, leaseMs: number): Promise<Claims> {
    const asked = { ...turn, most, leaseMs };
    // One that tries a side that was down goes by itself: it is about one document, not about the next ones.
    if (!turn.isProbe) return this.#batcher(turn.stage, owner).add(asked);
    const [claims = []] = await this.#run(turn.stage, owner, [asked]);
    return claims;
  }

  #batcher(stage: Stage, owner: string): Batcher<Asked, Claims> {
    const name = `${stage} ${owner}`;
    const run = (asked: readonly Asked[]) => this.#run(stage, owner, asked);
    const batcher = this.#batchers.get(name) ?? new Batcher({ run, isUndone, batchMax: BATCH_MAX });
    this.#batchers.set(name, batcher);
    return batcher;
  }

  async #run(stage: Stage, owner: string, asked: readonly Asked[]): Promise<readonly Claims[]> {
    const tenants = [...ofTenants(asked).values()];
    const values = [
      owner,
      tenants.map(({ tenantName }) => tenantName),
      tenants.map(({ most }) => most),
      tenants.map(({ leaseMs }) => leaseMs),
      tenants.map(({ isProbe }) => isProbe),
    ];
    const rows = await this.#db.rows<ClaimRow>({ ...CLAIM_TURNS[stage], values });
    const claims = new Map<TenantName, ClaimedPosting[]>(tenants.map(({ tenantName }) => [tenantName, []]));
    for (const row of rows) claims.get(row.tenant_name)?.push(toClaim(row));
    return asked.map(({ tenantName, most }) => claims.get(tenantName)?.splice(0, most) ?? []);
  }
}

/** Each tenant once: whether a statement sees what it has itself taken, or takes it again for another turn, depends on its plan. */
function ofTenants(asked: readonly Asked[]): Map<TenantName, Asked> {
  const tenants = new Map<TenantName, Asked>();
  for (const one of asked) {
    const most = one.most + (tenants.get(one.tenantName)?.most ?? 0);
    tenants.set(one.tenantName, { ...one, most });
  }
  return tenants;
}
