// Why documents do not move, counted by cause.
import type { StoredCause } from '../../operations/records.js';
import type { PostingState } from '../../domain/posting.js';
import type { PrismaClient } from '../generated/client.js';
import { instantOf } from './instants.js';

const CAUSES_MAX = 2_000;

interface CauseRow {
  reason: string;
  subject: string;
  sentence: string;
  refusal: string;
  state: PostingState;
  tenant_name: string;
  kind: string;
  count: number;
  first: Date;
  last: Date;
}

/**
 * Rejected documents wait for the source, held ones for the rules or the ERP, the others for a person. The states are
 * written out so that posting_problem_idx answers alone; only one sentence a cause is read from the postings. An ERP names
 * what it lacks only in its message, so for these the message is a part of the cause.
 */
export async function readCauses(
  prisma: Pick<PrismaClient, '$queryRaw'>,
  tenant: string | null,
): Promise<readonly StoredCause[]> {
  const rows = await prisma.$queryRaw<CauseRow[]>`
    WITH named AS (
      SELECT reason, reason_subject AS subject, state, tenant_name, kind, count(*)::int AS count,
             min(state_since) AS first, max(state_since) AS last, min(id::text COLLATE "C")::uuid AS one
      FROM posting
      WHERE state IN ('held', 'parked', 'orphaned', 'rejected') AND reason IS DISTINCT FROM 'ERP_CONFIGURATION'
        AND (${tenant}::text IS NULL OR tenant_name = ${tenant})
      GROUP BY 1, 2, 3, 4, 5
    ), worded AS (
      SELECT reason, reason_sentence AS subject, state, tenant_name, kind, count(*)::int AS count,
             min(state_since) AS first, max(state_since) AS last, min(id::text COLLATE "C")::uuid AS one
      FROM posting
      WHERE state IN ('held', 'parked', 'orphaned', 'rejected') AND reason = 'ERP_CONFIGURATION'
        AND (${tenant}::text IS NULL OR tenant_name = ${tenant})
      GROUP BY 1, 2, 3, 4, 5
    ), cause AS (
      SELECT * FROM named UNION ALL SELECT * FROM worded ORDER BY count DESC LIMIT ${CAUSES_MAX}
    )
    SELECT coalesce(cause.reason, 'UNKNOWN') AS reason, coalesce(cause.subject, '') AS subject,
           coalesce(posting.reason_sentence, '') AS sentence, coalesce(posting.reason_subject, '') AS refusal, cause.state, cause.tenant_name, cause.kind, cause.count,
           cause.first, cause.last
    FROM cause JOIN posting ON posting.id = cause.one ORDER BY cause.count DESC`;
  return rows.map((row) => ({
    code: row.reason,
    subject: row.subject,
    sentence: row.sentence,
    refusal: row.refusal,
    state: row.state,
    tenantName: row.tenant_name,
    kind: row.kind,
    count: row.count,
    firstSeenAt: instantOf(row.first),
    lastSeenAt: instantOf(row.last),
  }));
}
