// An invoice that was cancelled at the service after it was booked is a difference until a credit note takes it back, which is booked or on
// its way into the books. One rule for reconciliations, certificates and their list.
import type { Guid, TenantName } from '../../domain/ids.js';

export interface CreditNoteReader {
  /** Which of these invoices a credit note refers to that is on record, was not deleted, and was not decided to stay out of the books. */
  creditedInvoices(tenantName: TenantName, guids: readonly Guid[]): Promise<ReadonlySet<Guid>>;
}

/** `status`: of the invoice at the service. */
export function isCancelled(status: string | undefined): boolean {
  return status === 'Cancelled';
}

/** `cancelled`: in the books, and shown as cancelled by the service. */
export async function findUnanswered<Invoice extends { readonly guid: Guid }>(
  reader: CreditNoteReader,
  tenantName: TenantName,
  cancelled: readonly Invoice[],
): Promise<Invoice[]> {
  if (cancelled.length === 0) return [];
  const credited = await reader.creditedInvoices(
    tenantName,
    cancelled.map(({ guid }) => guid),
  );
  return cancelled.filter(({ guid }) => !credited.has(guid));
}
