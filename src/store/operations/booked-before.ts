// How documents like those that wait were booked before: costs of the same supplier or with the same text; and for a dimension, invoices
// of the same customer, with the same item or the same text.
import type { TenantName } from '../../domain/ids.js';
import type { Suggestion } from '../../operations/suggestion-records.js';
import type { Tx } from '../db.js';

/** Waiting documents whose suppliers and texts are compared, and booked ones that they are compared with. */
const WAITING_MAX = 100;
const BOOKED_MAX = 1_000;
const SUGGESTED_MAX = 3;

type Reader = Pick<Tx, 'rows'>;

/** What is missing is an account, or the value of a dimension; the reason tells. */
export function bookedBefore(
  db: Reader,
  tenant: TenantName,
  reason: string,
  subject: string,
): Promise<Suggestion[]> {
  if (reason === 'UNMAPPED_DIMENSION' || reason === 'ERP_CONFIGURATION')
    return dimensionsBefore(db, tenant, reason, subject);
  // How it was paid decides what is credited; everything else, on what it is booked.
  const roles = reason === 'UNMAPPED_HOW_PAID' ? ['payable', 'bank', 'clearing'] : ['expense'];
  return accountsBefore(db, tenant, { reason, subject, roles });
}

/** Of each account the latest document as the example. What waits for other months is shown by where it goes. */
function accountsBefore(
  db: Reader,
  tenant: TenantName,
  { reason, subject, roles }: { reason: string; subject: string; roles: readonly string[] },
): Promise<Suggestion[]> {
  return db.rows<Suggestion>`
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
    SELECT coalesce(line -> 'release' ->> 'account', line ->> 'account') AS value, alike.by,
           (array_agg(coalesce(nullif(CASE alike.by WHEN 'supplier' THEN coalesce(nullif(name, ''), supplier) ELSE text END, ''), '')
                      ORDER BY posting_date DESC))[1] AS of,
           count(DISTINCT document_no)::int AS times,
           (array_agg(document_no ORDER BY posting_date DESC))[1] AS "lastDocument", max(posting_date) AS "lastDate"
    FROM alike, jsonb_array_elements(journal::jsonb -> 'lines') AS line
    WHERE line ->> 'role' = ANY(${[...roles]})
    GROUP BY 1, 2 ORDER BY alike.by, times DESC, value LIMIT ${SUGGESTED_MAX}`;
}

/** Values of the dimension on the lines of documents of the same party, with the same item, or with the same text, in that order. */
function dimensionsBefore(
  db: Reader,
  tenant: TenantName,
  reason: string,
  subject: string,
): Promise<Suggestion[]> {
  return db.rows<Suggestion>`
    WITH waiting AS (
      SELECT p.kind, d.counterparty_kennitala AS party, lower(trim(d.snapshot::jsonb ->> 'description')) AS text,
             p.reason_params::jsonb ->> 'dimension' AS dimension,
             jsonb_path_query_array(d.snapshot::jsonb, '$.items[*].item_number ? (@ != "")') AS items
      FROM posting p JOIN document d ON d.id = p.document_id
      WHERE p.tenant_name = ${tenant} AND p.state IN ('held', 'parked') AND p.reason = ${reason} AND p.reason_subject = ${subject}
        AND p.kind IN ('invoice', 'cost') AND d.snapshot IS NOT NULL
      ORDER BY p.id LIMIT ${WAITING_MAX}
    ),
    booked AS (
      SELECT p.kind, d.counterparty_kennitala AS party, d.counterparty_name AS name, p.document_no, p.posting_date, p.journal,
             lower(trim(d.snapshot::jsonb ->> 'description')) AS text,
             jsonb_path_query_array(d.snapshot::jsonb, '$.items[*].item_number ? (@ != "")') AS items
      FROM posting p JOIN document d ON d.id = p.document_id
      WHERE p.tenant_name = ${tenant} AND p.kind IN ('invoice', 'cost') AND p.state IN ('posted', 'writing_back', 'acknowledged')
        AND p.journal IS NOT NULL AND d.snapshot IS NOT NULL
      ORDER BY p.posting_date DESC LIMIT ${BOOKED_MAX}
    ),
    alike AS (
      SELECT DISTINCT ON (b.kind, b.document_no)
        CASE WHEN b.party <> '' AND b.party = w.party THEN CASE b.kind WHEN 'invoice' THEN 'customer' ELSE 'supplier' END
             WHEN shared.item IS NOT NULL THEN 'item' ELSE 'text' END AS by,
        CASE WHEN b.party <> '' AND b.party = w.party THEN coalesce(nullif(b.name, ''), b.party)
             WHEN shared.item IS NOT NULL THEN shared.item ELSE b.text END AS of,
        w.dimension, b.document_no, b.posting_date, b.journal
      FROM booked b JOIN waiting w ON w.kind = b.kind
        LEFT JOIN LATERAL (SELECT i AS item FROM jsonb_array_elements_text(b.items) AS i WHERE w.items ? i LIMIT 1) AS shared ON true
      WHERE (b.party <> '' AND b.party = w.party) OR shared.item IS NOT NULL OR (b.text <> '' AND b.text = w.text)
      ORDER BY b.kind, b.document_no, (b.party <> '' AND b.party = w.party) DESC, (shared.item IS NOT NULL) DESC
    )
    SELECT line -> 'dimensions' ->> alike.dimension AS value, alike.by, (array_agg(alike.of ORDER BY posting_date DESC))[1] AS of,
           count(DISTINCT document_no)::int AS times,
           (array_agg(document_no ORDER BY posting_date DESC))[1] AS "lastDocument", max(posting_date) AS "lastDate"
    FROM alike, jsonb_array_elements(journal::jsonb -> 'lines') AS line
    WHERE line -> 'dimensions' ->> alike.dimension IS NOT NULL
    GROUP BY 1, 2
    ORDER BY array_position(ARRAY['customer', 'supplier', 'item', 'text'], alike.by), times DESC, value LIMIT ${SUGGESTED_MAX}`;
}
