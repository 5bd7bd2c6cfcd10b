// Which invoices a credit note takes back: one that is in the books, or on its way there.
import type { Guid, TenantName } from '../domain/ids.js';
import type { Db } from './db.js';

export async function creditedInvoices(
  db: Db,
  tenantName: TenantName,
  guids: readonly Guid[],
): Promise<ReadonlySet<Guid>> {
  const rows = await db.rows<{ guid: Guid }>`
    SELECT DISTINCT d.refer_guid AS guid FROM document d JOIN posting p ON p.document_id = d.id
    WHERE d.tenant_name = ${tenantName} AND d.kind = 'invoice' AND d.refer_guid = ANY(${[...guids]}) AND d.refer_guid <> ''
      AND d.source_status <> 'gone' AND p.state NOT IN ('skipped', 'rejected', 'orphaned', 'reversed')`;
  return new Set(rows.map(({ guid }) => guid));
}
