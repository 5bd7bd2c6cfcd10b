// The audit: who did what to what, and why. An entry goes into the transaction of what it records, so neither exists
// without the other. The database links what a statement wrote to the chain of its tenant (prisma/migrations); it refuses
// to change or remove any of it. `verifyAudit` reads every chain again and says where one is broken.
import { storable } from './storable.js';
import type { Tx } from './db.js';
import { createHash, randomBytes } from 'node:crypto';

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

export async function appendAudit(tx: Tx, record: AuditRecord): Promise<void> {
  await appendAuditMany(tx, [record]);
}

/** One round trip for all of them. Keep a transaction to one tenant: its chain is locked while it commits. */
export async function appendAuditMany(tx: Tx, records: readonly AuditRecord[]): Promise<void> {
  if (records.length === 0) return;
  await tx.run`
    INSERT INTO audit_entry (chain, at, actor, action, subject, reason, details)
    SELECT x.chain, coalesce(x.at, clock_timestamp()), x.actor, x.action, x.subject, x.reason, x.details
    FROM ROWS FROM (json_to_recordset(${JSON.stringify(storable(records.map(toRow)))}::json)
      AS (chain text, at timestamptz, actor text, action text, subject text, reason text, details text)) WITH ORDINALITY AS x
    ORDER BY x.ordinality`;
}

function toRow(record: AuditRecord) {
  return {
    chain: record.tenantName ?? BRIDGE_CHAIN,
    actor: record.actor,
    action: record.action,
    subject: record.subject,
    reason: record.reason ?? null,
    details: JSON.stringify(record.details ?? {}),
    at: record.at?.toISOString() ?? null,
  };
}

export interface AuditBreak {
  readonly chain: string;
  /** The place in the chain where it first goes wrong. */
  readonly number: bigint;
  readonly entryId: bigint | null;
  readonly what:
    | 'entry-missing'
    | 'entry-changed'
    | 'link-missing'
    | 'tail-cut-off'
    | 'head-missing'
    | 'entry-unlinked'
    | 'address-changed';
}

export interface AuditVerification {
  readonly chains: number;
  readonly entries: bigint;
  /** The first break of each chain; empty when all are whole. */
  readonly breaks: readonly AuditBreak[];
}

type AuditReader = Pick<Tx, 'rows'>;

interface LinkRow {
  readonly number: bigint;
  readonly hash: string;
  /** Whether it is of the kind that covers one entry. */
  readonly single: boolean;
  readonly entries: bigint[];
}

interface EntryRow extends HashedEntry {
  readonly id: bigint;
  readonly chain: string;
}

interface Head {
  readonly name: string;
  /** Null when somebody removed the head row. */
  readonly length: bigint | null;
  readonly head: string | null;
  /** Up to this link it was moved out into files (archive/); the next one builds on its hash. 0: nothing was. */
  readonly movedOut: bigint;
  readonly movedHash: string;
}

const PAGE = 500;

/** Reads page by page, so its memory does not grow with the audit; entries written meanwhile are left for next time. */
export async function verifyAudit(reader: AuditReader): Promise<AuditVerification> {
  const heads = await chainHeads(reader);
  const breaks: AuditBreak[] = [];
  let entries = 0n;
  for (const head of heads) {
    const { broken, covered } = await verifyChain(reader, head);
    if (broken !== null) breaks.push(broken);
    entries += covered;
  }
  breaks.push(...(await unlinkedEntries(reader)));
  const [changed] = await changedAddresses(reader);
  if (changed !== undefined)
    breaks.push({ chain: BRIDGE_CHAIN, number: 0n, entryId: null, what: 'address-changed' });
  return { chains: heads.length, entries, breaks };
}

/** From the heads and from the links: a chain whose head row was removed is still a chain. */
async function chainHeads(reader: AuditReader): Promise<Head[]> {
  return await reader.rows<Head>`
    SELECT name, c.length, c.head, coalesce(m.number, 0) AS "movedOut", coalesce(m.hash, '') AS "movedHash"
    FROM (SELECT name FROM audit_chain UNION SELECT DISTINCT chain FROM audit_link) AS named (name)
    LEFT JOIN audit_chain c USING (name) LEFT JOIN audit_checkpoint m ON m.chain = named.name ORDER BY name`;
}

interface VerifiedChain {
  readonly broken: AuditBreak | null;
  /** Entries that whole links cover. */
  readonly covered: bigint;
}

