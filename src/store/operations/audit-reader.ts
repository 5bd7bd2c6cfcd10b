// The audit as people read it: newest first, in pages.
import { CodedError } from '../../domain/errors/coded-error.js';
import type { AuditQuery } from '../../operations/records.js';
import type { AuditEntryView } from '../../operations/views/audit.js';
import type { Page } from '../../operations/views/common.js';
import type { PrismaClient } from '../generated/client.js';
import { instantOf } from './instants.js';

export async function readAudit(
  prisma: Pick<PrismaClient, 'auditEntry'>,
  query: AuditQuery,
): Promise<Page<AuditEntryView>> {
  const { chains, subject, actor, after, limit } = query;
  if (after !== undefined && !/^\d{1,18}$/.test(after))
    throw new CodedError('QUERY_INVALID', `"${after}" is not the end of a page of the audit.`);
  const rows = await prisma.auditEntry.findMany({
    where: {
      ...(chains === undefined || chains === null ? {} : { chain: { in: [...chains] } }),
      ...(subject === undefined ? {} : { subject }),
      ...(actor === undefined ? {} : { actor }),
      ...(after === undefined ? {} : { id: { lt: BigInt(after) } }),
    },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const shown = rows.slice(0, limit);
  return {
    items: shown.map((row) => ({
      id: String(row.id),
      chain: row.chain,
      at: instantOf(row.at),
      actor: row.actor,
      action: row.action,
      subject: row.subject,
      reason: row.reason,
      details: JSON.parse(row.details) as Record<string, unknown>,
    })),
    next: rows.length > limit ? String(shown.at(-1)?.id) : null,
  };
}
