// Tallies on PostgreSQL: one statement counts, and writes the entry of the audit if it was the first.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../domain/canonical-json.js';
import type { ActTally, TalliedAct } from '../operations/exports.js';
import { appendAuditMany, BRIDGE_CHAIN, markAddress } from './audit.js';
import { storable } from './storable.js';
import type { Db, Tx } from './db.js';

const HOUR_MS = 3_600_000;
/** Different ones of one actor and action in an hour. */
const DIFFERENT_MAX = 50;
/** Whatever ended late is still counted. */
const LATE_MS = 10 * 60_000;
const CLOSED_AT_ONCE = 1_000;

export function createActTally(db: Tx): ActTally {
  return {
    begin: (act) => count(db, act, 0, null),
    once: (act) => once(db, act),
    count: (act, rows) => count(db, act, 1, rows ?? null),
  };
}

async function count(db: Tx, given: TalliedAct, more: 0 | 1, rows: number | null): Promise<void> {
  const { act, marked } = await withMark(db, storable(given));
  const { actor, action, subject, at } = act;
  const chain = act.tenantName ?? BRIDGE_CHAIN;
  const full = rowOf(act, chain, rows, act.varying ?? {});
  const short = act.varying === undefined ? full : rowOf(act, chain, rows, { various: true });
  await db.run`
    WITH room AS (
      SELECT ${full.key === short.key} OR EXISTS (SELECT 1 FROM act_tally WHERE key = ${full.key})
        OR (SELECT count(*) FROM act_tally WHERE action = ${action} AND actor = ${actor} AND chain = ${chain}
              AND since >= ${hourOf(at)}::timestamptz) < ${DIFFERENT_MAX} AS free
    ), counted AS (
      INSERT INTO act_tally AS tally (key, chain, actor, action, subject, details, since, last_at, count, rows)
      SELECT CASE WHEN free THEN ${full.key} ELSE ${short.key} END, ${chain}, ${actor}, ${action}, ${subject},
        CASE WHEN free THEN ${full.details} ELSE ${short.details} END, ${at}::timestamptz, ${at}::timestamptz, ${more}, ${rows}::bigint FROM room
      ON CONFLICT (key) DO UPDATE SET count = tally.count + ${more}, last_at = greatest(tally.last_at, excluded.last_at),
        rows = CASE WHEN excluded.rows IS NULL THEN tally.rows ELSE coalesce(tally.rows, 0) + excluded.rows END
      RETURNING key, count
    ), addressed AS (
      INSERT INTO audit_address (mark, day, subject, address)
      SELECT ${marked?.mark ?? ''}, ${marked?.day ?? ''}, ${subject}, ${marked?.address ?? ''} FROM counted WHERE key = ${full.key} AND ${marked !== null} ON CONFLICT (mark) DO NOTHING
    )
    INSERT INTO audit_entry (chain, at, actor, action, subject, details)
    SELECT ${chain}, ${new Date(at)}::timestamptz, ${actor}, ${action}, ${subject},
      CASE WHEN key = ${full.key} THEN ${full.told} ELSE ${short.told} END
    FROM counted WHERE count = 1 AND ${more} = 1`;
}

async function once(db: Pick<Tx, 'run'>, given: TalliedAct): Promise<void> {
  const act = storable(given);
  const { actor, action, subject, at } = act;
  const chain = act.tenantName ?? BRIDGE_CHAIN;
  const { key, details } = rowOf(act, chain, null, act.varying ?? {});
  await db.run`
    WITH first AS (
      INSERT INTO act_tally (key, chain, actor, action, subject, details, since, last_at, count)
      VALUES (${key}, ${chain}, ${actor}, ${action}, ${subject}, ${details}, ${at}::timestamptz, ${at}::timestamptz, 1)
      ON CONFLICT (key) DO NOTHING RETURNING chain, actor, action, subject, details, last_at
    )
    INSERT INTO audit_entry (chain, at, actor, action, subject, details)
    SELECT chain, last_at, actor, action, subject, details FROM first`;
}

/** The address is kept only if the entry names it: so many as somebody makes up are not. */
async function withMark(db: Tx, act: TalliedAct) {
  const address = act.varying?.['address'];
  if (typeof address !== 'string') return { act, marked: null };
  const marked = await markAddress(db, act.subject, address, act.at);
  return { act: { ...act, varying: { ...act.varying, address: marked.mark } }, marked };
}

function hourOf(at: Date): Date {
  return new Date(at.getTime() - (at.getTime() % HOUR_MS));
}

function rowOf(
  { actor, action, subject, details, at }: TalliedAct,
  chain: string,
  rows: number | null,
  varying: Readonly<Record<string, unknown>>,
) {
  const said = { ...details, ...varying };
  const text = canonicalJson([chain, actor, action, subject, said, hourOf(at).toISOString()]);
  return {
    key: createHash('sha256').update(text).digest('hex'),
    details: JSON.stringify(said),
    told: JSON.stringify(rows === null ? said : { ...said, rows }),
  };
}

interface ClosedRow {
  readonly chain: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly details: string;
  readonly since: Date;
  readonly last_at: Date;
  readonly count: number;
  readonly rows: bigint | null;
}

/** Tells the audit how many there were in the hours that are over; of what happened once it has heard already. */
export async function closeTallies(db: Db, now: Date): Promise<void> {
  const before = hourOf(new Date(now.getTime() - LATE_MS));
  for (;;) {
    const closed = await db.tx(async (tx) => {
      const rows = await tx.rows<ClosedRow>`
        DELETE FROM act_tally WHERE key IN (SELECT key FROM act_tally WHERE since < ${before}::timestamptz
          ORDER BY since, key LIMIT ${CLOSED_AT_ONCE} FOR UPDATE SKIP LOCKED)
        RETURNING chain, actor, action, subject, details, since, last_at, count, rows`;
      const several = rows.filter((row) => row.count !== 1).sort((a, b) => +a.last_at - +b.last_at);
      await appendAuditMany(
        tx,
        several.map(({ chain, actor, action, subject, ...row }) => ({
          ...(chain === BRIDGE_CHAIN ? {} : { tenantName: chain }),
          ...{ actor, action, subject, details: totalOf(row), at: now },
        })),
      );
      return rows.length;
    });
    if (closed < CLOSED_AT_ONCE) return;
  }
}

type Total = Pick<ClosedRow, 'details' | 'since' | 'last_at' | 'count' | 'rows'>;

function totalOf({ details, since, last_at: lastAt, count: times, rows }: Total) {
  const said = JSON.parse(details) as Record<string, unknown>;
  const period = { from: since.toISOString(), to: lastAt.toISOString() };
  if (times === 0) return { ...said, ...period, unfinished: true };
  return { ...said, count: times, ...(rows === null ? {} : { rows: Number(rows) }), ...period };
}
