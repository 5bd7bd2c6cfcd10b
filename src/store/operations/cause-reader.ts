// Why documents do not move, counted by cause.
import type { StoredCause } from '../../operations/records.js';
import type { PostingState } from '../../domain/posting.js';
import type { PrismaClient } from '../generated/client.js';
import { instantOf } from './instants.js';

/** Rejected documents wait for the source, held ones for the rules or the ERP, the others for a person. */
export const PROBLEM_STATES = ['held', 'parked', 'orphaned', 'rejected'];
const CAUSES_MAX = 2_000;

interface CauseRow {
  reason: string;
  subject: string;
  sentence: string;
  state: PostingState;
  tenant_name: string;
  kind: string;
  count: number;
  first: Date;
  last: Date;
}

/** An ERP names what it lacks only in its message, so for these the message is a part of the cause. */
export async function readCauses(
  prisma: Pick<PrismaClient, '$queryRaw'>,
  tenant: string | null,
): Promise<readonly StoredCause[]> {
  const rows = await prisma.$queryRaw<CauseRow[]>`
    SELECT coalesce(reason, 'UNKNOWN') AS reason,
           CASE WHEN reason = 'ERP_CONFIGURATION' THEN coalesce(reason_sentence, '') ELSE coalesce(reason_subject, '') END AS subject,
           min(reason_sentence) AS sentence, state, tenant_name, kind, count(*)::int AS count,
           min(state_since) AS first, max(state_since) AS last
    FROM posting WHERE state = ANY(${PROBLEM_STATES}::text[]) AND (${tenant}::text IS NULL OR tenant_name = ${tenant})
    GROUP BY 1, 2, state, tenant_name, kind ORDER BY count(*) DESC LIMIT ${CAUSES_MAX}`;
  return rows.map((row) => ({
    code: row.reason,
    subject: row.subject,
    sentence: row.sentence,
    state: row.state,
    tenantName: row.tenant_name,
    kind: row.kind,
    count: row.count,
    firstSeenAt: instantOf(row.first),
    lastSeenAt: instantOf(row.last),
  }));
}
