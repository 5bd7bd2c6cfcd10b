// What was posted in a period, in pages.
import type { ExportedPosting } from '../../operations/views/exported-posting.js';
import type { PrismaClient } from '../generated/client.js';

export async function readExportPage(
  prisma: Pick<PrismaClient, '$queryRaw'>,
  { tenant, from, to }: { readonly tenant: string; readonly from: string; readonly to: string },
  after: string | null,
  limit: number,
): Promise<readonly ExportedPosting[]> {
  return prisma.$queryRaw<ExportedPosting[]>`
    SELECT p.id::text AS "postingId", p.tenant_name AS "tenantName", p.kind, d.guid, d.number, d.counterparty_name AS "counterpartyName",
           d.counterparty_kennitala AS "counterpartyKennitala", d.issue_date AS "issueDate", p.posting_date AS "postingDate",
           coalesce(trim_scale(p.total_isk)::text, '') AS "totalIsk", p.key, p.state, coalesce(p.erp_number, '') AS "erpNumber", p.journal, p.settlement
    FROM posting p JOIN document d ON d.id = p.document_id
    WHERE p.tenant_name = ${tenant} AND p.posting_date BETWEEN ${from} AND ${to} AND p.erp_reference IS NOT NULL AND p.state <> 'reversed'
      AND (${after}::uuid IS NULL OR p.id > ${after}::uuid)
    ORDER BY p.id LIMIT ${limit}`;
}
