// Why documents do not move, counted by cause.
import type { Companies } from '../../operations/access/reach.js';
import type { StoredCause } from '../../operations/records.js';
import { type PostingState, UNCERTAIN_OUTCOMES } from '../../domain/posting.js';
import { instantOf, type ReasonColumns, toParams } from '../storable.js';
import { raw, type Sql, sql, type Tx } from '../db.js';
import type { BookedKind } from '../../domain/source-document.js';
import type { ReplayFacts } from '../../operations/replay-verdict.js';
import { isReversalOf } from '../../domain/posting-key.js';
import type { AttemptRecord } from '../../sync/posting-records.js';
import { ATTEMPT_COLUMNS, type AttemptRow, LAST_SENT_AT, toAttempt } from '../posting-rows.js';
import type { TenantName } from '../../domain/ids.js';
import type { Suggestion } from '../../operations/suggestion-records.js';

const CAUSES_MAX = 2_000;
/** What is deferred looks again after an hour at the latest: nobody has to hear of one that goes on then. */
const WAITED_MS = 65 * 60_000;

interface CauseRow extends Pick<ReasonColumns, 'reason_params' | 'reason_sentence'> {
  reason: string;
  subject: string;
  state: PostingState;
  tenant_name: string;
  kind: string;
  count: number;
  first: Date;
  last: Date;
}

/**
 * Rejected documents wait for the source, held ones for the rules or the ERP, deferred ones for something else of the source, the others
 * for a person. The states are written out so that posting_problem_idx answers alone; of one posting a cause the parameters are read.
 */
export async function readCauses(
  db: Pick<Tx, 'rows'>,
  companies: Companies,
): Promise<readonly StoredCause[]> {
  const rows = await db.rows<CauseRow>`
    WITH cause AS (
      SELECT reason, reason_subject AS subject, state, tenant_name, kind, count(*)::int AS count,
             min(state_since) AS first, max(state_since) AS last, min(id::text COLLATE "C")::uuid AS one
      FROM posting
      WHERE state IN ('held', 'parked', 'orphaned', 'rejected') AND (${companies}::text[] IS NULL OR tenant_name = ANY(${companies}))
      GROUP BY 1, 2, 3, 4, 5 ORDER BY count DESC LIMIT ${CAUSES_MAX}
    ),
    -- By the index on tenant and state. What waits for the end of its day waits as it should.
    waiting AS (
      SELECT p.reason, p.reason_subject AS subject, p.state, p.tenant_name, p.kind, count(*)::int AS count,
             min(p.state_since) AS first, max(p.state_since) AS last, min(p.id::text COLLATE "C")::uuid AS one
      FROM tenant t JOIN posting p ON p.tenant_name = t.name AND p.state = 'deferred'
      WHERE p.state_since < now() - ${WAITED_MS} * interval '1 millisecond' AND p.reason IS DISTINCT FROM 'AWAITS_SUMMARY'
        AND (${companies}::text[] IS NULL OR t.name = ANY(${companies}))
      GROUP BY 1, 2, 3, 4, 5 ORDER BY count DESC LIMIT ${CAUSES_MAX}
    ),
    resting AS (SELECT * FROM cause UNION ALL SELECT * FROM waiting)
    SELECT coalesce(resting.reason, 'UNKNOWN') AS reason, coalesce(resting.subject, '') AS subject, posting.reason_params,
           posting.reason_sentence, resting.state, resting.tenant_name, resting.kind, resting.count, resting.first, resting.last
    FROM resting JOIN posting ON posting.id = resting.one ORDER BY resting.count DESC`;
  return rows.map((row) => ({
    reason: { code: row.reason, subject: row.subject, params: toParams(row) },
    state: row.state,
    tenantName: row.tenant_name,
    kind: row.kind,
    count: row.count,
    firstSeenAt: instantOf(row.first),
    lastSeenAt: instantOf(row.last),
  }));
}

// What decides whether an act on a posting is possible, for many at once.

