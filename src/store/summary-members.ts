// What becomes of the documents of a summary, in the transaction that says what becomes of the summary.
import type { DocumentEvent } from '../domain/bridge-event.js';
import { CodedError } from '../domain/errors/coded-error.js';
import type { PostingState } from '../domain/posting.js';
import type { Reason } from '../domain/message.js';
import { FINISH_FIRST_MS } from '../sync/back-off.js';
import type { PostingRecord } from '../sync/posting-records.js';
import type { MembersChange, ReadyDocument, Released } from '../sync/follow-up-records.js';
import { appendAuditMany } from './audit.js';
import { newId } from './ids.js';
import { paramsText, storable } from './storable.js';
import { type Tx, sql } from './db.js';
import { endLease, isFree } from './lease.js';

type Summary = Pick<PostingRecord, 'id' | 'key' | 'tenantName'>;

interface Moved {
  readonly id: string;
  readonly from: PostingState;
  readonly to: PostingState;
}

/** What is to be told of each that moved, once all of it is committed. */
export async function changeMembers(
  tx: Tx,
  actor: string,
  summary: Summary,
  said: MembersChange,
): Promise<readonly DocumentEvent[]> {
  const change = storable(said);
  switch (change.act) {
    case 'take':
      return record(tx, actor, summary, 'taken-into-summary', await take(tx, summary, change));
    case 'posted':
      return record(tx, actor, summary, 'posted', await post(tx, summary, change));
    case 'tell':
      await tell(tx, summary, change.reason);
      return [];
    case 'release':
      return record(
        tx,
        actor,
        summary,
        'released-from-summary',
        await release(tx, summary, change.documents),
      );
  }
}

async function record(
  tx: Tx,
  actor: string,
  { id: summaryId, key, tenantName }: Summary,
  action: string,
  moved: readonly Moved[],
): Promise<readonly DocumentEvent[]> {
  await appendAuditMany(
    tx,
    moved.map(({ id, from, to }) => ({
      ...{ tenantName, actor, action: `posting.${action}`, subject: id },
      details: { from, to, summary: summaryId, summaryKey: key },
    })),
  );
  return readEvents(tx, moved);
}

type MemberRow = Omit<DocumentEvent, 'event' | 'from' | 'reason'> & {
  readonly code: string | null;
  readonly subject: string | null;
};

async function readEvents(tx: Tx, moved: readonly Moved[]): Promise<readonly DocumentEvent[]> {
  const rows = await tx.rows<MemberRow>`
    SELECT p.id::text AS "postingId", p.tenant_name AS tenant, p.kind, d.guid, d.number, p.erp_number AS entry,
           p.reason AS code, p.reason_subject AS subject
    FROM posting p JOIN document d ON d.id = p.document_id WHERE p.id = ANY(${moved.map(({ id }) => id)}::uuid[])`;
  const byId = new Map(rows.map((row) => [row.postingId, row]));
  return moved.flatMap(({ id, from, to }): DocumentEvent[] => {
    const row = byId.get(id);
    // A paid one has its settlement before it, and is told of when that is booked.
    if (!row || from === to) return [];
    const { code, subject, ...document } = row;
    const reason = code === null ? null : { code, subject: subject ?? '' };
    return [{ event: `document.${to}`, ...document, from, reason }];
  });
}

const WITH_REASON = sql`reason = x.code, reason_subject = x.subject, reason_params = x.params, reason_sentence = NULL`;
const NO_REASON = sql`reason = NULL, reason_subject = NULL, reason_params = NULL, reason_sentence = NULL`;

function reasonColumns({ code, subject, params }: Reason) {
  return { code, subject, params: paramsText(params) };
}

/** All of them as they were read, or none: the journal is already made. */
async function take(
  tx: Tx,
  { id, key }: Summary,
  { documents, reason }: { readonly documents: readonly ReadyDocument[]; readonly reason: Reason },
): Promise<readonly Moved[]> {
  const rows = documents.map(({ postingId, fence }, position) => ({
    ...{ id: postingId, fence, position },
    ...reasonColumns(reason),
  }));
  const taken = await tx.rows<{ id: string; generation: number }>`
    UPDATE posting p SET state = 'posting', state_since = now(), fence = p.fence + 1, due_at = NULL, tries = 0, ${WITH_REASON}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(id uuid, fence int, code text, subject text, params text)
    WHERE p.id = x.id AND p.fence = x.fence AND p.state = 'mapped' AND p.reason = 'AWAITS_SUMMARY' AND ${isFree('p')}
    RETURNING p.id::text AS id, p.generation`;
  if (taken.length !== documents.length)
    throw new CodedError(
      'SUMMARY_CHANGED',
      `${documents.length - taken.length} documents of ${key} were moved.`,
    );
  await tx.run`
    INSERT INTO summary_member (posting_id, generation, summary_id, summary_key, position, taken_at)
    SELECT p.id, p.generation, ${id}::uuid, ${key}, x.position, now()
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(id uuid, position int) JOIN posting p ON p.id = x.id`;
  return taken.map((row) => ({ id: row.id, from: 'mapped', to: 'posting' }));
}

