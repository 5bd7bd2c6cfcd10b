// The pipeline's records on PostgreSQL. Every commit is one transaction: a compare-and-set on (id, state, fence), the rows
// that belong to it, and the audit entry. Whoever lost the lease changes nothing.
import { CodedError } from '../domain/errors/coded-error.js';
import type { ClaimedPosting, PostingChange, PostingStore } from '../pipeline/records.js';
import { appendAudit } from './audit.js';
import { commitStatement } from './commit-statement.js';
import { Prisma, type PrismaClient } from './generated/client.js';
import { openIncident, type Transaction } from './incidents.js';
import { claimQuery, type ClaimRow, TABLES, toClaim } from './posting-rows.js';

const { sql } = Prisma;

/** What was handed out before the tenant was stopped is not begun after it. */
const NOT_STOPPED = sql`NOT EXISTS (SELECT 1 FROM tenant t WHERE t.name = posting.tenant_name AND t.paused_at IS NOT NULL)`;

export function createPostingStore(prisma: PrismaClient, actor: string): PostingStore {
  return {
    claim: (postingId, owner, leaseMs) => claim(prisma, sql`true`, { postingId, owner, leaseMs }),
    claimDue: (postingId, owner, leaseMs) =>
      claim(prisma, sql`due_at <= now() AND ${NOT_STOPPED}`, { postingId, owner, leaseMs }),
    commit: (claimed, change) => commit(prisma, actor, claimed, change),
    creditNotesOf: async (tenantName, guid) => {
      const rows = await prisma.document.findMany({
        where: { tenantName, kind: 'invoice', referGuid: guid },
        select: { guid: true },
        take: 100,
      });
      return rows.map((row) => row.guid);
    },
  };
}

async function claim(
  prisma: PrismaClient,
  condition: Prisma.Sql,
  { postingId, owner, leaseMs }: { postingId: string; owner: string; leaseMs: number },
): Promise<ClaimedPosting | null> {
  const [row] = await prisma.$queryRaw<ClaimRow[]>`
    WITH claimed AS (
      UPDATE posting
      SET fence = fence + 1, lease_owner = ${owner}, lease_until = now() + ${leaseMs} * interval '1 millisecond', queued_until = NULL,
          -- A lease that was not given back: whoever had it died, or took longer than it lasts.
          tries = tries + (lease_owner IS NOT NULL)::int
      WHERE id = ${postingId}::uuid AND (lease_until IS NULL OR lease_until < now()) AND ${condition}
      RETURNING *
    ) ${claimQuery({ ...TABLES, posting: sql`claimed` })}`;
  return row ? toClaim(row) : null;
}

async function commit(
  prisma: PrismaClient,
  actor: string,
  claimed: ClaimedPosting,
  change: PostingChange,
): Promise<ClaimedPosting> {
  const { posting } = claimed;
  const { incidents = [] } = change;
  if (incidents.length === 0) return save(prisma, actor, claimed, change);
  return prisma.$transaction(async (tx) => {
    const saved = await save(tx, actor, claimed, change);
    for (const incident of incidents) {
      await openIncident(tx, { tenantName: posting.tenantName, postingId: posting.id }, incident);
    }
    if (change.stopTenant !== undefined) await stopTenant(tx, actor, posting.tenantName, change.stopTenant);
    return saved;
  });
}

async function stopTenant(tx: Transaction, actor: string, tenantName: string, why: string): Promise<void> {
  const stopped = await tx.$executeRaw`
    UPDATE tenant SET paused_at = now(), paused_by = 'bridge', paused_reason = ${why}
    WHERE name = ${tenantName} AND paused_at IS NULL`;
  if (stopped > 0)
    await appendAudit(tx, { tenantName, actor, action: 'tenant.paused', subject: tenantName, reason: why });
}

async function save(
  tx: Pick<Transaction, '$queryRaw'>,
  actor: string,
  claimed: ClaimedPosting,
  change: PostingChange,
): Promise<ClaimedPosting> {
  const [row] = await tx.$queryRaw<ClaimRow[]>(commitStatement(actor, claimed, change));
  if (row) return toClaim(row);
  const message = `The lease on posting ${claimed.posting.id} was lost before "${change.action}".`;
  throw new CodedError('LEASE_LOST', message);
}
