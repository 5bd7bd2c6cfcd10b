// Descriptions of the bookkeeping, in the audit.
import type { DescriptionRecords } from '../../operations/description/description.js';
import { appendAudit } from '../audit.js';
import type { Records } from '../database.js';

const ACTION = 'tenant.described';

export function createDescriptionStore({ db, models }: Records): DescriptionRecords {
  return {
    last: async (tenant, language) => {
      const prisma = await models();
      const row = await prisma.auditEntry.findFirst({
        where: { chain: tenant, action: ACTION, subject: `${tenant} ${language}` },
        orderBy: { id: 'desc' },
      });
      return row === null ? null : (JSON.parse(row.details) as { text: string }).text;
    },
    keep: (tenant, language, text, { actor, reason }) =>
      db.tx((tx) =>
        appendAudit(tx, {
          ...{ tenantName: tenant, actor, reason, action: ACTION, subject: `${tenant} ${language}` },
          details: { text },
        }),
      ),
  };
}
