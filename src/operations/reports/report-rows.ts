// What the invoicing service knows beside documents, as tables: the command line, the API and the pages show the same columns.
import { isCalendarDay } from '../../domain/local-time.js';
import { CodedError } from '../../domain/errors/coded-error.js';
import type { Attendee, ProductSale, ServiceReports } from '../../service/service-reports.js';
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';

export const REPORTS = ['sales', 'attendees', 'summary'] as const;
export type Report = (typeof REPORTS)[number];
export type ReportRow = Readonly<Record<string, string>>;
type Row = ReportRow;

export interface ReportAsk {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Guid of one sale; otherwise every event. */
  readonly sale?: string | undefined;
}

/** The head of a table is known before its first row: an empty one has it too. */
export interface ReportTable {
  readonly columns: readonly string[];
  readonly rows: AsyncGenerator<Row>;
}

export function reportTable(reports: ServiceReports, report: Report, options: ReportAsk): ReportTable {
  switch (report) {
    case 'sales':
      return { columns: SALE_COLUMNS, rows: sales(reports) };
    case 'attendees':
      return { columns: ATTENDEE_COLUMNS, rows: attendees(reports, options.sale) };
    case 'summary':
      return { columns: SUMMARY_COLUMNS, rows: summary(reports, options) };
  }
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
    if (!mayBeEvent(sale.type) && only === undefined) continue;
    yield* attendeesOf(reports, sale, only === undefined);
  }
  if (only !== undefined && !isFound) throw coded('QUERY_INVALID', message('NO_SUCH_SALE', { sale: only }));
}

/** Document 2 names the types. Document 1 has numbers for them and does not say which: there the service itself is asked. */
export function mayBeEvent(type: string): boolean {
  return type === 'EVENT' || /^\d+$/.test(type);
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
      ? coded('QUERY_INVALID', message('SALE_IS_NO_EVENT', { name: sale.name, answer: error.message }))
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

async function* summary(reports: ServiceReports, { from, to }: ReportAsk): AsyncGenerator<Row> {
  if (from === undefined || to === undefined || !isCalendarDay(from) || !isCalendarDay(to) || from > to)
    throw coded('QUERY_INVALID', message('GIVE_A_PERIOD'));
  const { period, summaries } = await reports.summary(from, to);
  for (const { status, count, amounts } of summaries) {
    const told = amounts.length > 0 ? amounts : [{ currency: '', total: null }];
    for (const { currency, total } of told)
      yield { ...period, status, count: String(count), currency, total: total?.toFixed() ?? '' };
  }
}
