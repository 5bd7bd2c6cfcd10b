// Documents at a glance, for people and tests: newest first, with what bookkeeping said about them.
import type { Cost, Invoice } from '../model.js';
import type { Account } from '../service/account.js';

export type DocumentKind = 'invoice' | 'cost';

export interface DocumentOverview {
  readonly kind: DocumentKind;
  readonly guid: string;
  readonly number: string;
  readonly counterparty: string;
  readonly description: string;
  readonly amount: number;
  readonly currency: string;
  readonly issueDate: string;
  readonly status: string;
  readonly accountingStatus: string | null;
  readonly accountingMessage: string;
  readonly updatedTimestamp: string;
}

export interface DocumentsFilter {
  readonly kind: DocumentKind;
  readonly accountingStatus?: string;
  readonly limit?: number;
}

export function overviews(account: Account, filter: DocumentsFilter): DocumentOverview[] {
  const query = {
    statuses: filter.accountingStatus === undefined ? null : [filter.accountingStatus],
    filterBy: 'created',
    sortBy: 'created',
    descending: true,
    from: null,
    to: null,
    offset: 0,
    limit: filter.limit ?? null,
  } as const;
  return filter.kind === 'invoice'
    ? account.invoices.page(query).map(invoiceOverview)
    : account.costs.page(query).map(costOverview);
}

function invoiceOverview(invoice: Invoice): DocumentOverview {
  return {
    kind: 'invoice',
    guid: invoice.guid,
    number: invoice.number,
    counterparty: invoice.customer.name,
    description: invoice.description,
    amount: invoice.amount / 100,
    currency: invoice.currency,
    issueDate: invoice.issue_date,
    status: invoice.type === 'credit' ? `Credit note, ${invoice.status}` : invoice.status,
    accountingStatus: invoice.accounting_status,
    accountingMessage: invoice.accounting_message,
    updatedTimestamp: invoice.updated_timestamp,
  };
}

function costOverview(cost: Cost): DocumentOverview {
  return {
    kind: 'cost',
    guid: cost.guid,
    number: cost.supplier_invoice_number,
    counterparty: cost.supplier_name,
    description: cost.description,
    amount: cost.amount / 100,
    currency: cost.currency,
    issueDate: cost.issue_date,
    status: cost.credit_note ? 'Credit note' : 'Cost',
    accountingStatus: cost.accounting_status,
    accountingMessage: cost.accounting_message,
    updatedTimestamp: cost.updated_timestamp,
  };
}
