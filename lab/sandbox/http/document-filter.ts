// The filters and orders that invoice and cost lists share on both surfaces.
import type { DataObject } from '../service/data-object.js';
import type { DateField } from '../service/document-index.js';
import type { DocumentFilter } from '../service/invoices.js';
import type { CostFilter } from '../service/costs.js';

export function invoiceFilter(fields: DataObject): DocumentFilter {
  const dateFilter = fields.oneOf('date_filter', ['issue_date', 'created_date'], 'issue_date');
  return { ...common(fields), dateFilter: dateFilter === 'issue_date' ? 'issue' : 'created' };
}

export function costFilter(fields: DataObject): CostFilter {
  const dateFilter = fields.oneOf('date_filter', ['date', 'created_date'], 'date');
  return {
    ...common(fields),
    dateFilter: dateFilter === 'date' ? 'issue' : 'created',
    type: fields.text('type'),
    supplierId: fields.text('supplier_id'),
  };
}

function common(fields: DataObject) {
  return {
    accountingStatus: fields.text('accounting_status'),
    from: fields.date('from_date'),
    to: fields.date('to_date'),
  };
}

export interface SortOrder {
  readonly sortBy: DateField;
  readonly descending: boolean;
}

const SORTS = {
  date_desc: { sortBy: 'issue', descending: true },
  date_asc: { sortBy: 'issue', descending: false },
  created_desc: { sortBy: 'created', descending: true },
  created_asc: { sortBy: 'created', descending: false },
} as const satisfies Record<string, SortOrder>;

export function sortOrder(fields: DataObject): SortOrder {
  return SORTS[fields.oneOf('sort', ['date_desc', 'date_asc', 'created_desc', 'created_asc'], 'date_desc')];
}
