// `ledgerbridge export sales|attendees|summary`: what the invoicing service knows beside documents, read now and kept nowhere.
import { CodedError } from '../domain/errors/coded-error.js';
import { message } from '../language/messages.js';
import { coded } from '../language/coded.js';
import { isCalendarDay } from '../domain/calendar-day.js';
import {
  type Attendee,
  connectReports,
  type ProductSale,
  type ServiceReports,
} from '../invoicing/service-reports.js';
import { csvLine } from '../operations/export.js';
import type { CliIo } from './command.js';
import { EXIT } from './exit-codes.js';
import { withSource } from './source-connection.js';
import type { Report, ReportOptions } from './report-options.js';

type Row = Readonly<Record<string, string>>;

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
      await write(io, rowsOf(reports, report, options), options.format);
    } finally {
      await reports.close();
    }
  });
  if (problems > 0) io.setExitCode(EXIT.problems);
}

/** The head of a table is known before its first row: an empty one has it too. */
interface Table {
  readonly columns: readonly string[];
  readonly rows: AsyncGenerator<Row>;
}

function rowsOf(reports: ServiceReports, report: Report, options: ReportOptions): Table {
  switch (report) {
    case 'sales':
      return { columns: SALE_COLUMNS, rows: sales(reports) };
    case 'attendees':
      return { columns: ATTENDEE_COLUMNS, rows: attendees(reports, options.sale) };
    case 'summary':
      return { columns: SUMMARY_COLUMNS, rows: summary(reports, options) };
  }
}

async function write(io: CliIo, { columns, rows }: Table, format: string): Promise<void> {
  if (format === 'csv') io.out(csvLine(columns));
  for await (const row of rows)
    io.out(format === 'csv' ? csvLine(columns.map((name) => row[name] ?? '')) : `${JSON.stringify(row)}\n`);
}

const SALE_COLUMNS = [
  'guid',
  'name',
  'type',
  'status',
  'is_open',
  'amount',
  'in_stock',
  'url',
  'description',
];

async function* sales(reports: ServiceReports): AsyncGenerator<Row> {
  for await (const sale of reports.sales())
    yield {
      guid: sale.guid,
      name: sale.name,
      type: sale.type,
      status: sale.status,
      is_open: String(sale.is_open),
      amount: sale.amount.toFixed(),
      in_stock: sale.inventory_control ? sale.inventory_count : '',
      url: sale.url,
      description: sale.description,
    };
}

const ATTENDEE_COLUMNS = [
  'sale',
  'sale_name',
  'attendee',
  'phone_number',
  'qty',
  'invoice_number',
  'invoice_status',
  'kennitala',
  'name',
  'address',
  'zip',
  'city',
  'attended',
  'message',
  'fields',
];

/** Of one sale, or of every event. */
async function* attendees(reports: ServiceReports, only: string | undefined): AsyncGenerator<Row> {
  let isFound = false;
  for await (const sale of reports.sales()) {
    if (only !== undefined && only !== sale.guid) continue;
    isFound = true;
    if (isOtherThanEvent(sale) && only === undefined) continue;
    yield* attendeesOf(reports, sale, only === undefined);
  }
  if (only !== undefined && !isFound)
    throw new CodedError('QUERY_INVALID', `The service lists no sale ${only}; \`export sales\` shows all.`);
}

/** Document 2 names the types. Document 1 has numbers for them and does not say which: there the service itself is asked. */
function isOtherThanEvent({ type }: ProductSale): boolean {
  return type !== 'EVENT' && !/^\d+$/.test(type);
}

async function* attendeesOf(
  reports: ServiceReports,
  sale: ProductSale,
  isAsking: boolean,
): AsyncGenerator<Row> {
  const named = { sale: sale.guid, sale_name: sale.name };
  try {
    for await (const attendee of reports.attendees(sale.guid)) yield { ...named, ...rowOf(attendee) };
  } catch (error) {
    const isNoEvent = error instanceof CodedError && error.code === 'SOURCE_REFUSED' && sale.type !== 'EVENT';
    if (isNoEvent && isAsking) return;
    throw isNoEvent
      ? new CodedError(
          'QUERY_INVALID',
          `"${sale.name}" is no event; only events have attendees. ${error.message}`,
        )
      : error;
  }
}

function rowOf({ qty, attended, fields, ...texts }: Attendee): Row {
  return { ...texts, qty: String(qty), attended: String(attended), fields: fieldsText(fields) };
}

/** `label: value` of what the seller asks for; whatever has another form is shown as it came. */
function fieldsText(fields: unknown): string {
  if (!Array.isArray(fields)) return fields === null || fields === undefined ? '' : JSON.stringify(fields);
  const isField = (one: unknown): one is { label: unknown; value: unknown } =>
    typeof one === 'object' && one !== null && 'label' in one && 'value' in one;
  return fields
    .map((one: unknown) =>
      isField(one) ? `${String(one.label)}: ${String(one.value)}` : JSON.stringify(one),
    )
    .join('; ');
}

const SUMMARY_COLUMNS = ['from', 'to', 'status', 'count', 'currency', 'total'];

async function* summary(reports: ServiceReports, { from, to }: ReportOptions): AsyncGenerator<Row> {
  if (from === undefined || to === undefined || !isCalendarDay(from) || !isCalendarDay(to) || from > to)
    throw coded('QUERY_INVALID', message('GIVE_A_PERIOD'));
  const { period, summaries } = await reports.summary(from, to);
  for (const { status, count, amounts } of summaries) {
    const told = amounts.length > 0 ? amounts : [{ currency: '', total: null }];
    for (const { currency, total } of told)
      yield { ...period, status, count: String(count), currency, total: total?.toFixed() ?? '' };
  }
}