interface FactRow {
  id: string;
  tenant_name: string;
  kind: BookedKind;
  state: PostingState;
  fence: number;
  reason: string | null;
  held: boolean;
  leased: boolean;
  due: boolean;
  blocked: boolean;
  source_status: string;
  write_back_open: boolean;
  last_wanted: string | null;
  main_posted: boolean;
  all_posted: boolean;
  attempt_uncertain: boolean;
  last_send_age_ms: number | null;
  in_summary: boolean;
  key: string;
  reversals: readonly string[];
}

export async function readReplayFacts(
  db: Pick<Tx, 'rows'>,
  postingIds: readonly string[],
): Promise<readonly ReplayFacts[]> {
  const rows = await db.rows<FactRow>(factSql(postingIds));
  return rows.map((row) => ({
    postingId: row.id,
    tenantName: row.tenant_name,
    kind: row.kind,
    state: row.state,
    fence: row.fence,
    reasonCode: row.reason,
    held: row.held,
    leased: row.leased,
    due: row.due,
    blocked: row.blocked,
    sourceStatus: row.source_status,
    writeBackOpen: row.write_back_open,
    lastWanted: row.last_wanted,
    mainPosted: row.main_posted,
    allPosted: row.all_posted,
    attemptUncertain: row.attempt_uncertain,
    lastSendAgeMs: row.last_send_age_ms,
    inSummary: row.in_summary,
    reversalBegun: row.reversals.some((key) => isReversalOf(row.key, key)),
  }));
}

export function factSql(postingIds: readonly string[]): Sql {
  return sql`
    SELECT p.id::text AS id, p.key, p.tenant_name, p.kind, p.state, p.fence, p.reason, p.state = 'held' AND p.reason = 'HELD_BY_OPERATOR' AS held, coalesce(p.lease_until > now(), false) AS leased,
           coalesce(p.due_at <= now(), false) AS due, d.source_status,
           EXISTS (SELECT 1 FROM breaker o WHERE o.tenant_name = p.tenant_name AND o.state <> 'closed' AND o.open_until > now()
                     AND (o.side = 'source' OR p.state IN ('discovered', 'mapped', 'posting'))) AS blocked,
           coalesce(w.state IN ('pending', 'sent'), false) AS write_back_open, w.wanted AS last_wanted,
           p.erp_reference IS NULL AND EXISTS (
             SELECT 1 FROM summary_member s WHERE s.posting_id = p.id AND s.generation = p.generation) AS in_summary,
           ARRAY(SELECT r.key FROM attempt r WHERE r.posting_id = p.id AND r.part = 'reversal'
                   AND (r.outcome IS NULL OR r.outcome = ANY(${['posted', ...UNCERTAIN_OUTCOMES]}))) AS reversals,
           p.erp_reference IS NOT NULL AS main_posted,
           p.erp_reference IS NOT NULL AND (p.settlement IS NULL OR p.settlement_reference IS NOT NULL) AS all_posted,
           coalesce(a.outcome = ANY(${[...UNCERTAIN_OUTCOMES]}), a.id IS NOT NULL) AS attempt_uncertain,
           (extract(epoch FROM now() - ${raw(LAST_SENT_AT)}) * 1000)::float8 AS last_send_age_ms
    FROM posting p JOIN document d ON d.id = p.document_id CROSS JOIN bridge b
    LEFT JOIN LATERAL (
      SELECT * FROM attempt WHERE posting_id = p.id AND part <> 'reversal' ORDER BY number DESC LIMIT 1) a ON true
    LEFT JOIN LATERAL (SELECT * FROM write_back WHERE posting_id = p.id ORDER BY number DESC LIMIT 1) w ON true
    WHERE p.id = ANY(${[...postingIds]}::uuid[])`;
}

export async function readReversals(
  db: Pick<Tx, 'rows'>,
  postingId: string,
): Promise<readonly AttemptRecord[]> {
  const rows = await db.rows<AttemptRow>(sql`
    SELECT ${raw(ATTEMPT_COLUMNS)} FROM attempt a CROSS JOIN bridge b
    WHERE a.posting_id = ${postingId}::uuid AND a.part = 'reversal' ORDER BY a.number DESC`);
  return rows.map(toAttempt);
}

// How documents like those that wait were booked before: costs of the same supplier or with the same text; and for a dimension, invoices
// of the same customer, with the same item or the same text.

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
