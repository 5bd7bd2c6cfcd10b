// Why documents do not move, counted by cause.
import type { Companies } from '../../operations/access/reach.js';
import type { StoredCause } from '../../operations/records.js';
import type { PostingState } from '../../domain/posting.js';
import { type ReasonColumns, toParams } from '../reason-rows.js';
import { instantOf } from './instants.js';
import type { Tx } from '../db.js';

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
