// A report of the invoicing service, read now and kept nowhere. What the grant of the tenant does not allow is not asked for: the client
// refuses such a call before it leaves.
import type { TenantName } from '../../domain/ids.js';
import { csvLine } from '../export.js';
import type { OperationsDeps } from '../deps.js';
import { unknownTenant } from '../known-tenant.js';
import type { ServiceReport } from '../views/report.js';
import { type Report, type ReportAsk, type ReportRow, reportTable } from './report-rows.js';

export interface ServiceReportAsk extends ReportAsk {
  readonly tenant: TenantName;
  readonly report: Report;
  readonly limit?: number | undefined;
}

export interface OnReports {
  serviceReport(ask: ServiceReportAsk): Promise<ServiceReport>;
}

const LIMIT = 500;
/** As many as the service is read for. */
export const REPORT_ROWS_MAX = 100_000;
const PROBLEMS_MAX = 100;

export function onReports(deps: OperationsDeps): OnReports {
  return {
    serviceReport: async ({ tenant, report, limit = LIMIT, ...ask }) => {
      if (deps.connections.tenant(tenant) === null) throw unknownTenant(tenant, deps.connections.names());
      const problems: string[] = [];
      const reports = await deps.outgoing.reports(tenant, (problem) => {
        if (problems.length < PROBLEMS_MAX) problems.push(problem);
      });
      try {
        const { columns, rows: listed } = reportTable(reports, report, ask);
        const rows: ReportRow[] = [];
        let isWhole = true;
        for await (const row of listed) {
          isWhole = rows.length < Math.min(limit, REPORT_ROWS_MAX);
          if (!isWhole) break;
          rows.push(row);
        }
        return { tenantName: tenant, report, columns: [...columns], rows, isWhole, problems };
      } finally {
        await reports.close();
      }
    },
  };
}

export function reportCsv({ columns, rows }: Pick<ServiceReport, 'columns' | 'rows'>): string {
  return [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))].map(csvLine).join('');
}
