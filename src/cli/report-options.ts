// Which reports of the service there are, without what reads them.
import type { Report } from '../operations/reports/report-rows.js';
import type { TenantOptions } from './tenant-files.js';

export const REPORTS = ['sales', 'attendees', 'summary'] as const satisfies readonly Report[];
export type { Report };

export function isReport(what: string): what is Report {
  return (REPORTS as readonly string[]).includes(what);
}

export interface ReportOptions extends TenantOptions {
  readonly from?: string;
  readonly to?: string;
  readonly sale?: string;
  readonly format: string;
}
