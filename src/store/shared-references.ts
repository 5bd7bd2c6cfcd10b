// Records that share a reference, in the database (outbound/take-in.ts says which of them goes). The record whose
// reference belongs to another one is a row of its own, its twin: it rests as refused, shows both places, and is never sent.
import type { TenantName } from '../domain/ids.js';
import type { Reason } from '../domain/message.js';
import { storableText } from '../domain/text.js';
import { type SubmissionKind, type SubmissionState, twinKey } from '../domain/submission.js';
import { reason } from '../language/messages.js';
import type { OriginRecord } from '../origins/origin.js';
import type { ContentFacts } from '../outbound/content-facts.js';
import { type Holder, judgeTwin, type Looked, mayTakePlace, NO_SLOT } from '../outbound/take-in.js';
import { appendAudit } from './audit.js';
import { newId } from './ids.js';
import { paramsText } from './storable.js';
import type { Tx } from './db.js';
import { endLease } from './lease.js';
import { incident } from '../language/incidents/incident-text.js';
import { openIncident } from './incidents.js';

export type TakenFacts = ContentFacts & { readonly content: string };

interface Replacing extends TakenFacts {
  readonly place: string;
  readonly slot: string | null;
  readonly origin: string;
  /** It stays in its state, with its reason. */
  readonly rests: boolean;
  /** Whoever works on it goes on: what it was made of is compared with this when that is done. */
  readonly isLeft?: boolean;
}

/** With a new fence, unless it is left to whoever works on it: of the old content nothing can be put on record any more. */
export async function replaceContent(tx: Tx, id: string, by: Replacing): Promise<void> {
  const {
    content,
    hash,
    amount,
    currency,
    issueDate,
    counterparty,
    place,
    slot,
    origin,
    rests,
    isLeft = false,
  } = by;
  await tx.run`
    UPDATE submission SET content = ${content}, content_hash = ${hash}, amount = ${amount}::numeric,
      currency = ${currency}, issue_date = ${issueDate}, counterparty = ${storableText(counterparty)},
      place = ${storableText(place)}, slot = ${slot === null ? null : storableText(slot)}, origin = ${origin},
      fence = fence + CASE WHEN ${isLeft} THEN 0 ELSE 1 END, lease_owner = CASE WHEN ${isLeft} THEN lease_owner END,
      lease_until = CASE WHEN ${isLeft} THEN lease_until END, tries = 0, deaths = 0,
      reason = CASE WHEN ${rests} THEN reason END, reason_subject = CASE WHEN ${rests} THEN reason_subject END,
      reason_params = CASE WHEN ${rests} THEN reason_params END, due_at = CASE WHEN ${rests} AND state <> 'skipped' THEN due_at ELSE now() END,
      state_since = CASE WHEN ${rests} OR state = 'received' THEN state_since ELSE now() END,
      state = CASE WHEN ${rests} THEN state ELSE 'received' END
    WHERE id = ${id}::uuid`;
}

/** The same content in another place: there it is from now on. */
export async function keepPlace(
  tx: Tx,
  id: string,
  origin: string,
  { place, slot }: OriginRecord,
): Promise<void> {
  await tx.run`
    UPDATE submission SET origin = ${origin}, place = ${storableText(place)}, slot = ${slot === undefined ? null : storableText(slot)}
    WHERE id = ${id}::uuid`;
}

interface Sharing {
  readonly tenantName: TenantName;
  readonly origin: string;
  readonly first: Holder;
}

