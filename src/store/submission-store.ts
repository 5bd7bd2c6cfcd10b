// Submissions in the database. A commit is a compare-and-set on (id, state, fence); the intent and its attempt are one transaction, and
// so are a move and its audit row. What waits for something is due again as soon as something was created.
import type { TenantName } from '../domain/ids.js';
import type { SubmissionState } from '../domain/submission.js';
import { storableText } from '../domain/text.js';
import type { TargetRequest } from '../service/invoicing-target.js';
import { message } from '../language/messages.js';
import type { Agreed, Decisions, FieldConflict } from '../outbound/agree-fields.js';
import { contentFacts } from '../outbound/content-facts.js';
import type {
  AgreedStore,
  SubmissionChange,
  SubmissionRecord,
  SubmissionStore,
  Uploads,
} from '../outbound/stage.js';
import { endsConfirmation, mayHaveLeft, resetsCrashes, wakesHeld } from '../outbound/submission-commit.js';
import { appendAudit } from './audit.js';
import { keepInvoicesMade } from './our-invoices.js';
import { replaceContent, tellIfBookedAtBoth } from './shared-references.js';
import { newId } from './ids.js';
import { readCursor } from './origin-store.js';
import { endIncident, openIncident } from './incidents.js';
import { paramsText, type ReasonColumns, storable, toReason } from './storable.js';
import type { Db, Tx } from './db.js';
import { endLease, isFree, releaseUnless, takeLease } from './lease.js';

export interface ClaimingSubmissions extends SubmissionStore {
  /**
   * At most so many of each tenant, the longest waiting first. Nothing of a tenant that is paused or whose service is away; what was
   * never sent only where the plan is confirmed, and not more in a day than `perDay`.
   */
  claim(shares: readonly Share[], owner: string, leaseMs: number): Promise<SubmissionRecord[]>;
}

export interface Share {
  readonly tenant: TenantName;
  readonly atOnce: number;
  /** Requests to create something, in 24 hours. */
  readonly perDay: number;
}

export function createSubmissionStore(db: Db): ClaimingSubmissions {
  return {
    claim: (shares, owner, leaseMs) => claim(db, shares, owner, leaseMs),
    commit: (claimed, change) => db.tx((tx) => commit(tx, claimed, change)),
    cursor: (tenantName, origin) => readCursor(db, tenantName, origin),
    createdGuid: async (tenantName, key) => {
      const [row] = await db.rows<{ guid: string | null }>`
        SELECT guid FROM submission
        WHERE tenant_name = ${tenantName} AND key = ${key} AND state IN ('created', 'acknowledged')`;
      return row?.guid ?? null;
    },
    standing: async (tenantName, key) => {
      const [row] = await db.rows<ReasonColumns & { state: SubmissionState; content: string }>`
        SELECT state, content, reason, reason_subject, reason_params, NULL AS reason_sentence FROM submission
        WHERE tenant_name = ${tenantName} AND key = ${key}`;
      return row ? { state: row.state, reason: toReason(row), content: row.content } : null;
    },
    createdNumbers: async (tenantName, keys) => {
      const rows = await db.rows<{ key: string; number: string | null }>`
        SELECT key, number FROM submission
        WHERE tenant_name = ${tenantName} AND key = ANY(${[...keys]}) AND guid IS NOT NULL`;
      return new Map(rows.flatMap(({ key, number }) => (number ? [[key, number] as const] : [])));
    },
  };
}

type ClaimedRow = Omit<SubmissionRecord, 'request' | 'reason' | 'agreed' | 'decided' | 'uploads'> &
  Omit<ReasonColumns, 'reason_sentence'> & {
    request: string | null;
    agreed: string | null;
    decided: string | null;
    uploads: string | null;
  };

