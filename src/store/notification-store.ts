// Notifications in the records: what is to be told is a row before anything is sent, and stays one until it was delivered or
// given up. Incidents say themselves whether they were told, so none is told twice and none is forgotten.
import type { TenantName } from '../domain/ids.js';
import { newId } from './ids.js';
import { type Db, sql, type Tx } from './db.js';
import { SECURITY_ACTIONS, type SecurityNews, securityNewsOf } from '../domain/security-news.js';
import { BRIDGE_CHAIN } from './audit.js';

export interface IncidentNews {
  readonly what: 'opened' | 'ended';
  readonly id: string;
  readonly tenant: TenantName | null;
  readonly code: string;
  readonly severity: string;
  readonly title: string;
  readonly details: string;
  readonly nextStep: string;
  readonly params: Readonly<Record<string, unknown>> | null;
  readonly count: number;
  readonly at: Date;
}

/** Written once a day. */
export type Daily = 'digest' | 'anchor';

export interface NewNotification {
  readonly tenant: TenantName | null;
  readonly channel: string;
  readonly kind: 'news' | Daily;
  /** JSON. */
  readonly content: string;
  readonly dueAt: Date;
}

export interface WaitingNotification {
  readonly id: string;
  readonly tenant: TenantName | null;
  readonly channel: string;
  readonly kind: string;
  readonly content: string;
  readonly tries: number;
  readonly createdAt: Date;
}

export interface Undelivered {
  readonly channel: string;
  readonly count: number;
  readonly reason: string;
  readonly lastAt: Date;
}

/**
 * `now` is the clock of whoever tells, by which quiet hours and digests were reckoned: what is due is asked by the same one.
 * How old an incident is, is asked of the database, which dated it.
 */
export interface NotificationStore {
  /** Takes up what nobody was told of yet, once it is older than `graceMs`, and writes what `plan` makes of it; in one transaction. */
  gather(
    now: Date,
    graceMs: number,
    plan: (news: readonly IncidentNews[]) => readonly NewNotification[],
  ): Promise<readonly IncidentNews[]>;
  /** The same of what concerns security, in messages at least `graceMs` apart. */
  gatherSecurity(
    now: Date,
    graceMs: number,
    plan: (news: readonly SecurityEntry[]) => readonly NewNotification[],
  ): Promise<void>;
  add(now: Date, notifications: readonly NewNotification[]): Promise<void>;
  due(now: Date, limit: number): Promise<readonly WaitingNotification[]>;
  sent(now: Date, ids: readonly string[], answer: string): Promise<void>;
  /** Another try at `againAt`; null: it is given up. */
  failed(now: Date, ids: readonly string[], answer: string, againAt: Date | null): Promise<void>;
  /** When the latest of each channel was written. */
  latest(kind: Daily): Promise<ReadonlyMap<string, Date>>;
  /** Incidents that are open now, the gravest first. */
  open(limit: number): Promise<readonly IncidentNews[]>;
  /** Channels that gave up on something in the last day and took nothing since. */
  undelivered(now: Date): Promise<readonly Undelivered[]>;
}

const GATHERED_MAX = 500;

export function createNotificationStore(db: Db): NotificationStore {
  return {
    gather: (now, graceMs, plan) => db.tx((tx) => gather(tx, now, graceMs, plan)),
    gatherSecurity: (now, graceMs, plan) =>
      db.tx(async (tx) => {
        const news = await gatherSecurity(tx, graceMs);
        if (news.length > 0) await insert(tx, now, plan(news));
      }),
    add: (now, notifications) => insert(db, now, notifications),
    due: (now, limit) => db.rows<WaitingNotification>`
      SELECT id, tenant_name AS tenant, channel, kind, content, tries, created_at AS "createdAt" FROM notification
      WHERE state = 'waiting' AND due_at <= ${now}::timestamptz ORDER BY created_at LIMIT ${limit}`,
    sent: async (now, ids, answer) => {
      await db.run`
        UPDATE notification SET state = 'sent', sent_at = ${now}::timestamptz, tries = tries + 1, answer = ${answer}
        WHERE id = ANY(${[...ids]}::uuid[])`;
    },
    failed: async (now, ids, answer, againAt) => {
      await db.run`
        UPDATE notification SET tries = tries + 1, answer = ${answer},
          state = ${againAt === null ? 'abandoned' : 'waiting'}, due_at = ${againAt ?? now}::timestamptz
        WHERE id = ANY(${[...ids]}::uuid[])`;
    },
    latest: async (kind) => {
      const rows = await db.rows<{ channel: string; at: Date }>`
        SELECT channel, max(created_at) AS at FROM notification WHERE kind = ${kind} GROUP BY channel`;
      return new Map(rows.map(({ channel, at }) => [channel, at]));
    },
    open: async (limit) => {
      const rows = await db.rows<IncidentRow>`
        SELECT ${COLUMNS} FROM incident WHERE state <> 'resolved'
        ORDER BY array_position(ARRAY['critical', 'warning', 'info'], severity), last_seen_at DESC LIMIT ${limit}`;
      return rows.map((row) => newsOf(row, 'opened'));
    },
    undelivered: (now) => db.rows<Undelivered>`
      SELECT n.channel, count(*)::int AS count, max(n.answer) AS reason, max(n.due_at) AS "lastAt" FROM notification n
      WHERE n.state = 'abandoned' AND n.due_at > ${now}::timestamptz - interval '1 day'
        AND NOT EXISTS (SELECT 1 FROM notification s WHERE s.channel = n.channel AND s.state = 'sent' AND s.sent_at > n.due_at)
      GROUP BY n.channel`,
  };
}

