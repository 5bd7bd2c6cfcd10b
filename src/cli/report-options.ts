// Which reports of the service there are, without what reads them.
import type { TenantOptions } from './tenant-files.js';

export const REPORTS = ['sales', 'attendees', 'summary'] as const;
export type Report = (typeof REPORTS)[number];

export function isReport(what: string): what is Report {
  return (REPORTS as readonly string[]).includes(what);
}

export interface ReportOptions extends TenantOptions {
  readonly from?: string;
  readonly to?: string;
  readonly sale?: string;
  readonly format: string;
}
