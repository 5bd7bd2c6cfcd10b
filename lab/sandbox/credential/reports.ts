// Document 1, Dashboard and summaries.
import { json } from '../http/reply.js';
import { readPeriod, summarise } from '../service/summaries.js';
import { dashboardInvoiceOnWire } from '../wire/documents.js';
import { openPage, succeedWithList, type Answer } from './call.js';

export const postGetDashboardData: Answer = (call) => {
  const page = openPage(call);
  const rows = call.account.invoices.page({
    ...{ statuses: null, filterBy: 'issue', sortBy: 'issue', descending: true },
    from: call.fields.date('start_date'),
    to: call.fields.date('end_date'),
    where: (invoice) => invoice.status !== 'Draft',
    ...page,
  });
  return succeedWithList(call, rows, page, (row) => dashboardInvoiceOnWire(call.account, row));
};

/** Its fields stand at the top, not inside `result`. */
export const getInvoiceSummaries: Answer = (call) =>
  json(200, summarise(call.account, readPeriod(call.fields)));
