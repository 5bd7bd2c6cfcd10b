// Acts of people on postings: a compare-and-set on (state, fence) that also wants the lease to be free, so that a worker who
// has claimed a posting keeps it, and one that had it finds a newer fence. Audit entries in the same transaction.
import type { Act, Move } from '../../operations/records.js';
import type { FormerGeneration } from '../../operations/views/exported-posting.js';
import { appendAuditMany } from '../audit.js';
import { newId } from '../ids.js';
import { paramsText } from '../storable.js';
import type { Tx } from '../db.js';
import { isFree } from '../lease.js';

export async function moveAll(
  tx: Tx,
  act: Act,
  action: string,
  moves: readonly Move[],
): Promise<ReadonlySet<string>> {
  if (moves.length === 0) return new Set();
  const rows = await tx.rows<{ id: string }>`
    UPDATE posting p SET
      state = coalesce(m.to, p.state), state_since = CASE WHEN m.to IS NULL THEN p.state_since ELSE now() END,
      fence = p.fence + 1, tries = 0,
      due_at = CASE WHEN m.due IS NULL THEN NULL ELSE now() + m.due * interval '1 millisecond' END,
      posted_at = CASE WHEN m.to = 'posted' THEN coalesce(p.posted_at, now()) ELSE p.posted_at END,
      reason = CASE WHEN m.to IS NULL THEN p.reason ELSE m.code END,
      reason_subject = CASE WHEN m.to IS NULL THEN p.reason_subject ELSE m.subject END,
      reason_params = CASE WHEN m.to IS NULL THEN p.reason_params ELSE m.params END,
      reason_sentence = CASE WHEN m.to IS NULL THEN p.reason_sentence END
    FROM jsonb_to_recordset(${JSON.stringify(moves.map(moveRow))}::jsonb)
      AS m(id uuid, "from" text, fence int, "to" text, due float8, code text, subject text, params text)
    WHERE p.id = m.id AND p.state = m."from" AND p.fence = m.fence AND ${isFree('p')}
    RETURNING p.id::text AS id`;
  const moved = new Set(rows.map((row) => row.id));
  const done = moves.filter((move) => moved.has(move.postingId));
  await decideWriteBacks(tx, done);
  await appendAuditMany(
    tx,
    done.map((move) => ({
      tenantName: move.tenantName,
      actor: act.actor,
      action: `posting.${action}`,
      subject: move.postingId,
      reason: act.reason,
      details: { from: move.from, to: move.to ?? move.from },
    })),
  );
  return moved;
}

function moveRow(move: Move) {
  return {
    id: move.postingId,
    from: move.from,
    fence: move.fence,
    to: move.to,
    due: move.dueInMs,
    code: move.why?.code ?? null,
    subject: move.why?.subject ?? null,
    params: move.why === null ? null : paramsText(move.why.params),
  };
}

async function decideWriteBacks(tx: Tx, moves: readonly Move[]): Promise<void> {
  const decided = moves.flatMap(({ postingId, writeBack }) =>
    writeBack ? [{ id: newId(), posting_id: postingId, ...writeBack }] : [],
  );
  if (decided.length === 0) return;
  await tx.run`
    INSERT INTO write_back (id, posting_id, number, wanted, message, state, decided_at)
    SELECT x.id, x.posting_id, coalesce((SELECT max(number) FROM write_back w WHERE w.posting_id = x.posting_id), 0) + 1,
           x.wanted, x.message, 'pending', now()
    FROM jsonb_to_recordset(${JSON.stringify(decided)}::jsonb) AS x(id uuid, posting_id uuid, wanted text, message text)`;
}

type RepostedRow = FormerGeneration & { tenant_name: string };

/**
 * A new entry for a document whose entry was reversed. What was booked before goes into the audit: the books still have it,
 * and an export for an auditor must.
 */
export async function repost(
  tx: Tx,
  act: Act,
  { postingId, key, generation }: { postingId: string; key: string; generation: number },
): Promise<boolean> {
  const [row] = await tx.rows<RepostedRow>`
    UPDATE posting p SET state = 'discovered', state_since = now(), fence = p.fence + 1, key = ${key}, generation = ${generation},
      due_at = now(), tries = 0, reason = NULL, reason_subject = NULL, reason_params = NULL, reason_sentence = NULL,
      journal = NULL, settlement = NULL, trace = NULL, warnings = '{}', posting_date = NULL, total_isk = NULL,
      erp_reference = NULL, erp_number = NULL, settlement_reference = NULL, posted_at = NULL, acknowledged_at = NULL
    FROM posting old
    WHERE p.id = ${postingId}::uuid AND old.id = p.id AND p.state = 'reversed' AND p.generation = ${generation - 1}
      AND ${isFree('p')}
    RETURNING p.tenant_name, old.key,
      (SELECT s.summary_key FROM summary_member s WHERE s.posting_id = old.id AND s.generation = old.generation) AS "summaryKey",
      coalesce(old.erp_number, '') AS "erpNumber",
      coalesce(old.settlement_reference::jsonb ->> 'number', old.settlement_reference::jsonb ->> 'id', '') AS "settlementNumber",
      coalesce(old.posting_date, '') AS "postingDate", old.journal, old.settlement`;
  if (!row) return false;
  const { tenant_name: tenantName, ...former } = row;
  await appendAuditMany(tx, [
    {
      tenantName,
      actor: act.actor,
      action: 'posting.reposted',
      subject: postingId,
      reason: act.reason,
      details: {
        from: 'reversed',
        to: 'discovered',
        generation,
        key,
        reversedEntry: former.erpNumber,
        former,
      },
    },
  ]);
  return true;
}