interface IncidentRow {
  id: string;
  tenant_name: string | null;
  code: string;
  severity: string;
  title: string;
  details: string;
  next_step: string;
  params: string | null;
  count: number;
  state: string;
  first_seen_at: Date;
  resolved_at: Date | null;
  told_at: Date | null;
  /** Of a document that rests for this very reason: told with all that rest for it, as one. */
  is_covered: boolean;
}

const COLUMNS = sql`id::text AS id, tenant_name, code, severity, title, details, next_step, params, count, state,
  first_seen_at, resolved_at, told_at,
  EXISTS (SELECT 1 FROM posting p WHERE p.id = incident.posting_id AND p.reason = incident.code
            AND p.state IN ('parked', 'held', 'rejected', 'orphaned')) AS is_covered`;

async function gather(
  tx: Tx,
  now: Date,
  graceMs: number,
  plan: (news: readonly IncidentNews[]) => readonly NewNotification[],
): Promise<readonly IncidentNews[]> {
  // Somebody else who gathers at the same time sees none of these rows.
  const rows = await tx.rows<IncidentRow>`
    SELECT ${COLUMNS} FROM incident
    WHERE (told_at IS NULL AND first_seen_at <= now() - ${graceMs} * interval '1 millisecond')
       OR (told_at IS NOT NULL AND end_told_at IS NULL AND state = 'resolved')
    ORDER BY first_seen_at, id LIMIT ${GATHERED_MAX} FOR UPDATE SKIP LOCKED`;
  if (rows.length === 0) return [];
  const news = rows.flatMap((row) => {
    // What was over before anybody had to hear of it is no news.
    if (row.told_at === null)
      return row.state === 'resolved' || row.is_covered ? [] : [newsOf(row, 'opened')];
    return [newsOf(row, 'ended')];
  });
  await insert(tx, now, plan(news));
  // What was not told on its own does not end on its own.
  const quiet = rows.filter((row) => row.told_at === null && row.is_covered).map(({ id }) => id);
  await tx.run`
    UPDATE incident SET told_at = coalesce(told_at, now()),
      end_told_at = CASE WHEN state = 'resolved' OR id = ANY(${quiet}::uuid[]) THEN now() END
    WHERE id = ANY(${rows.map(({ id }) => id)}::uuid[])`;
  return news;
}

function newsOf(row: IncidentRow, what: IncidentNews['what']): IncidentNews {
  return {
    what,
    id: row.id,
    tenant: row.tenant_name,
    code: row.code,
    severity: row.severity,
    title: row.title,
    details: row.details,
    nextStep: row.next_step,
    params: row.params === null ? null : (JSON.parse(row.params) as Record<string, unknown>),
    count: row.count,
    at: what === 'opened' ? row.first_seen_at : (row.resolved_at ?? row.first_seen_at),
  };
}

async function insert(
  tx: Pick<Tx, 'run'>,
  now: Date,
  notifications: readonly NewNotification[],
): Promise<void> {
  if (notifications.length === 0) return;
  const rows = notifications.map((one) => ({ ...one, id: newId() }));
  await tx.run`
    INSERT INTO notification (id, tenant_name, channel, kind, content, due_at, state, created_at)
    SELECT x.id, x.tenant, x.channel, x.kind, x.content, x."dueAt", 'waiting', ${now}::timestamptz
    FROM json_to_recordset(${JSON.stringify(rows)}::json)
      AS x(id uuid, tenant text, channel text, kind text, content text, "dueAt" timestamptz)`;
}

// Security news, read from the audit: the chain of the bridge in its order, each link once. The links of a chain are numbered in the order
// of their commits, so none that is still to come has a lower number.

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
