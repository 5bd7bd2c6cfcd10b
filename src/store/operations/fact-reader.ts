// What decides whether an act on a posting is possible, for many at once.
import type { BookedKind } from '../../domain/source-document.js';
import type { ReplayFacts } from '../../operations/replay-verdict.js';
import { type PostingState, UNCERTAIN_OUTCOMES } from '../../domain/posting.js';
import { isReversalOf } from '../../domain/posting-key.js';
import type { AttemptRecord } from '../../sync/posting-records.js';
import { ATTEMPT_COLUMNS, type AttemptRow, LAST_SENT_AT, toAttempt } from '../posting-rows.js';
import { type Tx, raw, type Sql, sql } from '../db.js';

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
