// Descriptions of the bookkeeping, in the audit.
import type { DescriptionRecords } from '../../operations/description/description.js';
import { appendAudit } from '../audit.js';
import type { PrismaClient } from '../generated/client.js';

const ACTION = 'tenant.described';

export function createDescriptionStore(prisma: PrismaClient): DescriptionRecords {
  return {
    last: async (tenant, language) => {
      const row = await prisma.auditEntry.findFirst({
        where: { chain: tenant, action: ACTION, subject: `${tenant} ${language}` },
        orderBy: { id: 'desc' },
      });
      return row === null ? null : (JSON.parse(row.details) as { text: string }).text;
    },
    keep: (tenant, language, text, { actor, reason }) =>
      prisma.$transaction((tx) =>
        appendAudit(tx, {
          ...{ tenantName: tenant, actor, reason, action: ACTION, subject: `${tenant} ${language}` },
          details: { text },
        }),
      ),
  };
}