/** On record as refused, with both places; what a person skipped stays so while it is the same. Returns its key. */
export async function keepTwin(
  tx: Tx,
  { tenantName, origin, first }: Sharing,
  record: OriginRecord & { readonly key: string },
  facts: TakenFacts,
): Promise<string> {
  const { kind, reference, place, slot = null, booked = null } = record;
  const key = twinKey(record.key, origin, slot ?? '');
  const params = storableText(paramsText(taken(reference, first, { origin, place }).params));
  const { content, hash, amount, currency, issueDate } = facts;
  const counterparty = storableText(facts.counterparty);
  const kept = slot === null ? null : storableText(slot);
  const added = await tx.rows<{ id: string }>`
    INSERT INTO submission AS s (id, tenant_name, origin, kind, reference, key, twin_of, place, slot, state, state_since, due_at, reason,
                                 reason_params, content, content_hash, amount, currency, issue_date, counterparty, booked, received_at)
    VALUES (${newId()}::uuid, ${tenantName}, ${origin}, ${kind}, ${storableText(reference)}, ${key}, ${record.key}, ${storableText(place)},
            ${kept}, 'refused', now(), now(), 'REFERENCE_TAKEN', ${params}, ${content}, ${hash}, ${amount}::numeric, ${currency}, ${issueDate},
            ${counterparty}, ${booked}, now())
    ON CONFLICT (key) DO UPDATE SET place = excluded.place, state = 'refused', due_at = now(), reason = excluded.reason, reason_subject = NULL,
      reason_params = excluded.reason_params, content = excluded.content, content_hash = excluded.content_hash, amount = excluded.amount,
      currency = excluded.currency, issue_date = excluded.issue_date, counterparty = excluded.counterparty, booked = excluded.booked,
      state_since = CASE WHEN s.state = 'refused' THEN s.state_since ELSE now() END, fence = s.fence + 1, lease_owner = NULL,
      lease_until = NULL, tries = 0
    WHERE s.content_hash <> excluded.content_hash OR (s.state = 'refused' AND s.reason_params <> excluded.reason_params)
      OR (s.state = 'skipped' AND s.reason = 'SHARING_ENDED')
    RETURNING s.id`;
  for (const { id } of added)
    await appendAudit(tx, {
      ...{ tenantName, actor: 'worker', action: 'submission.refused', subject: id },
      details: { what: 'reference-taken', kind, reference, origin, place, first: first.place },
    });
  return key;
}

function taken(reference: string, first: Holder, second: Pick<Holder, 'origin' | 'place'>): Reason {
  return reason('REFERENCE_TAKEN', { reference, first: shown(first), second: shown(second) });
}

function shown({ origin, place }: Pick<Holder, 'origin' | 'place'>): string {
  return origin === '' ? place : `${origin}: ${place}`;
}

/** The files of these records are not there any more: a customer or item of another file may take their place. */
export async function keepGone(
  tx: Tx,
  tenantName: TenantName,
  origin: string,
  gone: readonly string[] = [],
): Promise<void> {
  if (gone.length === 0) return;
  await tx.run`
    UPDATE submission SET slot = ${NO_SLOT}
    WHERE tenant_name = ${tenantName} AND origin = ${origin} AND twin_of IS NULL
      AND regexp_replace(coalesce(slot, regexp_replace(place, ':[0-9]+$', '')), '#[0-9]+$', '') = ANY(${gone.map(storableText)})`;
}

interface TwinRow extends Holder {
  readonly id: string;
  readonly key: string;
  readonly kind: SubmissionKind;
  readonly reference: string;
  readonly hash: string;
  readonly firstId: string;
  readonly firstKey: string;
  readonly firstOrigin: string;
  readonly firstPlace: string;
  readonly firstSlot: string | null;
  readonly firstState: SubmissionState;
  readonly firstHash: string;
}

/** After a look: twins that ended, and those whose first place gave the reference up. */
export async function settleTwins(tx: Tx, tenantName: TenantName, look: Looked): Promise<void> {
  const open = await tx.rows<TwinRow>`
    SELECT t.id, t.key, t.kind, t.reference, t.origin, t.place, t.slot, t.content_hash AS hash, f.id AS "firstId", f.key AS "firstKey",
      f.origin AS "firstOrigin", f.place AS "firstPlace", f.slot AS "firstSlot", f.state AS "firstState", f.content_hash AS "firstHash"
    FROM submission t JOIN submission f ON f.key = t.twin_of
    WHERE t.tenant_name = ${tenantName} AND t.twin_of IS NOT NULL AND t.state = 'refused'
      AND (t.origin = ${look.origin} OR f.origin = ${look.origin})
    ORDER BY t.received_at, t.id FOR UPDATE`;
  const replaced = new Set<string>();
  for (const row of open) {
    const { firstId, firstKey: key, firstOrigin: origin, firstPlace: place, firstSlot: slot } = row;
    const first = { key, origin, place, slot, state: row.firstState, hash: row.firstHash };
    const fate = judgeTwin({ ...row, first }, look);
    if (fate === 'stays' || (fate === 'takes-over' && replaced.has(firstId))) continue;
    if (fate === 'takes-over') {
      replaced.add(firstId);
      await takeContent(tx, tenantName, row.id, { id: firstId, actor: 'worker' });
    }
    await endTwin(tx, row.id, row.reference);
  }
}

