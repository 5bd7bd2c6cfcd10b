// The contents of documents that nothing requires any longer: whom they were with, the record as the source had it, requests, reasons.
// What keeps a document from being booked twice stays: its row and those of its postings and attempts, with keys, states, amounts, hashes,
// numbers and the accounts and amounts of the journal. Works beside a running bridge: a batch is one short transaction on rows that
// nobody works on.
import { withoutPeople } from '../../domain/journal.js';
import type { Act } from '../../operations/act.js';
import {
  type ContentsCount,
  type ContentsPreview,
  type ContentsWish,
  NOTHING,
} from '../../operations/privacy/privacy.js';
import { appendAuditMany } from '../audit.js';
import { certified } from '../operations/originals-reader.js';
import { type Db, empty, sql, type Sql, type Tx } from '../db.js';

const UNTOUCHED: ContentsPreview = { ...NOTHING, unsettled: 0, uncertified: 0, withinPeriod: 0 };

export async function previewContents(db: Db, wish: ContentsWish): Promise<ContentsPreview> {
  const withinPeriod = wish.kennitala === undefined ? sql`0` : sql`count(*) FILTER (WHERE NOT old)::int`;
  const [row] = await db.rows<ContentsPreview>(sql`
    WITH judged AS MATERIALIZED (
      SELECT d.id, ${isOld(wish)} AS old, ${SETTLED} AS settled, ${certifiedPosting(wish)} AS certified
      FROM document d WHERE ${asked(wish)} ${wish.kennitala === undefined ? sql`AND ${isOld(wish)}` : empty}
    ), gone AS MATERIALIZED (SELECT id FROM judged WHERE old AND settled AND certified)
    SELECT (SELECT count(*)::int FROM gone) AS documents,
      (SELECT count(*)::int FROM attempt a JOIN posting p ON p.id = a.posting_id JOIN gone ON gone.id = p.document_id) AS requests,
      (SELECT count(*)::int FROM original o JOIN posting p ON p.id = o.posting_id JOIN gone ON gone.id = p.document_id
       WHERE ${IS_KEPT}) AS originals,
      (SELECT count(*)::int FROM incident i JOIN posting p ON p.id = i.posting_id JOIN gone ON gone.id = p.document_id) AS incidents,
      count(*) FILTER (WHERE old AND NOT settled)::int AS unsettled,
      count(*) FILTER (WHERE old AND settled AND NOT certified)::int AS uncertified,
      ${withinPeriod} AS "withinPeriod"
    FROM judged`);
  return row ?? UNTOUCHED;
}

export function removeContents(db: Db, wish: ContentsWish, act: Act, limit: number): Promise<ContentsCount> {
  return db.tx(async (tx) => {
    // Two runs take turns, batch by batch: the second one sees what the first has done.
    await tx.run`SELECT pg_advisory_xact_lock(hashtext('ledgerbridge:privacy'))`;
    // Whoever claims one of them meanwhile is waited for, and what they made of it counts.
    const chosen = await tx.rows<{ id: string; postingId: string }>(sql`
      SELECT d.id::text AS id, p.id::text AS "postingId" FROM document d JOIN posting p ON p.document_id = d.id
      WHERE d.id IN (
        SELECT d.id FROM document d
        WHERE ${asked(wish)} AND ${isOld(wish)} AND ${SETTLED} AND ${certifiedPosting(wish)} ORDER BY d.id LIMIT ${limit})
      ORDER BY d.id, p.id FOR UPDATE OF d, p`);
    const still = await tx.rows<{ id: string }>(sql`
      SELECT d.id::text AS id FROM document d
      WHERE d.id = ANY(${chosen.map(({ id }) => id)}::uuid[]) AND ${SETTLED} ORDER BY 1`);
    const documents = still.map(({ id }) => id);
    if (documents.length === 0) return NOTHING;
    const isStill = new Set(documents);
    const postings = chosen.filter(({ id }) => isStill.has(id)).map(({ postingId }) => postingId);
    const counts = await emptyPostings(tx, postings);
    await tx.run`
      UPDATE document SET counterparty_name = '', counterparty_kennitala = '', snapshot = NULL, contents_removed_at = now()
      WHERE id = ANY(${documents}::uuid[])`;
    await appendAuditMany(
      tx,
      postings.map((subject) => ({
        ...{ tenantName: wish.tenant, actor: act.actor, action: 'document.contents-removed', subject },
        ...{ reason: act.reason, details: { before: wish.before, years: wish.years } },
      })),
    );
    return { ...counts, documents: documents.length };
  });
}

async function emptyPostings(tx: Tx, postings: readonly string[]): Promise<Omit<ContentsCount, 'documents'>> {
  const ids = sql`${[...postings]}::uuid[]`;
  const journals = await tx.rows<{ id: string; journal: string | null; settlement: string | null }>(
    sql`SELECT id::text AS id, journal, settlement FROM posting WHERE id = ANY(${ids})`,
  );
  const kept = journals.map(({ id, journal, settlement }) => ({
    id,
    journal: journal === null ? null : withoutPeople(journal),
    settlement: settlement === null ? null : withoutPeople(settlement),
  }));
  await tx.run(sql`
    UPDATE posting p SET journal = x.journal, settlement = x.settlement, trace = NULL, reason_subject = NULL,
      reason_params = NULL, reason_sentence = NULL
    FROM jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) AS x(id uuid, journal text, settlement text) WHERE p.id = x.id`);
  const requests = await tx.run(
    sql`UPDATE attempt SET request = '', message = NULL WHERE posting_id = ANY(${ids})`,
  );
  await tx.run(sql`UPDATE write_back SET message = '', answer = NULL WHERE posting_id = ANY(${ids})`);
  await tx.run(sql`UPDATE operation_item SET message = NULL WHERE posting_id = ANY(${ids})`);
  const incidents = await tx.run(sql`DELETE FROM incident WHERE posting_id = ANY(${ids})`);
  const originals = await tx.run(sql`
    UPDATE original o SET expired_at = now() WHERE o.posting_id = ANY(${ids}) AND ${IS_KEPT}`);
  await tx.run(sql`
    UPDATE original SET source_name = NULL, erp_file_name = NULL, reason_detail = NULL WHERE posting_id = ANY(${ids})`);
  return { requests, incidents, originals };
}

