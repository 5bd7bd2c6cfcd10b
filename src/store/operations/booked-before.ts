// How costs like those that wait were booked before: of the same supplier, or with the same text.
import type { Suggestion } from '../../operations/suggestion-records.js';
import type { PrismaClient } from '../generated/client.js';

/** Waiting documents whose suppliers and texts are compared, and booked ones that they are compared with. */
const WAITING_MAX = 100;
const BOOKED_MAX = 1_000;
const SUGGESTED_MAX = 3;

/** Accounts of expense lines; of each the latest document as the example. */
export function bookedBefore(
  prisma: Pick<PrismaClient, '$queryRaw'>,
  tenant: string,
  reason: string,
  subject: string,
): Promise<Suggestion[]> {
  return prisma.$queryRaw<Suggestion[]>`
    WITH waiting AS (
      SELECT d.counterparty_kennitala AS supplier, lower(trim(d.snapshot::jsonb ->> 'description')) AS text
      FROM posting p JOIN document d ON d.id = p.document_id
      WHERE p.tenant_name = ${tenant} AND p.state IN ('held', 'parked') AND p.reason = ${reason} AND p.reason_subject = ${subject}
        AND p.kind = 'cost' AND d.snapshot IS NOT NULL
      ORDER BY p.id LIMIT ${WAITING_MAX}
    ),
    booked AS (
      SELECT d.counterparty_kennitala AS supplier, d.counterparty_name AS name,
             lower(trim(d.snapshot::jsonb ->> 'description')) AS text, p.document_no, p.posting_date, p.journal
      FROM posting p JOIN document d ON d.id = p.document_id
      WHERE p.tenant_name = ${tenant} AND p.kind = 'cost' AND p.state IN ('posted', 'writing_back', 'acknowledged')
        AND p.journal IS NOT NULL AND d.snapshot IS NOT NULL
      ORDER BY p.posting_date DESC LIMIT ${BOOKED_MAX}
    ),
    alike AS (
      SELECT 'supplier' AS by, b.* FROM booked b WHERE b.supplier <> '' AND b.supplier IN (SELECT supplier FROM waiting)
      UNION ALL
      SELECT 'text' AS by, b.* FROM booked b WHERE b.text <> '' AND b.text IN (SELECT text FROM waiting)
        AND NOT (b.supplier <> '' AND b.supplier IN (SELECT supplier FROM waiting))
    )
    SELECT line ->> 'account' AS value, alike.by,
           (array_agg(coalesce(nullif(CASE alike.by WHEN 'supplier' THEN coalesce(nullif(name, ''), supplier) ELSE text END, ''), '')
                      ORDER BY posting_date DESC))[1] AS of,
           count(DISTINCT document_no)::int AS times,
           (array_agg(document_no ORDER BY posting_date DESC))[1] AS "lastDocument", max(posting_date) AS "lastDate"
    FROM alike, jsonb_array_elements(journal::jsonb -> 'lines') AS line
    WHERE line ->> 'role' = 'expense'
    GROUP BY 1, 2 ORDER BY alike.by, times DESC, value LIMIT ${SUGGESTED_MAX}`;
}
