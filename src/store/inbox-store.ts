// The inbox of records that came over HTTP, in the database. Deliveries of one origin are put there one after the other, so that ids rise
// in the order in which they can be seen: a look that has read up to one id has read everything before it.
import type { SubmissionKind, SubmissionState } from '../domain/submission.js';
import { storableText } from '../domain/text.js';
import { say } from '../language/say.js';
import type { Acceptance, Deliveries, Delivery, DeliveryStatus, Inbox, InboxRow } from '../origins/inbox.js';
import { type ReasonColumns, toReason } from './storable.js';
import type { Db, Tx } from './db.js';

/** Longer than anybody sends the same again; a record that was sent later under its key is known by its reference all the same. */
const KEPT_DAYS = 90;
const FORGOTTEN_AT_ONCE = 20;

export function createInbox(db: Db, tenantName: string, origin: string): Inbox {
  return {
    after: async (id, rows) => {
      const found = await db.rows<Kept>`
        SELECT id, key, kind, reference, content FROM origin_inbox
        WHERE tenant_name = ${tenantName} AND origin = ${origin} AND id > ${BigInt(id ?? 0)} ORDER BY id LIMIT ${rows}`;
      return found.map(toRow);
    },
    newest: async (kind, reference) => {
      const [found] = await db.rows<Kept>`
        SELECT id, key, kind, reference, content FROM origin_inbox
        WHERE tenant_name = ${tenantName} AND origin = ${origin} AND kind = ${kind} AND reference = ${storableText(reference)}
        ORDER BY id DESC LIMIT 1`;
      if (found === undefined) return null;
      const { id: _id, ...record } = toRow(found);
      return record;
    },
    file: async (key, sha256) => {
      const [found] = await db.rows<{ content: Uint8Array }>`
        SELECT f.content FROM inbox_file f JOIN origin_inbox i ON i.id = f.inbox_id
        WHERE f.sha256 = ${sha256} AND i.tenant_name = ${tenantName} AND i.origin = ${origin} AND i.key = ${key}`;
      return found?.content ?? null;
    },
  };
}

interface Kept {
  readonly id: bigint;
  readonly key: string;
  readonly kind: string;
  readonly reference: string;
  readonly content: string;
}

function toRow({ id, key, kind, reference, content }: Kept): InboxRow {
  return { id: String(id), kind: kind as SubmissionKind, reference, place: `${key}:1`, content };
}

export function createDeliveries(db: Db): Deliveries {
  return {
    accept: (delivery) => db.tx((tx) => accept(tx, delivery)),
    find: (tenantName, origin, key) => find(db, tenantName, origin, key),
  };
}

async function accept(tx: Tx, delivery: Delivery): Promise<Acceptance> {
  const { tenantName, origin, key, bodyHash, record, waitingMax } = delivery;
  await tx.run`SELECT pg_advisory_xact_lock(hashtextextended(${`origin_inbox ${tenantName} ${origin}`}, 0))`;
  const [known] = await tx.rows<Kept & { readonly bodyHash: string; readonly receivedAt: Date }>`
    SELECT id, key, kind, reference, content, body_hash AS "bodyHash", received_at AS "receivedAt" FROM origin_inbox
    WHERE tenant_name = ${tenantName} AND origin = ${origin} AND key = ${key}`;
  if (known) {
    if (known.bodyHash !== bodyHash) return { outcome: 'other' };
    const { reference, receivedAt } = known;
    return { outcome: 'known', key, kind: known.kind as SubmissionKind, reference, receivedAt };
  }
  const takenUpTo = BigInt(await cursorIn(tx, tenantName, origin));
  const [waiting] = await tx.rows<{ count: number }>`
    SELECT count(*)::int AS count FROM origin_inbox
    WHERE tenant_name = ${tenantName} AND origin = ${origin} AND id > ${takenUpTo}`;
  if ((waiting?.count ?? 0) >= waitingMax) return { outcome: 'full' };
  await forgetOld(tx, tenantName, origin, takenUpTo);
  const { kind } = record;
  const [reference, content] = [storableText(record.reference), storableText(record.content)];
  const receivedAt = new Date();
  const [row] = await tx.rows<{ id: bigint }>`
    INSERT INTO origin_inbox (tenant_name, origin, key, body_hash, kind, reference, content, received_at)
    VALUES (${tenantName}, ${origin}, ${key}, ${bodyHash}, ${kind}, ${reference}, ${content}, ${receivedAt}) RETURNING id`;
  for (const { sha256, content: bytes } of record.files ?? [])
    await tx.run`
      INSERT INTO inbox_file (inbox_id, sha256, content) VALUES (${row?.id}, ${sha256}, ${Buffer.from(bytes)})
      ON CONFLICT (inbox_id, sha256) DO NOTHING`;
  return { outcome: 'accepted', key, kind, reference, receivedAt };
}

async function cursorIn(tx: Tx, tenantName: string, origin: string): Promise<string> {
  const [row] = await tx.rows<{ cursor: string }>`
    SELECT cursor FROM origin_cursor WHERE tenant_name = ${tenantName} AND origin = ${origin}`;
  // An origin of another type may have had this name before.
  return /^\d{1,18}$/.test(row?.cursor ?? '') ? (row?.cursor ?? '0') : '0';
}

async function forgetOld(tx: Tx, tenantName: string, origin: string, upTo: bigint): Promise<void> {
  await tx.run`
    DELETE FROM origin_inbox WHERE id IN (
      SELECT id FROM origin_inbox WHERE tenant_name = ${tenantName} AND origin = ${origin} AND id <= ${upTo}
        AND received_at < now() - ${KEPT_DAYS} * interval '1 day'
      ORDER BY id LIMIT ${FORGOTTEN_AT_ONCE})`;
}

type StatusRow = ReasonColumns & {
  readonly kind: SubmissionKind;
  readonly reference: string;
  readonly receivedAt: Date;
  readonly state: SubmissionState | null;
  readonly since: Date | null;
  readonly guid: string | null;
  readonly number: string | null;
  readonly paymentLink: string | null;
  readonly mark: string | null;
};

/** A customer may have been named by another origin before. */
async function find(db: Db, tenantName: string, origin: string, key: string): Promise<DeliveryStatus | null> {
  const [row] = await db.rows<StatusRow>`
    SELECT i.kind, i.reference, i.received_at AS "receivedAt", s.state, s.state_since AS since, s.guid, s.number,
           s.payment_link AS "paymentLink", s.key AS mark, s.reason, s.reason_subject, s.reason_params, NULL AS reason_sentence
    FROM origin_inbox i LEFT JOIN LATERAL (
      SELECT * FROM submission s WHERE s.tenant_name = i.tenant_name AND s.kind = i.kind AND s.reference = i.reference
        AND (s.origin = i.origin OR s.kind = 'customer') ORDER BY s.origin = i.origin DESC LIMIT 1
    ) s ON true
    WHERE i.tenant_name = ${tenantName} AND i.origin = ${origin} AND i.key = ${key}`;
  if (!row) return null;
  const { kind, reference, receivedAt, state, since, guid, number, paymentLink, mark } = row;
  const reason = row.state === null ? null : toReason(row);
  return {
    ...{ key, kind, reference, receivedAt, state: state ?? 'waiting', since: since ?? receivedAt },
    ...{ why: reason === null ? null : say('en', reason), guid, number, paymentLink, mark },
  };
}
