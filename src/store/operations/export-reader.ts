// What was posted in a period, in pages; and what was booked for documents with a reversal, whatever they are now.
import type { TenantName } from '../../domain/ids.js';
import type { ExportedPosting, ReversedPosting } from '../../operations/views/exported-posting.js';
import { type Tx, sql } from '../db.js';

/** Of the posting `p`, where its present entry is the journal of its day. */
export const SUMMARY_KEY = sql`(SELECT s.summary_key FROM summary_member s WHERE s.posting_id = p.id AND s.generation = p.generation)`;

const POSTING_COLUMNS = sql`
  p.id::text AS "postingId", p.tenant_name AS "tenantName", p.kind, d.guid, d.number, d.counterparty_name AS "counterpartyName",
  d.counterparty_kennitala AS "counterpartyKennitala", d.issue_date AS "issueDate", coalesce(p.posting_date, '') AS "postingDate",
  coalesce(trim_scale(p.total_isk)::text, '') AS "totalIsk", p.key, ${SUMMARY_KEY} AS "summaryKey", p.state, coalesce(p.erp_number, '') AS "erpNumber",
  coalesce(p.settlement_reference::jsonb ->> 'number', p.settlement_reference::jsonb ->> 'id', '') AS "settlementNumber",
  p.journal, p.settlement`;

export async function readExportPage(
  db: Pick<Tx, 'rows'>,
  { tenant, from, to }: { readonly tenant: TenantName; readonly from: string; readonly to: string },
  after: string | null,
  limit: number,
): Promise<readonly ExportedPosting[]> {
  return db.rows<ExportedPosting>`
    SELECT ${POSTING_COLUMNS} FROM posting p JOIN document d ON d.id = p.document_id
    WHERE p.tenant_name = ${tenant} AND p.posting_date BETWEEN ${from} AND ${to} AND p.erp_reference IS NOT NULL
      -- The journal of a day is its documents, each with its own lines.
      AND p.kind <> 'summary'
      AND (${after}::uuid IS NULL OR p.id > ${after}::uuid)
    ORDER BY p.id LIMIT ${limit}`;
}

/** Reversals are acts of people, so they are few: one look at all attempts a page is enough. */
export async function readReversedPage(
  db: Pick<Tx, 'rows'>,
  tenant: TenantName,
  after: string | null,
  limit: number,
): Promise<readonly ReversedPosting[]> {
  return db.rows<ReversedPosting>`
    SELECT ${POSTING_COLUMNS},
      (SELECT jsonb_agg(jsonb_build_object('part', a.part, 'key', a.key, 'request', a.request,
                'entry', coalesce(a.erp_reference::jsonb ->> 'number', a.erp_reference::jsonb ->> 'id', ''),
                'finishedOn', to_char(a.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')) ORDER BY a.number)
       FROM attempt a WHERE a.posting_id = p.id AND a.outcome = 'posted') AS attempts,
      coalesce((SELECT jsonb_agg(e.details::jsonb -> 'former' ORDER BY e.id)
       FROM audit_entry e WHERE e.subject = p.id::text AND e.action = 'posting.reposted'), '[]'::jsonb) AS former
    FROM posting p JOIN document d ON d.id = p.document_id
    WHERE p.tenant_name = ${tenant} AND (${after}::uuid IS NULL OR p.id > ${after}::uuid)
      AND p.id IN (SELECT posting_id FROM attempt WHERE part = 'reversal' AND outcome = 'posted')
    ORDER BY p.id LIMIT ${limit}`;
}
