// `ledgerbridge export sales|attendees|summary`: what the invoicing service knows beside documents, read now and kept nowhere.
import { CodedError } from '../domain/errors/coded-error.js';
import { connectReports } from '../service/service-reports.js';
import { csvLine } from '../operations/export.js';
import { type ReportTable, reportTable } from '../operations/reports/report-rows.js';
import type { CliIo } from './command.js';
import { EXIT } from './exit-codes.js';
import { withSource } from './source-connection.js';
import type { Report, ReportOptions } from './report-options.js';

export async function exportReport(
  io: CliIo,
  report: Report,
  tenant: string,
  options: ReportOptions,
): Promise<void> {
  if (options.format !== 'csv' && options.format !== 'json')
    throw new CodedError('QUERY_INVALID', `${report} goes as csv or json.`);
  let problems = 0;
  await withSource(io, tenant, options, async ({ settings, services }) => {
    const reports = connectReports(settings, services, (problem) => {
      problems++;
      io.err(`left out: ${problem}\n`);
    });
    try {
      await write(io, reportTable(reports, report, options), options.format);
    } finally {
      await reports.close();
    }
  });
  if (problems > 0) io.setExitCode(EXIT.problems);
}

async function write(io: CliIo, { columns, rows }: ReportTable, format: string): Promise<void> {
  if (format === 'csv') io.out(csvLine(columns));
  for await (const row of rows)
    io.out(format === 'csv' ? csvLine(columns.map((name) => row[name] ?? '')) : `${JSON.stringify(row)}\n`);
}
