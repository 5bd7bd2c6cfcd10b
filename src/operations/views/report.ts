// A report of the invoicing service, as people see it.
import * as z from 'zod';
import { REPORTS } from '../reports/report-rows.js';

export const serviceReport = z
  .object({
    tenantName: z.string(),
    report: z.enum(REPORTS),
    columns: z.array(z.string()),
    rows: z.array(z.record(z.string(), z.string())).describe('One value a column, as text.'),
    isWhole: z.boolean().describe('false: there are more.'),
    problems: z.array(z.string()).describe('Records that the service lists and that cannot be read.'),
  })
  .meta({ id: 'ServiceReport' });
export type ServiceReport = z.output<typeof serviceReport>;