/** The first record has the content and the place of its twin from now on, and goes. */
async function takeContent(
  tx: Tx,
  tenantName: TenantName,
  twinId: string,
  { id, actor, why }: { readonly id: string; readonly actor: string; readonly why?: string },
): Promise<void> {
  const [twin] = await tx.rows<Omit<Replacing, 'rests' | 'isLeft'> & { readonly booked: string | null }>`
    SELECT content, content_hash AS hash, amount::text AS amount, currency, issue_date AS "issueDate", counterparty, place, slot, origin, booked
    FROM submission WHERE id = ${twinId}::uuid`;
  if (!twin) return;
  await replaceContent(tx, id, { ...twin, rests: false });
  await tx.run`UPDATE submission SET booked = ${twin.booked} WHERE id = ${id}::uuid`;
  const { origin, place } = twin;
  await appendAudit(tx, {
    ...{
      tenantName,
      actor,
      action: 'submission.changed',
      subject: id,
      ...(why === undefined ? {} : { reason: why }),
    },
    details: { what: 'took-its-place', origin, place },
  });
}

async function endTwin(tx: Tx, id: string, reference: string): Promise<void> {
  const params = storableText(paramsText(reason('SHARING_ENDED', { reference }).params));
  await tx.run`
    UPDATE submission SET state = 'skipped', state_since = now(), due_at = now(), reason = 'SHARING_ENDED', reason_subject = NULL,
      reason_params = ${params}, ${endLease('submission')}, tries = 0
    WHERE id = ${id}::uuid`;
}

/** By a person. false: the first one is on its way, or was sent. */
export async function takePlace(
  tx: Tx,
  twinId: string,
  { actor, reason: why }: { readonly actor: string; readonly reason: string },
): Promise<boolean> {
  const [row] = await tx.rows<{
    tenantName: TenantName;
    kind: SubmissionKind;
    reference: string;
    firstId: string;
    firstState: SubmissionState;
  }>`
    SELECT t.tenant_name AS "tenantName", t.kind, t.reference, f.id AS "firstId", f.state AS "firstState"
    FROM submission t JOIN submission f ON f.key = t.twin_of
    WHERE t.id = ${twinId}::uuid AND t.reason IS DISTINCT FROM 'SHARING_ENDED' FOR UPDATE`;
  if (!row || !mayTakePlace(row.kind, row.firstState)) return false;
  await takeContent(tx, row.tenantName, twinId, { id: row.firstId, actor, why });
  await endTwin(tx, twinId, row.reference);
  return true;
}

// An invoice that stands in the books of its origin, and that the bridge has booked as well: a person has to take one of them out.

export interface InBothBooks {
  readonly id: string;
  readonly tenantName: TenantName;
  readonly kind: string;
  readonly reference: string;
}

/** Told when it is, or may be. `unlessSaid`: by whom it is booked where its record does not say. */
export async function tellIfBookedAtBoth(
  tx: Tx,
  submission: InBothBooks,
  unlessSaid: 'bridge' | 'origin' = 'bridge',
): Promise<void> {
  const { id, tenantName: tenant, kind, reference } = submission;
  const [entry] = await tx.rows<{ number: string }>`
    SELECT coalesce(p.erp_number, p.document_no, d.number) AS number
    FROM submission s JOIN document d ON d.tenant_name = s.tenant_name AND lower(d.guid) = lower(s.guid) JOIN posting p ON p.document_id = d.id
    WHERE s.id = ${id}::uuid AND coalesce(s.booked, ${unlessSaid}) = 'origin' AND d.kind = 'invoice' AND p.state <> 'reversed'
      AND (p.erp_reference IS NOT NULL OR EXISTS (
        SELECT 1 FROM attempt a WHERE a.posting_id = p.id AND a.part <> 'reversal'
          AND (a.outcome IS NULL OR a.outcome IN ('unknown', 'pending', 'draft', 'posted'))))`;
  if (!entry) return;
  const about = { tenant, kind, reference, number: entry.number };
  await openIncident(
    tx,
    { tenantName: tenant },
    incident('BOOKED_AT_BOTH', about, { severity: 'critical', fingerprint: id }),
  );
}
