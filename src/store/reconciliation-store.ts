// The local side of a reconciliation, in pages.
import type { Guid, TenantName } from '../domain/ids.js';
import { settlementKey } from '../domain/posting-key.js';
import type { BookedKind } from '../domain/source-document.js';
import type { LocalPosting, ReconciliationReport, ReconciliationStore } from '../sync/reconcile.js';
import { newId } from './ids.js';
import { openIncident } from './incidents.js';
import { storable } from './storable.js';
import { type Db, sql } from './db.js';

export interface ReconciliationRecords extends ReconciliationStore {
  saveReport(report: ReconciliationReport, startedAt: Date): Promise<void>;
}

interface Row {
  id: string;
  key: string;
  kind: BookedKind;
  guid: Guid;
  number: string;
  state: string;
  total: string | null;
  erp_number: string | null;
  issue_date: string;
  is_booked: boolean;
  has_settlement: boolean;
  is_member: boolean;
}

interface PartRow extends Row {
  /** Under which it was asked for; null: its own. */
  asked: string | null;
}

const COLUMNS = sql`p.id, p.key, p.kind, d.guid, d.number, p.state, p.total_isk::text AS total, p.erp_number, d.issue_date,
  p.erp_reference IS NOT NULL AS is_booked,
  p.settlement_reference IS NOT NULL AS has_settlement,
  EXISTS (SELECT 1 FROM summary_member s WHERE s.posting_id = p.id AND s.generation = p.generation) AS is_member`;

export function createReconciliationStore(db: Db): ReconciliationRecords {
  return {
    postedIn: async (tenantName, from, to, afterKey, limit) => {
      const rows = await db.rows<Row>`
        SELECT ${COLUMNS} FROM posting p JOIN document d ON d.id = p.document_id
        WHERE p.tenant_name = ${tenantName} AND p.posting_date BETWEEN ${from} AND ${to} AND p.erp_reference IS NOT NULL
          AND p.state <> 'reversed' AND p.key > ${afterKey}
          -- Booked by hand and marked so: such an entry stands under no key of ours.
          AND NOT EXISTS (SELECT 1 FROM audit_entry a WHERE a.subject = p.id::text AND a.action = 'posting.marked-posted-elsewhere')
        ORDER BY p.key LIMIT ${limit}`;
      return rows.map(toLocal);
    },
    byKeys: async (tenantName, keys) => {
      // A settlement's key cannot be turned back into its document's, so all settled ones of these days are asked for.
      // The part of a document in the journal of its day is undone by an entry that stands for itself.
      const rows = await db.rows<PartRow>`
        SELECT ${COLUMNS}, a.key AS asked FROM posting p JOIN document d ON d.id = p.document_id
          LEFT JOIN attempt a ON a.posting_id = p.id AND a.part IN ('settlement', 'reversal') AND a.key = ANY(${[...keys]})
        WHERE p.tenant_name = ${tenantName} AND (p.key = ANY(${[...keys]}) OR p.id IN (
          SELECT posting_id FROM attempt WHERE part IN ('settlement', 'reversal') AND key = ANY(${[...keys]})))`;
      const found = new Map<string, LocalPosting>();
      for (const row of rows) {
        const local = toLocal(row);
        found.set(local.key, local);
        if (local.settlementKey !== null) found.set(local.settlementKey, local);
        if (row.asked !== null) found.set(row.asked, local);
      }
      return found;
    },
    countsByStatus: async (tenantName, kind, from, to) => {
      const rows = await db.rows<{ source_status: string; count: number }>`
        SELECT source_status, count(*)::int AS count FROM document
        WHERE tenant_name = ${tenantName} AND kind = ${kind} AND issue_date BETWEEN ${from} AND ${to} GROUP BY source_status`;
      return new Map(rows.map((row) => [row.source_status, row.count]));
    },
    creditedInvoices: (tenantName, guids) => creditedInvoices(db, tenantName, guids),
    openIncident: (tenantName, incident) => db.tx((tx) => openIncident(tx, { tenantName }, incident)),
    saveReport: async (report, startedAt) => {
      await db.run`
        INSERT INTO reconciliation_run (id, tenant_name, from_date, to_date, started_at, finished_at, clean, report)
        VALUES (${newId()}::uuid, ${report.tenant}, ${report.from}, ${report.to}, ${startedAt}, ${new Date()}, ${report.clean},
                ${JSON.stringify(storable(report))})`;
    },
  };
}

function toLocal(row: Row): LocalPosting {
  return {
    id: row.id,
    key: row.key,
    isMember: row.is_member,
    settlementKey: row.has_settlement ? settlementKey(row.key) : null,
    kind: row.kind,
    guid: row.guid,
    number: row.number,
    state: row.state,
    totalIsk: row.total,
    issueDate: row.issue_date,
    isBooked: row.is_booked,
    reference: row.erp_number,
  };
}

// Which invoices a credit note takes back: one that is in the books, or on its way there.

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
