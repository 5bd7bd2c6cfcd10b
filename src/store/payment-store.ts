// Invoices in the books with their payments, and the payments that were found.
import type { Guid, TenantName } from '../domain/ids.js';
import type { PostingState } from '../domain/posting.js';
import {
  type BookedInvoice,
  invoiceOfPayment,
  paymentGuid,
  type PaymentStore,
} from '../sync/follow-up-records.js';
import { beginFollowing, reversing } from './following-rows.js';
import type { Db, Tx } from './db.js';

type Reader = Pick<Tx, 'rows'>;

export function createPaymentStore(db: Db): PaymentStore {
  return {
    cursor: async (tenantName) => {
      const [row] = await db.rows<{ from_date: string | null; age_ms: number; seen_until: string | null }>`
        SELECT from_date, (extract(epoch FROM now() - begun_at) * 1000)::float8 AS age_ms, seen_until
        FROM payment_cursor WHERE tenant_name = ${tenantName}`;
      if (!row) return { fromDate: null, begunAgeMs: null, seenUntil: null };
      return { fromDate: row.from_date, begunAgeMs: row.age_ms, seenUntil: row.seen_until };
    },
    saveCursor: async (tenantName, fromDate) => {
      // One that goes on was begun when it was begun; a complete one has seen what had come in by then.
      await db.run`
        INSERT INTO payment_cursor AS c (tenant_name, from_date, begun_at) VALUES (${tenantName}, ${fromDate}, now())
        ON CONFLICT (tenant_name) DO UPDATE SET from_date = excluded.from_date,
          begun_at = CASE WHEN c.from_date IS NULL THEN now() ELSE c.begun_at END,
          seen_until = CASE WHEN excluded.from_date IS NULL THEN to_char(c.begun_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') ELSE c.seen_until END`;
    },
    withPayments: async (tenantName, guids) => {
      const rows = await db.rows<{ guid: Guid }>`
        SELECT d.guid FROM document d JOIN posting p ON p.document_id = d.id
        WHERE d.tenant_name = ${tenantName} AND d.kind = 'invoice' AND d.guid = ANY(${[...guids]})
          AND (p.settlement_reference IS NOT NULL OR EXISTS (
            SELECT 1 FROM document e WHERE e.tenant_name = d.tenant_name AND e.refer_guid = d.guid AND e.refer_guid <> '' AND e.kind = 'payment'))`;
      return rows.map(({ guid }) => guid);
    },
    bookedInvoices: (tenantName, guids) => bookedInvoices(db, tenantName, guids),
    begin: (tenantName, payments) =>
      beginFollowing(
        db,
        tenantName,
        'payment',
        payments.map(({ invoiceGuid, number, ...payment }) => ({
          ...payment,
          guid: paymentGuid(invoiceGuid, number),
          follows: invoiceGuid,
        })),
      ),
  };
}

interface PaymentRow {
  readonly guid: Guid;
  readonly day: string;
  readonly state: PostingState;
  readonly reason: string | null;
  readonly journal: string | null;
  readonly is_booked: boolean;
  readonly is_reversing: boolean;
  readonly is_before: boolean;
}

interface InvoiceRow {
  readonly guid: Guid;
  readonly key: string;
  readonly state: PostingState;
  readonly is_busy: boolean;
  readonly content_hash: string | null;
  readonly booked_on: string | null;
  readonly journal: string | null;
  readonly settlement: string | null;
  readonly payments: readonly PaymentRow[] | null;
}

export async function bookedInvoices(
  db: Reader,
  tenantName: TenantName,
  guids: readonly string[],
): Promise<readonly BookedInvoice[]> {
  const rows = await db.rows<InvoiceRow>`
    SELECT d.guid, p.key, p.state, p.content_hash, to_char(p.posted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS booked_on, p.journal,
      CASE WHEN p.settlement_reference IS NOT NULL THEN p.settlement END AS settlement,
      coalesce(p.lease_until > now(), false) OR ${reversing('p')} AS is_busy,
      (SELECT jsonb_agg(jsonb_build_object('guid', e.guid, 'day', e.issue_date, 'state', q.state, 'reason', q.reason,
                'journal', q.journal, 'is_booked', q.erp_reference IS NOT NULL,
                'is_reversing', coalesce(q.lease_until > now(), false) OR ${reversing('q')}, 'is_before', coalesce(q.state_since < p.posted_at, false)))
       FROM document e JOIN posting q ON q.document_id = e.id
       WHERE e.tenant_name = d.tenant_name AND e.refer_guid = d.guid AND e.refer_guid <> '' AND e.kind = 'payment') AS payments
    FROM document d JOIN posting p ON p.document_id = d.id
    WHERE d.tenant_name = ${tenantName} AND d.kind = 'invoice' AND d.guid = ANY(${[...guids]})`;
  return rows.map(toInvoice);
}

function toInvoice(row: InvoiceRow): BookedInvoice {
  const payments = (row.payments ?? []).map((payment) => ({
    number: invoiceOfPayment(payment.guid).number,
    day: payment.day,
    state: payment.state,
    reason: payment.reason,
    journal: payment.journal,
    isBooked: payment.is_booked,
    isReversing: payment.is_reversing,
    isBefore: payment.is_before,
  }));
  return {
    guid: row.guid,
    key: row.key,
    state: row.state,
    isBusy: row.is_busy,
    contentHash: row.content_hash,
    bookedOn: row.booked_on ?? '',
    journal: row.journal,
    settlement: row.settlement,
    payments: payments.toSorted((one, other) => one.number - other.number),
  };
}
