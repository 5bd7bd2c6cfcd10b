// Why documents do not move, counted by cause.
import type { Companies } from '../../operations/access/reach.js';
import type { StoredCause } from '../../operations/records.js';
import type { PostingState } from '../../domain/posting.js';
import type { PrismaClient } from '../generated/client.js';
import { type ReasonColumns, toParams } from '../reason-rows.js';
import { instantOf } from './instants.js';

const CAUSES_MAX = 2_000;

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
 * Rejected documents wait for the source, held ones for the rules or the ERP, the others for a person. The states are
 * written out so that posting_problem_idx answers alone; of one posting a cause the parameters are read.
 */
export async function readCauses(
  prisma: Pick<PrismaClient, '$queryRaw'>,
  companies: Companies,
): Promise<readonly StoredCause[]> {
  const rows = await prisma.$queryRaw<CauseRow[]>`
    WITH cause AS (
      SELECT reason, reason_subject AS subject, state, tenant_name, kind, count(*)::int AS count,
             min(state_since) AS first, max(state_since) AS last, min(id::text COLLATE "C")::uuid AS one
      FROM posting
      WHERE state IN ('held', 'parked', 'orphaned', 'rejected') AND (${companies}::text[] IS NULL OR tenant_name = ANY(${companies}))
      GROUP BY 1, 2, 3, 4, 5 ORDER BY count DESC LIMIT ${CAUSES_MAX}
    )
    SELECT coalesce(cause.reason, 'UNKNOWN') AS reason, coalesce(cause.subject, '') AS subject, posting.reason_params,
           posting.reason_sentence, cause.state, cause.tenant_name, cause.kind, cause.count, cause.first, cause.last
    FROM cause JOIN posting ON posting.id = cause.one ORDER BY cause.count DESC`;
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