async function claim(
  db: Db,
  shares: readonly Share[],
  owner: string,
  leaseMs: number,
): Promise<SubmissionRecord[]> {
  if (shares.length === 0) return [];
  const rows = await db.rows<ClaimedRow>`
    WITH allowed AS (
      SELECT t.name, t.share, t.per_day - (SELECT count(*) FROM submission s
          WHERE s.tenant_name = t.name AND s.last_sent_at > now() - interval '24 hours')::int AS left_today
      FROM unnest(${shares.map(({ tenant }) => tenant)}::text[], ${shares.map(({ atOnce }) => atOnce)}::int[],
                  ${shares.map(({ perDay }) => perDay)}::int[]) AS t(name, share, per_day)
      JOIN tenant k ON k.name = t.name AND k.paused_at IS NULL
      LEFT JOIN outgoing_tenant o ON o.tenant_name = t.name
      WHERE o.paused_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM breaker b WHERE b.tenant_name = t.name AND b.side = 'source' AND b.state <> 'closed' AND b.open_until > now())
    ),
    due AS (
      SELECT s.id FROM allowed a CROSS JOIN LATERAL (
        SELECT s.id FROM submission s
        WHERE s.tenant_name = a.name AND s.due_at <= now() AND ${isFree('s')}
          AND (s.state NOT IN ('received', 'held') OR (a.left_today > 0
            AND EXISTS (SELECT 1 FROM outgoing_tenant o WHERE o.tenant_name = a.name AND o.confirmed_at IS NOT NULL)))
        -- Whatever was begun is finished first; what is only looked at for its amount comes last.
        ORDER BY CASE WHEN s.state = 'acknowledged' THEN 2 WHEN s.state IN ('received', 'held') THEN 1 ELSE 0 END, s.due_at LIMIT least(a.share, greatest(a.left_today, 4)) FOR UPDATE SKIP LOCKED
      ) s
    ),
    claimed AS (
      UPDATE submission s SET ${takeLease('s', owner, leaseMs)}, deaths = s.deaths + (s.lease_until IS NOT NULL)::int
      FROM due WHERE s.id = due.id RETURNING s.*
    )
    SELECT s.id, s.tenant_name AS "tenantName", s.origin, s.kind, s.reference, s.key, s.place, s.state, s.fence, s.tries, s.deaths, s.content,
           s.reason, s.reason_subject, s.reason_params, s.request, s.outcome, s.guid, s.number, s.payment_link AS "paymentLink", s.amount::text AS amount,
           s.agreed, s.decided, s.uploads, s.surely_absent AS "surelyAbsent", (extract(epoch FROM now() - s.last_sent_at) * 1000)::float8 AS "sentAgoMs",
           (SELECT CASE WHEN b.look_up_first_until > now() THEN (extract(epoch FROM now() - b.restored_at) * 1000)::float8 END
            FROM bridge b) AS "restoredAgoMs"
    FROM claimed s ORDER BY s.received_at, s.id`;
  return rows.map(({ request, agreed, decided, uploads, reason, reason_subject, reason_params, ...row }) => ({
    ...row,
    agreed: agreed === null ? null : (JSON.parse(agreed) as Agreed),
    decided: decided === null ? null : (JSON.parse(decided) as Decisions),
    uploads: uploads === null ? null : (JSON.parse(uploads) as Uploads),
    reason: toReason({ reason, reason_subject, reason_params, reason_sentence: null }),
    request: request === null ? null : (JSON.parse(request) as TargetRequest),
  }));
}

async function commit(tx: Tx, claimed: SubmissionRecord, change: SubmissionChange): Promise<boolean> {
  if (!(await moved(tx, claimed, change))) return false;
  const { begin, finish, awaits, to } = change;
  if (begin) await beginAttempt(tx, claimed, begin);
  if (finish) await finishAttempt(tx, claimed, finish);
  if (awaits) await addAwaited(tx, claimed, awaits);
  if (change.invoices) await keepInvoicesMade(tx, claimed, change.invoices);
  if (wakesHeld(claimed, to)) await wakeHeld(tx, claimed.tenantName);
  // Found late: somebody may have skipped it, and the bridge booked it meanwhile.
  if (to === 'created' && claimed.kind === 'invoice')
    await tellIfBookedAtBoth(tx, claimed, change.isInOriginsBooks ? 'origin' : 'bridge');
  if (change.fields?.conflicts.length === 0)
    await endIncident(tx, `FIELDS_IN_CONFLICT:${claimed.id}`, message('FIELDS_AGREED'));
  for (const one of change.incidents ?? []) await openIncident(tx, { tenantName: claimed.tenantName }, one);
  if (to !== undefined && to !== claimed.state) await tell(tx, claimed, change, to);
  return true;
}

