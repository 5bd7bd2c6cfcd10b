// Reports of the invoicing service: read there now, kept nowhere.
import * as z from 'zod';
import { REPORTS } from '../../operations/reports/report-rows.js';
import { serviceReport } from '../../operations/views/report.js';
import { type Route, route } from '../route.js';
import { tenantName } from './fields.js';

const day = z.iso.date().optional();

export const SERVICE_REPORTS: readonly Route[] = [
  route('get', '/tenants/{tenant}/reports/{report}', {
    summary: 'Product sales, attendees of events, or sums of invoices, as the service has them now',
    tag: 'Reports',
    params: z.object({ tenant: tenantName, report: z.enum(REPORTS) }),
    query: z.strictObject({
      from: day.describe('For the summary: both days are needed.'),
      to: day,
      sale: z.string().max(64).optional().describe('Attendees of this sale alone; otherwise of every event.'),
      limit: z.coerce.number().int().min(1).max(10_000).optional(),
    }),
    response: serviceReport,
    exports: 'report',
    handle: ({ operations, params, query }) => operations.serviceReport({ ...params, ...query }),
  }),
];