const IS_KEPT = sql`o.sha256 IS NOT NULL AND o.expired_at IS NULL`;
const DONE = sql`('acknowledged', 'skipped', 'reversed')`;

/** What was read again since is there again. */
function asked({ tenant, kennitala }: ContentsWish): Sql {
  const there = sql`d.tenant_name = ${tenant} AND (d.contents_removed_at IS NULL OR d.snapshot_at > d.contents_removed_at)`;
  return kennitala === undefined ? there : sql`${there} AND ${isOf(kennitala)}`;
}

/** They are the party of it, or its contents name them. */
export function isOf(kennitala: string): Sql {
  const written = writtenPattern(kennitala);
  return sql`(d.counterparty_kennitala = ${kennitala} OR d.snapshot ~ ${written} OR EXISTS (
    SELECT 1 FROM posting n WHERE n.document_id = d.id AND concat_ws(' ', n.journal, n.settlement, n.reason_params) ~ ${written}))`;
}

/** With a dash, a space or neither, and not as a part of a longer number. */
export function writtenPattern(kennitala: string): string {
  return `(^|[^0-9])${kennitala.slice(0, 6)}[- ]?${kennitala.slice(6)}($|[^0-9])`;
}

/** By the last day on which anything of the document was issued or booked. A part of it may be booked later still. */
function isOld({ before }: ContentsWish): Sql {
  return sql`
    (SELECT max(greatest(CASE WHEN d.issue_date ~ '^\\d{4}-\\d\\d-\\d\\d$' THEN d.issue_date ELSE to_char(d.first_seen_at, 'YYYY-MM-DD') END,
                         coalesce(b.posting_date, ''))) FROM posting b WHERE b.document_id = d.id) < ${before}
    AND NOT EXISTS (SELECT 1 FROM posting b WHERE b.document_id = d.id
      AND jsonb_path_exists(b.journal::jsonb, '$.lines[*].release.days[*] ? (@ >= $before)', jsonb_build_object('before', ${before}::text)))
    AND NOT EXISTS (SELECT 1 FROM document f JOIN posting g ON g.document_id = f.id
      WHERE f.tenant_name = d.tenant_name AND f.refer_guid = d.guid AND d.guid <> ''
        AND greatest(f.issue_date, coalesce(g.posting_date, '')) >= ${before})`;
}

/** Nothing more happens to it, to what follows it, or to its files; nobody works on it, and nobody was asked about it. */
const SETTLED = sql`(
  EXISTS (SELECT 1 FROM posting q WHERE q.document_id = d.id)
  AND NOT EXISTS (
    SELECT 1 FROM posting q WHERE q.document_id = d.id AND (
      q.state NOT IN ${DONE} OR q.due_at IS NOT NULL OR q.lease_until > now()
      OR EXISTS (SELECT 1 FROM attempt a WHERE a.posting_id = q.id AND a.outcome IS NULL AND a.part = 'reversal')
      OR (q.state = 'skipped' AND EXISTS (SELECT 1 FROM attempt a WHERE a.posting_id = q.id
          AND coalesce(a.outcome, '') NOT IN ('rejected', 'never-sent')))
      OR EXISTS (SELECT 1 FROM attempt a WHERE a.posting_id = q.id AND a.part = 'reversal' AND a.outcome = 'posted' AND q.state <> 'reversed'
        AND CASE WHEN a.request LIKE '{%' THEN a.request::jsonb -> 'reverses' ->> 'id' END
          IN (q.erp_reference::jsonb ->> 'id', q.settlement_reference::jsonb ->> 'id'))
      OR EXISTS (SELECT 1 FROM write_back w WHERE w.posting_id = q.id AND w.state IN ('pending', 'sent'))
      OR EXISTS (SELECT 1 FROM incident i WHERE i.posting_id = q.id AND i.state <> 'resolved')
      OR EXISTS (SELECT 1 FROM approval v WHERE v.subject = q.id::text AND v.state IN ('open', 'approved'))
      OR EXISTS (SELECT 1 FROM operation_item t JOIN operation_run r ON r.id = t.run_id
                 WHERE t.posting_id = q.id AND r.state <> 'done')
      OR EXISTS (SELECT 1 FROM original o WHERE o.posting_id = q.id
                 AND (o.due_at IS NOT NULL OR o.state NOT IN ('attached', 'kept', 'absent')))))
  AND NOT EXISTS (
    SELECT 1 FROM document f JOIN posting g ON g.document_id = f.id
    WHERE f.tenant_name = d.tenant_name AND f.refer_guid = d.guid AND d.guid <> '' AND g.state NOT IN ${DONE}))`;

/** Of the one that was worked on last. */
function certifiedPosting(wish: ContentsWish): Sql {
  return sql`(SELECT ${certified(wish)} FROM posting p WHERE p.document_id = d.id ORDER BY p.generation DESC LIMIT 1)`;
}
