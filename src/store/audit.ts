// The audit: who did what to what, and why. An entry goes into the transaction of what it records, so neither exists
// without the other. At commit the database links it to the chain of its tenant (prisma/migrations, audit); it refuses
// to change or remove one. `verifyAudit` reads every chain again and says where one is broken.
import type { Prisma, PrismaClient } from './generated/client.js';
import { auditHash } from './audit-hash.js';

/** The chain of what concerns no single tenant. No tenant can be called that. */
export const BRIDGE_CHAIN = '(bridge)';

export interface AuditRecord {
  /** Without one the entry belongs to the bridge as a whole. */
  readonly tenantName?: string;
  /** A person's login, or the part of the bridge that acted (`worker`, `scheduler`, …). */
  readonly actor: string;
  /** `posting.moved`, `tenant.paused`, … */
  readonly action: string;
  /** What it was done to: an id, or a name. */
  readonly subject: string;
  readonly reason?: string;
  /** Facts, JSON; never secrets, never whole documents. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** The moment by the clock of the caller; the database's own otherwise. */
  readonly at?: Date;
}

export type AuditTransaction = Pick<Prisma.TransactionClient, 'auditEntry'>;

export async function appendAudit(tx: AuditTransaction, record: AuditRecord): Promise<void> {
  await appendAuditMany(tx, [record]);
}

/** One round trip for all of them. Keep a transaction to one tenant: its chain is locked while it commits. */
export async function appendAuditMany(tx: AuditTransaction, records: readonly AuditRecord[]): Promise<void> {
  if (records.length === 0) return;
  await tx.auditEntry.createMany({ data: records.map(toRow) });
}

function toRow(record: AuditRecord): Prisma.AuditEntryCreateManyInput {
  return {
    chain: record.tenantName ?? BRIDGE_CHAIN,
    actor: record.actor,
    action: record.action,
    subject: record.subject,
    reason: record.reason ?? null,
    details: JSON.stringify(record.details ?? {}),
    ...(record.at === undefined ? {} : { at: record.at }),
  };
}

export interface AuditBreak {
  readonly chain: string;
  /** The place in the chain where it first goes wrong. */
  readonly number: bigint;
  readonly entryId: bigint | null;
  readonly what:
    'entry-missing' | 'entry-changed' | 'link-missing' | 'tail-cut-off' | 'head-missing' | 'entry-unlinked';
}

export interface AuditVerification {
  readonly chains: number;
  readonly entries: bigint;
  /** The first break of each chain; empty when all are whole. */
  readonly breaks: readonly AuditBreak[];
}

type AuditReader = Pick<PrismaClient, '$queryRaw'>;

interface LinkedRow {
  readonly number: bigint;
  readonly hash: string;
  readonly entry_id: bigint;
  readonly at: string | null;
  readonly chain: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly reason: string | null;
  readonly details: string;
}

interface Head {
  readonly name: string;
  /** Null when somebody removed the head row. */
  readonly length: bigint | null;
  readonly head: string | null;
}

const PAGE = 1_000;

/** Reads page by page, so its memory does not grow with the audit; entries written meanwhile are left for next time. */
export async function verifyAudit(reader: AuditReader): Promise<AuditVerification> {
  const heads = await chainHeads(reader);
  const breaks: AuditBreak[] = [];
  let entries = 0n;
  for (const head of heads) {
    const broken = await verifyChain(reader, head);
    if (broken !== null) breaks.push(broken);
    entries += head.length ?? 0n;
  }
  breaks.push(...(await unlinkedEntries(reader)));
  return { chains: heads.length, entries, breaks };
}

/** From the heads and from the links: a chain whose head row was removed is still a chain. */
async function chainHeads(reader: AuditReader): Promise<Head[]> {
  return await reader.$queryRaw<Head[]>`
    SELECT name, c.length, c.head
    FROM (SELECT name FROM audit_chain UNION SELECT DISTINCT chain FROM audit_link) AS named (name)
    LEFT JOIN audit_chain c USING (name) ORDER BY name`;
}

async function verifyChain(reader: AuditReader, head: Head): Promise<AuditBreak | null> {
  if (head.length === null) return { chain: head.name, number: 0n, entryId: null, what: 'head-missing' };
  let previous = '';
  let number = 0n;
  while (number < head.length) {
    const page = await linkedPage(reader, head.name, number);
    if (page.length === 0) break;
    for (const row of page) {
      const expected = number + 1n;
      const at = { chain: head.name, number: expected, entryId: row.entry_id };
      if (row.number !== expected) return { ...at, entryId: null, what: 'link-missing' };
      if (row.at === null) return { ...at, what: 'entry-missing' };
      if (auditHash({ ...row, previous, at: row.at }) !== row.hash) return { ...at, what: 'entry-changed' };
      previous = row.hash;
      number = expected;
      if (number === head.length) break;
    }
  }
  if (number === head.length && previous === head.head) return null;
  return { chain: head.name, number: number + 1n, entryId: null, what: 'tail-cut-off' };
}

async function linkedPage(reader: AuditReader, chain: string, after: bigint): Promise<LinkedRow[]> {
  return await reader.$queryRaw<LinkedRow[]>`
    SELECT l.number, l.hash, l.entry_id, e.chain, e.actor, e.action, e.subject, e.reason, e.details,
           to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
    FROM audit_link l LEFT JOIN audit_entry e ON e.id = l.entry_id
    WHERE l.chain = ${chain} AND l.number > ${after} ORDER BY l.number LIMIT ${PAGE}`;
}

/** An entry that no commit linked was slipped in past the triggers. */
async function unlinkedEntries(reader: AuditReader): Promise<AuditBreak[]> {
  const rows = await reader.$queryRaw<{ chain: string; id: bigint }[]>`
    SELECT e.chain, min(e.id) AS id FROM audit_entry e
    WHERE NOT EXISTS (SELECT 1 FROM audit_link l WHERE l.entry_id = e.id) GROUP BY e.chain ORDER BY e.chain`;
  return rows.map((row) => ({ chain: row.chain, number: 0n, entryId: row.id, what: 'entry-unlinked' }));
}