async function moved(tx: Tx, claimed: SubmissionRecord, change: SubmissionChange): Promise<boolean> {
  const { to, reason, created, shown, begin, finish, fields, found, uploads, content } = change;
  const agreed = fields?.agreed ?? found;
  const state = to ?? null;
  const reasonParams = reason ? storableText(paramsText(reason.params)) : null;
  const written = await tx.run`
    UPDATE submission SET
      state = coalesce(${state}, state),
      state_since = CASE WHEN ${state}::text IS NULL OR ${state} = state THEN state_since ELSE now() END,
      reason = CASE WHEN ${reason === undefined} THEN reason ELSE ${reason?.code ?? null} END,
      reason_subject = CASE WHEN ${reason === undefined} THEN reason_subject ELSE ${textOrNull(reason?.subject)} END,
      reason_params = CASE WHEN ${reason === undefined} THEN reason_params ELSE ${reasonParams} END,
      tries = coalesce(${change.tries ?? null}::int, tries),
      deaths = CASE WHEN ${resetsCrashes(claimed.state, change)} THEN 0 ELSE deaths END,
      due_at = now() + ${change.dueInMs}::float8 * interval '1 millisecond',
      request = coalesce(${begin ? JSON.stringify(storable(begin)) : null}, request),
      outcome = CASE WHEN ${begin !== undefined} THEN NULL ELSE coalesce(${finish?.outcome ?? null}, outcome) END,
      sends = sends + ${mayHaveLeft(claimed.state, change) ? 1 : 0}, last_sent_at = CASE WHEN ${begin !== undefined} THEN now() ELSE last_sent_at END,
      guid = coalesce(${created?.guid ?? null}, guid), number = coalesce(${created?.number ?? null}, number),
      amount = coalesce(${shown?.amount ?? null}::numeric, amount), currency = coalesce(${shown?.currency ?? null}, currency),
      counterparty = coalesce(nullif(${storableText(shown?.counterparty ?? '')}, ''), counterparty),
      payment_link = coalesce(${textOrNull(created?.paymentLink ?? undefined)}, payment_link),
      made_at = CASE WHEN ${state} = 'created' THEN coalesce(made_at, now()) ELSE made_at END,
      agreed = coalesce(${agreed ? JSON.stringify(storable(agreed)) : null}, agreed),
      agreed_at = CASE WHEN ${fields !== undefined} THEN now() ELSE agreed_at END,
      uploads = CASE WHEN ${uploads === undefined} THEN uploads ELSE ${uploads ? JSON.stringify(storable(uploads)) : null} END,
      content = coalesce(${textOrNull(content)}, content),
      decided = CASE WHEN ${fields === undefined} THEN decided END,
      conflicts = CASE WHEN ${fields === undefined} THEN conflicts ELSE ${conflictsText(fields)} END,
      surely_absent = surely_absent AND NOT ${endsConfirmation(to)},
      ${releaseUnless(change.keep === true)}
    WHERE id = ${claimed.id}::uuid AND fence = ${claimed.fence} AND state = ${claimed.state}`;
  return written > 0;
}

/** null: there are none. */
function conflictsText(fields: SubmissionChange['fields']): string | null {
  return fields === undefined || fields.conflicts.length === 0
    ? null
    : JSON.stringify(storable(fields.conflicts));
}

function textOrNull(text: string | undefined): string | null {
  return text === undefined ? null : storableText(text);
}

async function beginAttempt(tx: Tx, claimed: SubmissionRecord, request: TargetRequest): Promise<void> {
  await tx.run`
    INSERT INTO submission_attempt (id, submission_id, number, fence, request, started_at)
    SELECT ${newId()}::uuid, ${claimed.id}::uuid, coalesce(max(number), 0) + 1, ${claimed.fence}, ${JSON.stringify(storable(request))}, now()
    FROM submission_attempt WHERE submission_id = ${claimed.id}::uuid`;
}