async function verifyChain(reader: AuditReader, head: Head): Promise<VerifiedChain> {
  const chain = head.name;
  if (head.length === null)
    return { broken: { chain, number: 0n, entryId: null, what: 'head-missing' }, covered: 0n };
  let previous = head.movedHash;
  let number = head.movedOut;
  let covered = 0n;
  while (number < head.length) {
    const links = await linkPage(reader, chain, number, head.length);
    if (links.length === 0) break;
    const entries = await readEntries(reader, links);
    for (const link of links) {
      const broken = brokenLink(chain, link, { number: number + 1n, previous, entries });
      if (broken) return { broken, covered };
      previous = link.hash;
      number = link.number;
      covered += BigInt(link.entries.length);
    }
  }
  if (number === head.length && previous === head.head) return { broken: null, covered };
  return { broken: { chain, number: number + 1n, entryId: null, what: 'tail-cut-off' }, covered };
}

interface Expected {
  readonly number: bigint;
  readonly previous: string;
  readonly entries: ReadonlyMap<bigint, EntryRow>;
}

function brokenLink(
  chain: string,
  link: LinkRow,
  { number, previous, entries }: Expected,
): AuditBreak | null {
  const at = { chain, number, entryId: link.entries[0] ?? null };
  if (link.number !== number) return { ...at, entryId: null, what: 'link-missing' };
  const found: EntryRow[] = [];
  for (const id of link.entries) {
    const entry = entries.get(id);
    if (!entry) return { ...at, entryId: id, what: 'entry-missing' };
    // Moved to another chain is as good as changed.
    if (entry.chain !== chain) return { ...at, entryId: id, what: 'entry-changed' };
    found.push(entry);
  }
  const hashed = { chain, number, previous, entries: found };
  const hash = link.single ? singleEntryHash(hashed) : linkHash(hashed);
  return hash === link.hash ? null : { ...at, what: 'entry-changed' };
}

async function linkPage(reader: AuditReader, chain: string, after: bigint, upTo: bigint): Promise<LinkRow[]> {
  return await reader.rows<LinkRow>`
    SELECT number, hash, entry_id IS NOT NULL AS single, coalesce(entries, ARRAY[entry_id]) AS entries
    FROM audit_link WHERE chain = ${chain} AND number > ${after} AND number <= ${upTo} ORDER BY number LIMIT ${PAGE}`;
}

async function readEntries(reader: AuditReader, links: readonly LinkRow[]): Promise<Map<bigint, EntryRow>> {
  const ids = links.flatMap((link) => link.entries);
  const rows = await reader.rows<EntryRow>`
    SELECT id, chain, actor, action, subject, reason, details,
           to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
    FROM audit_entry WHERE id = ANY(${ids})`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** An entry that no statement of ours linked was slipped in past the triggers. Counted first: to name it takes longer. */
async function unlinkedEntries(reader: AuditReader): Promise<AuditBreak[]> {
  const chains = await reader.rows<{ chain: string }>`
    SELECT e.chain FROM (SELECT chain, count(*) AS written FROM audit_entry GROUP BY chain) e
    LEFT JOIN (SELECT chain, sum(cardinality(coalesce(entries, ARRAY[entry_id]))) AS linked FROM audit_link GROUP BY chain) l
      ON l.chain = e.chain
    WHERE e.written > coalesce(l.linked, 0) ORDER BY e.chain`;
  const breaks: AuditBreak[] = [];
  for (const { chain } of chains) {
    const [row] = await reader.rows<{ id: bigint }>`
      SELECT id FROM audit_entry WHERE chain = ${chain}
      EXCEPT SELECT unnest(coalesce(entries, ARRAY[entry_id])) FROM audit_link WHERE chain = ${chain}
      ORDER BY id LIMIT 1`;
    if (row) breaks.push({ chain, number: 0n, entryId: row.id, what: 'entry-unlinked' });
  }
  return breaks;
}

// The hash of a link of the audit, said a second time: the database writes it (function link_audit_entries), this checks it, so
// that neither a changed row nor a changed function goes unnoticed.

export interface HashedEntry {
  /** UTC with milliseconds: 2026-01-31T23:59:59.000Z */
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly reason: string | null;
  readonly details: string;
}

export interface HashedLink {
  readonly chain: string;
  readonly number: bigint;
  readonly previous: string;
  /** In the order in which they were written. */
  readonly entries: readonly HashedEntry[];
}

/** Of a link that covers what one statement wrote. */
export function linkHash({ chain, number, previous, entries }: HashedLink): string {
  const contents = entries.flatMap(({ at, actor, action, subject, reason, details }) => [
    at,
    ...[actor, action, subject, reason, details].map(measured),
  ]);
  return sha256(['ledgerbridge/audit/2', measured(chain), String(number), previous, ...contents]);
}

/** Of a link from before, which covers one entry. */
export function singleEntryHash({ chain, number, previous, entries }: HashedLink): string {
  const [entry] = entries;
  if (!entry || entries.length > 1) return '';
  const { at, actor, action, subject, reason, details } = entry;
  const parts = [chain, String(number), previous, at, actor, action, subject, reason, details];
  return sha256(['ledgerbridge/audit/1', ...parts.map(measured)]);
}

function measured(part: string | null): string {
  return part === null ? '-' : `${String(Buffer.byteLength(part))}:${part}`;
}

function sha256(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('|')).digest('hex');
}

