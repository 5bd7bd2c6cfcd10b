// The inbox of records that came over HTTP, in the database. Deliveries of one origin are put there one after the other, so that ids rise
// in the order in which they can be seen: a look that has read up to one id has read everything before it.
import type { SubmissionKind, SubmissionState } from '../domain/submission.js';
import { storableText } from '../domain/storable-text.js';
import { say } from '../language/say.js';
import type {
  Acceptance,
  Deliveries,
  Delivery,
  DeliveryStatus,
  Inbox,
  InboxRow,
} from '../origins/http/inbox.js';
import type { PrismaClient } from './generated/client.js';
import type { Transaction } from './incidents.js';
import { type ReasonColumns, toReason } from './reason-rows.js';

/** Longer than anybody sends the same again; a record that was sent later under its key is known by its reference all the same. */
const KEPT_DAYS = 90;
const FORGOTTEN_AT_ONCE = 20;

export function createInbox(prisma: PrismaClient, tenantName: string, origin: string): Inbox {
  return {
    after: async (id, rows) => {
      const found = await prisma.originInbox.findMany({
        where: { tenantName, origin, id: { gt: BigInt(id ?? 0) } },
        orderBy: { id: 'asc' },
        take: rows,
      });
      return found.map(toRow);
    },
    newest: async (kind, reference) => {
      const where = { tenantName, origin, kind, reference: storableText(reference) };
      const found = await prisma.originInbox.findFirst({ where, orderBy: { id: 'desc' } });
      if (found === null) return null;
      const { id: _id, ...record } = toRow(found);
      return record;
    },
    file: async (key, sha256) => {
      const where = { sha256, inbox: { tenantName, origin, key } };
      return (await prisma.inboxFile.findFirst({ where }))?.content ?? null;
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

export function createDeliveries(prisma: PrismaClient): Deliveries {
  return {
    accept: (delivery) => prisma.$transaction((tx) => accept(tx, delivery)),
    find: (tenantName, origin, key) => find(prisma, tenantName, origin, key),
  };
}

async function accept(tx: Transaction, delivery: Delivery): Promise<Acceptance> {
  const { tenantName, origin, key, bodyHash, record, waitingMax } = delivery;
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`origin_inbox ${tenantName} ${origin}`}, 0))`;
  const known = await tx.originInbox.findUnique({
    where: { tenantName_origin_key: { tenantName, origin, key } },
  });
  if (known) {
    if (known.bodyHash !== bodyHash) return { outcome: 'other' };
    const { reference, receivedAt } = known;
    return { outcome: 'known', key, kind: known.kind as SubmissionKind, reference, receivedAt };
  }
  const takenUpTo = BigInt(await cursorIn(tx, tenantName, origin));
  const where = { tenantName, origin };
  if ((await tx.originInbox.count({ where: { ...where, id: { gt: takenUpTo } } })) >= waitingMax)
    return { outcome: 'full' };
  await forgetOld(tx, tenantName, origin, takenUpTo);
  const { kind } = record;
  const [reference, content] = [storableText(record.reference), storableText(record.content)];
  const data = { ...where, key, bodyHash, kind, reference, content, receivedAt: new Date() };
  const { receivedAt, id } = await tx.originInbox.create({ data });
  const files = (record.files ?? []).map(({ sha256, content: bytes }) => ({
    ...{ inboxId: id, sha256, content: new Uint8Array(bytes) },
  }));
  await tx.inboxFile.createMany({ data: files, skipDuplicates: true });
  return { outcome: 'accepted', key, kind, reference, receivedAt };
}

async function cursorIn(tx: Transaction, tenantName: string, origin: string): Promise<string> {
  const row = await tx.originCursor.findUnique({ where: { tenantName_origin: { tenantName, origin } } });
  // An origin of another type may have had this name before.
  return /^\d{1,18}$/.test(row?.cursor ?? '') ? (row?.cursor ?? '0') : '0';
}

async function forgetOld(tx: Transaction, tenantName: string, origin: string, upTo: bigint): Promise<void> {
  await tx.$executeRaw`
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
async function find(
  prisma: PrismaClient,
  tenantName: string,
  origin: string,
  key: string,
): Promise<DeliveryStatus | null> {
  const [row] = await prisma.$queryRaw<StatusRow[]>`
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