async function finishAttempt(
  tx: Tx,
  claimed: SubmissionRecord,
  { outcome, message }: NonNullable<SubmissionChange['finish']>,
): Promise<void> {
  await tx.run`
    UPDATE submission_attempt SET outcome = ${outcome}, message = ${storableText(message)}, finished_at = now()
    WHERE submission_id = ${claimed.id}::uuid
      AND number = (SELECT max(number) FROM submission_attempt WHERE submission_id = ${claimed.id}::uuid)`;
}

async function addAwaited(
  tx: Tx,
  { tenantName }: SubmissionRecord,
  awaits: NonNullable<SubmissionChange['awaits']>,
): Promise<void> {
  const { kind, reference, key, place, isMended } = awaits;
  const facts = contentFacts(kind, awaits.content);
  const { hash, counterparty } = facts;
  const added = await tx.run`
    INSERT INTO submission (id, tenant_name, origin, kind, reference, key, place, state, state_since, due_at, content, content_hash,
                            counterparty, received_at)
    VALUES (${newId()}::uuid, ${tenantName}, '', ${kind}, ${reference}, ${key}, ${storableText(place)}, 'received', now(), now(),
            ${storableText(awaits.content)}, ${hash}, ${storableText(counterparty)}, now())
    ON CONFLICT (key) DO NOTHING`;
  if (added > 0 || !isMended) return;
  const [refused] = await tx.rows<{ id: string }>`
    SELECT id FROM submission WHERE key = ${key} AND origin = '' AND state = 'refused' AND content_hash <> ${hash} FOR UPDATE`;
  if (!refused) return;
  const content = storableText(awaits.content);
  await replaceContent(tx, refused.id, { ...facts, content, place, slot: null, origin: '', rests: false });
  await appendAudit(tx, {
    ...{ tenantName, actor: 'worker', action: 'submission.changed', subject: refused.id },
    details: { kind, reference, place, from: 'refused' },
  });
}

async function wakeHeld(tx: Tx, tenantName: TenantName): Promise<void> {
  await tx.run`UPDATE submission SET due_at = now() WHERE tenant_name = ${tenantName} AND state = 'held'`;
}

async function tell(
  tx: Tx,
  { id, tenantName, state, kind, reference }: SubmissionRecord,
  { action, reason, created }: SubmissionChange,
  to: SubmissionState,
): Promise<void> {
  await appendAudit(tx, {
    tenantName,
    actor: 'worker',
    action: `submission.${to}`,
    subject: id,
    details: storable({
      ...{ from: state, what: action, kind, reference },
      ...(reason ? { code: reason.code } : {}),
      ...(created?.guid ? { guid: created.guid } : {}),
    }),
  });
}

// What was agreed upon with the service, for whoever holds it against what the service shows now.

export function createAgreedStore(db: Db): AgreedStore {
  return {
    agreed: async (tenantName, kind, quietMs, most) => {
      const rows = await db.rows<{ id: string; guid: string; agreed: string; conflicts: string | null }>`
        SELECT id, guid, agreed, conflicts FROM submission
        WHERE tenant_name = ${tenantName} AND kind = ${kind} AND state = 'acknowledged' AND agreed IS NOT NULL AND guid IS NOT NULL
          AND (last_sent_at IS NULL OR last_sent_at < now() - ${quietMs} * interval '1 millisecond')
        ORDER BY agreed_at, id LIMIT ${most}`;
      return rows.map(({ agreed, conflicts, ...row }) => ({
        ...row,
        agreed: JSON.parse(agreed) as Agreed,
        conflicts: JSON.parse(conflicts ?? '[]') as FieldConflict[],
      }));
    },
    // With a new fence, and only where it still rests: whoever works on it has seen it as it is.
    reopen: (tenantName, ids) =>
      db.tx(async (tx) => {
        const rows = await tx.rows<{ id: string; reference: string }>`
          UPDATE submission SET state = 'received', state_since = now(), ${endLease('submission')},
            tries = 0, deaths = 0, due_at = now()
          WHERE tenant_name = ${tenantName} AND id = ANY(${[...ids]}::uuid[]) AND state = 'acknowledged' RETURNING id, reference`;
        for (const { id, reference } of rows)
          await appendAudit(tx, {
            ...{ tenantName, actor: 'worker', action: 'submission.changed-at-service', subject: id },
            details: { reference, from: 'acknowledged' },
          });
        return rows.length;
      }),
  };
}
