// Claims of turns. Places become free for several tenants at once, and with hundreds of them each takes few documents: turns that
// ask in the same moment are answered by one statement, whoever they belong to.
import type { TenantName } from '../domain/ids.js';
import type { ClaimedPosting } from '../sync/posting-records.js';
import type { Stage, Turn } from '../sync/turns.js';
import { Batcher } from './batcher.js';
import { type Db, isUndone, type Statement } from './db.js';
import { claimPicked, type ClaimRow, toClaim } from './posting-rows.js';
import { isFreeText } from './lease.js';

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

// Turns as statements: whose they are, and which documents they take. Each class of documents is read by an index of its own, no
// further than the turn goes, however many wait.

export interface TurnRow {
  readonly name: string;
  readonly due: number;
  readonly probing: boolean;
}

// Spelt as in the indexes that find them: posting_to_finish_idx, posting_begun_idx, posting_to_begin_idx.
const TO_FINISH = "state IN ('posted', 'writing_back', 'skipped', 'rejected')";
const BEGUN = "state IN ('mapped', 'posting')";
const TO_BEGIN = "state IN ('discovered', 'deferred', 'held')";

/** Orders for sweeps and reconciliations; notifications have a keeper of their own. */
export const OUTBOX_DUE =
  "due_at <= now() AND (queued_until IS NULL OR queued_until < now()) AND topic <> 'notify'";

/**
 * Whose states they are, those that go first first; and the sides that concern them: the source is asked at both stages, the ERP at
 * one.
 */
const OF_STAGE: Record<Stage, { readonly classes: readonly string[]; readonly sides: string }> = {
  'write-back': { classes: [TO_FINISH], sides: "('source')" },
  post: { classes: [BEGUN, TO_BEGIN], sides: "('source', 'erp')" },
};

const dueIn = (tenant: TenantName, states: string, columns: string) =>
  `SELECT ${columns} FROM posting WHERE tenant_name = ${tenant} AND due_at <= now() AND ${states} AND ${isFreeText()} ORDER BY due_at`;

/**
 * $1 tenants, $2 documents each, $3 ms for a probe. A tenant whose breaker has just run out gets one document: if that works, the
 * breaker closes and the rest follow. Until the probe has answered nobody else goes; one that was given back without having asked
 * the side that it was to try holds nobody up any longer.
 */
function turnsDue(stage: Stage): string {
  const { classes, sides } = OF_STAGE[stage];
  const counted = classes
    .map((states) => `(${dueIn('t.name', states, 'id')} LIMIT t.share)`)
    .join(' UNION ALL ');
  return `
    WITH may_work AS (
      SELECT t.name, $2::int * t.weight AS share,
             coalesce(bool_or(b.state <> 'closed'), false) AS probing,
             coalesce(bool_or(b.open_until > now() AND (b.probe_id IS NULL OR probe.lease_until > now())), false) AS waits
      FROM tenant t
      LEFT JOIN breaker b ON b.tenant_name = t.name AND b.state <> 'closed' AND b.side IN ${sides}
      LEFT JOIN posting probe ON probe.id = b.probe_id
      WHERE t.name = ANY($1::text[]) AND t.paused_at IS NULL AND t.plan_confirmed_at IS NOT NULL
      GROUP BY t.name, t.weight
    ),
    turn AS (
      SELECT t.name, least(d.due, t.share)::int AS due, t.probing
      FROM may_work t CROSS JOIN LATERAL (SELECT count(*) AS due FROM (${counted}) AS waiting) d
      WHERE NOT t.waits AND d.due > 0
    ),
    probed AS (
      UPDATE breaker b SET probe_id = NULL, open_until = now() + $3::float8 * interval '1 millisecond'
      FROM turn WHERE turn.probing AND b.tenant_name = turn.name AND b.state <> 'closed' AND b.side IN ${sides}
    )
    SELECT name, due, probing FROM turn ORDER BY random()`;
}

/**
 * $1 owner; $2 tenants, each of them once; $3 how many documents of each at most, $4 for how many ms, $5 whether to try a side that was
 * down.
 */
function claimTurns(stage: Stage): string {
  const { classes, sides } = OF_STAGE[stage];
  const isDown = `b.state <> 'closed' AND b.side IN ${sides}`;
  const turns = `
    SELECT t.* FROM unnest($2::text[], $3::int[], $4::float8[], $5::bool[]) AS t(name, most, lease_ms, is_probe)
    JOIN tenant ON tenant.name = t.name AND tenant.paused_at IS NULL AND tenant.plan_confirmed_at IS NOT NULL
    WHERE t.is_probe OR NOT EXISTS (SELECT 1 FROM breaker b WHERE b.tenant_name = t.name AND ${isDown})`;
  const parts = classes.map(
    (states, rank) => `
      class_${rank} AS MATERIALIZED (
        ${dueIn('t.name', states, `id, due_at, ${rank} AS rank`)} LIMIT t.most FOR UPDATE SKIP LOCKED)`,
  );
  const all = classes.map((_, rank) => `SELECT * FROM class_${rank}`).join(' UNION ALL ');
  // What is begun goes first; but a probe is for whoever waits longest, or one that never works would be it every time.
  const picked = `
    SELECT due.id, t.name, t.lease_ms, t.is_probe FROM (${turns}) AS t CROSS JOIN LATERAL (
      WITH ${parts.join(', ')}
      SELECT id FROM (${all}) AS waiting ORDER BY CASE WHEN t.is_probe THEN 0 ELSE rank END, due_at LIMIT t.most) AS due`;
  return claimPicked(
    picked,
    `probed AS (UPDATE breaker b SET probe_id = picked.id
       FROM picked WHERE picked.is_probe AND b.tenant_name = picked.name AND ${isDown})`,
  );
}

/** $1 tenants. Whether there is anything to look at more closely, whoever may work now: most of the time there is not. */
const isDue = (states: string) =>
  `EXISTS (SELECT 1 FROM posting WHERE tenant_name = ANY($1::text[]) AND due_at <= now() AND ${states} AND ${isFreeText()})`;

/** $1 tenants. */
export const WHAT_IS_DUE: Statement = {
  name: 'what-is-due-1',
  text: `SELECT ${isDue(TO_FINISH)} AS "write-back", ${isDue(BEGUN)} OR ${isDue(TO_BEGIN)} AS post,
    EXISTS (SELECT 1 FROM outbox WHERE ${OUTBOX_DUE}) AS orders`,
};

export const TURNS_DUE: Readonly<Record<Stage, Statement>> = {
  post: { name: 'turns-post-1', text: turnsDue('post') },
  'write-back': { name: 'turns-write-back-1', text: turnsDue('write-back') },
};

export const CLAIM_TURNS: Readonly<Record<Stage, Statement>> = {
  post: { name: 'claim-post-3', text: claimTurns('post') },
  'write-back': { name: 'claim-write-back-3', text: claimTurns('write-back') },
};