/** Nobody else moves what was taken, so there is nothing to compare; whoever looked at it finds a newer fence. */
const ITS_MEMBERS = (summaryId: string) => sql`
  SELECT m.posting_id FROM summary_member m JOIN posting q ON q.id = m.posting_id AND q.generation = m.generation
  WHERE m.summary_id = ${summaryId}::uuid AND q.state = 'posting' AND q.erp_reference IS NULL`;

/** One that was paid when it was booked has its settlement before it, and goes on by itself. */
async function post(
  tx: Tx,
  { id }: Summary,
  { reference, message }: Extract<MembersChange, { act: 'posted' }>,
): Promise<readonly Moved[]> {
  const number = reference.number ?? reference.id;
  const booked = await tx.rows<{ id: string; state: PostingState }>`
    UPDATE posting p SET
      state = CASE WHEN p.settlement IS NULL THEN 'posted' ELSE p.state END,
      state_since = CASE WHEN p.settlement IS NULL THEN now() ELSE p.state_since END,
      posted_at = CASE WHEN p.settlement IS NULL THEN now() ELSE p.posted_at END,
      erp_reference = ${JSON.stringify(reference)}, erp_number = ${number}, ${endLease('p')}, tries = 0, ${NO_REASON},
      due_at = now() + CASE WHEN p.settlement IS NULL THEN ${FINISH_FIRST_MS}::float8 ELSE 0 END * interval '1 millisecond'
    WHERE p.id IN (${ITS_MEMBERS(id)})
    RETURNING p.id::text AS id, p.state`;
  const told = booked
    .filter(({ state }) => state === 'posted')
    .map((row) => ({ id: newId(), posting_id: row.id }));
  await tx.run`
    INSERT INTO write_back (id, posting_id, number, wanted, message, state, decided_at)
    SELECT x.id, x.posting_id, coalesce((SELECT max(w.number) FROM write_back w WHERE w.posting_id = x.posting_id), 0) + 1,
           'Posted', ${message}, 'pending', now()
    FROM jsonb_to_recordset(${JSON.stringify(told)}::jsonb) AS x(id uuid, posting_id uuid)`;
  return booked.map((row) => ({ id: row.id, from: 'posting', to: row.state }));
}

async function tell(tx: Tx, { id }: Summary, reason: Reason): Promise<void> {
  const { code, subject, params } = reasonColumns(reason);
  await tx.run`
    UPDATE posting p SET reason = ${code}, reason_subject = ${subject}, reason_params = ${params}, reason_sentence = NULL
    WHERE p.id IN (${ITS_MEMBERS(id)})`;
}

/** Those that were taken, and those that were about to be and are as they were. */
async function release(tx: Tx, { id }: Summary, documents: readonly Released[]): Promise<readonly Moved[]> {
  const rows = documents.map(({ postingId, to, reason, dueInMs }) => ({
    ...{ id: postingId, to, due: dueInMs },
    ...reasonColumns(reason),
  }));
  const released = await tx.rows<{ id: string; from: PostingState; to: PostingState }>`
    UPDATE posting p SET state = x.to, state_since = now(), ${endLease('p')}, tries = 0,
      due_at = CASE WHEN x.due IS NULL THEN NULL ELSE now() + x.due * interval '1 millisecond' END, ${WITH_REASON}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS x(id uuid, "to" text, due float8, code text, subject text, params text),
      (SELECT id, state FROM posting) old
    WHERE p.id = x.id AND old.id = p.id
      AND (p.id IN (${ITS_MEMBERS(id)}) OR p.state = 'mapped' AND p.reason = 'AWAITS_SUMMARY' AND ${isFree('p')})
    RETURNING p.id::text AS id, old.state AS from, p.state AS to`;
  await tx.run`DELETE FROM summary_member WHERE summary_id = ${id}::uuid`;
  return released;
}