// Network addresses of the audit. An entry is never changed, so it names an address by a mark, and the address stands beside it for as
// long as it is kept. A mark is a hash with a secret of its day: whoever changes an address is found out (`verifyAudit`), and once the
// secret is gone with the addresses of its day nothing leads back to them.

export interface MarkedAddress {
  /** As it stands in an entry. */
  readonly mark: string;
  readonly day: string;
  /** Who came from there. */
  readonly subject: string;
  readonly address: string;
}

const MARK = /^address:[0-9a-f]{64}$/;

export async function markAddress(
  tx: Tx,
  subject: string,
  address: string,
  at: Date,
): Promise<MarkedAddress> {
  const day = at.toISOString().slice(0, 10);
  const secret = (await readSecret(tx, day)) ?? (await makeSecret(tx, day));
  const hash = createHash('sha256').update(`${secret}${subject}\n${address}`).digest('hex');
  return { mark: `address:${hash}`, day, subject, address };
}

export async function keepAddress(tx: Tx, { mark, day, subject, address }: MarkedAddress): Promise<void> {
  await tx.run`
    INSERT INTO audit_address (mark, day, subject, address) VALUES (${mark}, ${day}, ${subject}, ${address})
    ON CONFLICT (mark) DO NOTHING`;
}

async function readSecret(tx: Tx, day: string): Promise<string | undefined> {
  const [row] = await tx.rows<{ secret: string }>`SELECT secret FROM audit_address_secret WHERE day = ${day}`;
  return row?.secret;
}

/** Somebody else may make it in this moment: the first one counts, and a statement after it sees it. */
async function makeSecret(tx: Tx, day: string): Promise<string> {
  const made = randomBytes(32).toString('hex');
  await tx.run`
    INSERT INTO audit_address_secret (day, secret) VALUES (${day}, ${made}) ON CONFLICT (day) DO NOTHING`;
  return (await readSecret(tx, day)) ?? made;
}

/** What entries say, with the addresses that are still kept in the place of their marks. */
export async function withAddresses(
  db: Pick<Tx, 'rows'>,
  details: readonly Record<string, unknown>[],
): Promise<Record<string, unknown>[]> {
  const marks = details.flatMap(({ address }) =>
    typeof address === 'string' && MARK.test(address) ? [address] : [],
  );
  if (marks.length === 0) return [...details];
  const rows = await db.rows<{ mark: string; address: string }>`
    SELECT mark, address FROM audit_address WHERE mark = ANY(${marks})`;
  const known = new Map(rows.map(({ mark, address }) => [mark, address]));
  return details.map((one) => ({ ...one, ...shown(one['address'], known) }));
}

function shown(address: unknown, known: ReadonlyMap<string, string>): { readonly address?: string } {
  const kept = typeof address === 'string' ? known.get(address) : undefined;
  return kept === undefined ? {} : { address: kept };
}

/** Marks whose address is not the one that they were made of. */
export async function changedAddresses(db: Pick<Tx, 'rows'>): Promise<readonly string[]> {
  const rows = await db.rows<{ mark: string }>`
    SELECT a.mark FROM audit_address a LEFT JOIN audit_address_secret s ON s.day = a.day
    WHERE s.secret IS NULL OR a.mark <> 'address:' || encode(sha256(convert_to(s.secret || a.subject || E'\\n' || a.address, 'UTF8')), 'hex')
    ORDER BY 1 LIMIT 100`;
  return rows.map(({ mark }) => mark);
}
