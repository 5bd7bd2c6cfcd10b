// Security news, read from the audit: the chain of the bridge in its order, each link once. The links of a chain are numbered in the order
// of their commits, so none that is still to come has a lower number.
import { SECURITY_ACTIONS, type SecurityNews, securityNewsOf } from '../domain/security-news.js';
import { BRIDGE_CHAIN } from './audit.js';
import type { Tx } from './db.js';

export interface SecurityEntry {
  readonly id: string;
  readonly at: Date;
  readonly news: SecurityNews;
}

interface AuditRow {
  readonly id: bigint;
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly details: string;
}

const LINKS_AT_ONCE = 1_000;
/** What people look at: among so many of the latest entries. */
const LOOKED_BACK = 5_000;

/** What came since the last time, which is `graceMs` ago or more; whoever asks for the first time hears of nothing that was before. */
export async function gatherSecurity(tx: Tx, graceMs: number): Promise<readonly SecurityEntry[]> {
  await tx.run`
    INSERT INTO security_told (chain, number, at) SELECT ${BRIDGE_CHAIN}, coalesce(max(length), 0), now() FROM audit_chain
    WHERE name = ${BRIDGE_CHAIN} ON CONFLICT (chain) DO NOTHING`;
  // Somebody else who gathers at the same time sees no row.
  const [told] = await tx.rows<{ number: bigint }>`
    SELECT number FROM security_told
    WHERE chain = ${BRIDGE_CHAIN} AND at <= now() - ${graceMs} * interval '1 millisecond' FOR UPDATE SKIP LOCKED`;
  if (!told) return [];
  const links = await tx.rows<{ number: bigint; entries: bigint[] }>`
    SELECT number, coalesce(entries, ARRAY[entry_id]) AS entries FROM audit_link
    WHERE chain = ${BRIDGE_CHAIN} AND number > ${told.number} ORDER BY number LIMIT ${LINKS_AT_ONCE}`;
  const last = links.at(-1);
  if (!last) return [];
  const rows = await tx.rows<AuditRow>`
    SELECT id, at, actor, action, subject, details FROM audit_entry
    WHERE id = ANY(${links.flatMap(({ entries }) => entries)}) AND action = ANY(${[...SECURITY_ACTIONS]}::text[]) ORDER BY id`;
  await tx.run`
    UPDATE security_told SET number = ${last.number}, at = now() WHERE chain = ${BRIDGE_CHAIN}`;
  return rows.flatMap(entryOf);
}

/** The latest first. */
export async function readSecurity(db: Pick<Tx, 'rows'>, limit: number): Promise<readonly SecurityEntry[]> {
  const rows = await db.rows<AuditRow>`
    SELECT id, at, actor, action, subject, details
    FROM (SELECT * FROM audit_entry WHERE chain = ${BRIDGE_CHAIN} ORDER BY id DESC LIMIT ${LOOKED_BACK}) latest
    WHERE action = ANY(${[...SECURITY_ACTIONS]}::text[]) ORDER BY id DESC`;
  return rows.flatMap(entryOf).slice(0, limit);
}

function entryOf({ id, at, details, ...row }: AuditRow): SecurityEntry[] {
  const news = securityNewsOf({ ...row, details: JSON.parse(details) as Record<string, unknown> });
  return news === null ? [] : [{ id: String(id), at, news }];
}
