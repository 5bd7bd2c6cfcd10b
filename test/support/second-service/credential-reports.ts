import { enveloped, get, post, type Endpoints } from './endpoint.js';
import { isWithin, takePage } from './paging.js';
import { dashboardShape, summarise } from './reports.js';

/** Nothing is ever sold here: product sales are empty, which is legal. */
export const CREDENTIAL_REPORTS: Endpoints = {
  'get-dashboard-data': post(({ world, body }) => {
    const period = { from: body.maybeDate('start_date'), to: body.maybeDate('end_date') };
    const found = world.invoices.filter((invoice) => isWithin(invoice.issueDate, period));
    return enveloped(takePage(found, body).things.map(dashboardShape));
  }),
  'invoice-summaries': get(({ world, query }) => summarise(world, query)),
  'get-product-sales': get(({ query }) => {
    query.maybeText('search_text');
    return enveloped([], { page: query.maybeWhole('page') ?? 1, total: 0 });
  }),
  'get-count-product-sales': get(() => enveloped(0)),
};
