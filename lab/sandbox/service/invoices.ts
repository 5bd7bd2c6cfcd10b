// What happens to an invoice after it exists: bookkeeping's status, and payment.
import { INVOICE_ACCOUNTING_STATUSES, WRITABLE_ACCOUNTING_STATUSES, type Invoice } from '../model.js';
import type { Account } from './account.js';
import type { DataObject } from './data-object.js';
import type { DocumentQuery } from './document-index.js';
import { markPaid } from './invoice-create.js';
import { Refusal } from './refusal.js';

export const ACCOUNTING_MESSAGE_MAX = 500;

export function invoiceOf(account: Account, guid: string): Invoice {
  const invoice = account.invoices.get(guid);
  if (invoice === undefined) throw new Refusal('unknown-record', 'No invoice found');
  return invoice;
}

/** "Created → Posted (terminal, locked), Skipped or Error"; whether the last two can change again is a choice. */
export function updateInvoiceStatus(
  account: Account,
  guid: string,
  data: DataObject,
  messageMax: number,
): Invoice {
  const invoice = invoiceOf(account, guid);
  const foreign = data.keys().find((key) => key !== 'accounting_status' && key !== 'accounting_message');
  if (foreign !== undefined)
    throw new Refusal(
      'invoice-update-fields',
      `Field ${foreign} cannot be updated, only accounting_status can`,
    );
  const status = data.text('accounting_status');
  const wanted = WRITABLE_ACCOUNTING_STATUSES.find((value) => value === status);
  if (wanted === undefined)
    throw new Refusal('accounting-status-value', 'Accounting status must be one of: Posted, Skipped, Error');
  const message = data.text('accounting_message');
  if (characters(message) > messageMax)
    throw new Refusal('accounting-message-length', `accounting_message has at most ${messageMax} characters`);
  if (invoice.accounting_status === 'Posted')
    throw new Refusal('invoice-locked', 'This invoice is Posted and cannot be changed');
  if (invoice.accounting_status !== 'Created' && !mayChangeAgain(account, invoice))
    throw new Refusal('invoice-locked', 'Only invoices with accounting_status Created can be updated');
  account.invoices.change(invoice, () => {
    invoice.accounting_status = wanted;
    invoice.accounting_message = message;
    invoice.updated_timestamp = account.service.clock.timestamp();
  });
  account.service.onStatus?.(invoice.guid, wanted);
  return invoice;
}

/** Code points: the unit of "500 characters" is not stated, and this is what a person counts, nearly. */
export function characters(text: string): number {
  return Array.from(text).length;
}

function mayChangeAgain(account: Account, invoice: Invoice): boolean {
  return invoice.accounting_status !== null && account.service.choices.invoiceErrorCanChange;
}

/** do-paid-invoice: an active claim is cancelled, and when that fails the call fails. */
export function payInvoice(account: Account, guid: string, claimCancellationFails: boolean): void {
  const invoice = account.invoices.get(guid);
  if (invoice === undefined) throw new Refusal('unknown-record', 'Invoice not found');
  if (invoice.type !== 'invoice' || (invoice.status !== 'Sent' && invoice.status !== 'Collection'))
    throw new Refusal('invoice-not-changeable', 'Invoice cannot be changed');
  if (invoice.claim_status === 'sent') {
    if (claimCancellationFails) throw new Refusal('invoice-not-changeable', 'Claim cancellation failed');
    invoice.claim_status = 'cancel';
  }
  markPaid(invoice, null);
  invoice.updated_timestamp = account.service.clock.timestamp();
}

export interface DocumentFilter {
  readonly accountingStatus: string;
  readonly dateFilter: 'issue' | 'created';
  readonly from: string | null;
  readonly to: string | null;
}

export function invoiceQuery(filter: DocumentFilter): DocumentQuery<Invoice> {
  return {
    statuses: readStatuses(filter.accountingStatus, INVOICE_ACCOUNTING_STATUSES),
    filterBy: filter.dateFilter,
    from: filter.from,
    to: filter.to,
  };
}

/** Errors 3: a value outside the list is HTTP 400, unlike other handled failures. */
export function readStatuses(text: string, allowed: readonly string[]): readonly string[] | null {
  const wanted = text
    .split(',')
    .map((status) => status.trim())
    .filter((status) => status !== '');
  if (wanted.length === 0) return null;
  const foreign = wanted.find((status) => !allowed.includes(status));
  if (foreign !== undefined)
    throw new Refusal('accounting-status-filter', `accounting_status must be one of: ${allowed.join(', ')}`, {
      http: 400,
      errorCode: 'invalid_accounting_status',
    });
  return wanted;
}
