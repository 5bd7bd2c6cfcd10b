// Reports of the invoicing service: a page, and the same as a file. Asked for only when somebody has chosen a company and a report.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CodedError } from '../../domain/errors/coded-error.js';
import { errorText } from '../../language/coded.js';
import { remedyText } from '../../language/remedies.js';
import { type Report, REPORTS, mayBeEvent, type ReportRow } from '../../operations/reports/report-rows.js';
import { REPORT_ROWS_MAX, reportCsv } from '../../operations/reports/service-report.js';
import type { RouteContext } from '../route-context.js';
import { field, sendPage } from './answer.js';
import type { ServiceReport } from '../../operations/views/report.js';
import { html, type Html } from '../html.js';
import { day, money } from '../language/format.js';
import type { Visit } from '../visit.js';
import { empty, note, titleOf } from '../views/parts.js';

const VIEWER = { config: { access: 'viewer' } } as const;
const EXPORT = { config: { access: 'viewer', exports: 'report' } } as const;

export function addReports(app: FastifyInstance, context: RouteContext): void {
  app.get('/reports', VIEWER, async (request, reply) => {
    const asked = askedOf(request);
    const content = reportsContent(request.visit, asked, await readShown(request, asked));
    const { title } = request.visit.text.reports;
    return sendPage(request, reply, context, { title, here: 'reports', content });
  });

  app.get('/reports/csv', EXPORT, async (request, reply) => {
    const asked = askedOf(request);
    const report = await read(request, { ...asked, report: asked.report ?? 'sales' }, REPORT_ROWS_MAX);
    const period = report.report === 'summary' ? `-${asked.from}-${asked.to}` : '';
    const name = `${asked.tenant}-${report.report}${period}`.replaceAll(/[^\w.-]+/g, '-');
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${name}.csv"`)
      .send(reportCsv(report));
  });
}

function read({ within }: FastifyRequest, asked: ReportAsked & { readonly report: Report }, limit?: number) {
  const { tenant, report, from, to, sale } = asked;
  return within.operations.serviceReport({
    ...{ tenant, report, from, to, limit },
    ...(sale === '' ? {} : { sale }),
  });
}

/** That the service is down, or that the grant does not allow it, is an answer: the page stays, and says what to do. */
async function readShown(request: FastifyRequest, asked: ReportAsked): Promise<ReportShown | null> {
  const { tenant, report } = asked;
  if (tenant === '' || report === null) return null;
  try {
    return { outcome: 'read', report: await read(request, { ...asked, report }) };
  } catch (error) {
    if (!(error instanceof CodedError) || error.code === 'TENANT_UNKNOWN') throw error;
    const { language } = request.visit;
    // Nobody asks again by itself here: whoever looks does.
    const isLater = error.definition.disposition === 'retry';
    const remedy = isLater ? request.visit.text.reports.later : remedyText(language, error);
    return { outcome: 'failed', what: errorText(language, error), remedy };
  }
}

/** Without a period: this month so far. */
function askedOf({ query, visit }: FastifyRequest): ReportAsked {
  const today = visit.now.toISOString().slice(0, 10);
  return {
    tenant: field(query, 'tenant', 40) || (visit.tenant ?? ''),
    report: REPORTS.find((one) => one === field(query, 'report', 20)) ?? null,
    from: field(query, 'from', 10) || `${today.slice(0, 8)}01`,
    to: field(query, 'to', 10) || today,
    sale: field(query, 'sale', 64),
  };
}

// What the invoicing service knows beside documents: product sales, who comes to an event, and sums of invoices in a period.

interface ReportAsked {
  readonly tenant: string;
  /** null: nothing was asked for yet. */
  readonly report: Report | null;
  readonly from: string;
  readonly to: string;
  /** Guid of a sale; empty: every event. */
  readonly sale: string;
}

type ReportShown =
  | { readonly outcome: 'read'; readonly report: ServiceReport }
  | { readonly outcome: 'failed'; readonly what: string; readonly remedy: string };

/** What fits on a page; the file has every column. */
const COLUMNS = {
  sales: ['name', 'type', 'status', 'amount', 'in_stock'],
  attendees: [
    'sale_name',
    'name',
    'kennitala',
    'phone_number',
    'qty',
    'invoice_number',
    'invoice_status',
    'attended',
    'fields',
  ],
  summary: ['status', 'count', 'currency', 'total'],
} as const satisfies Record<Report, readonly string[]>;
const NUMBERS: ReadonlySet<string> = new Set(['amount', 'in_stock', 'qty', 'count', 'total']);

function reportsContent(visit: Visit, asked: ReportAsked, shown: ReportShown | null): Html {
  const { reports: text } = visit.text;
  return html`<h1>${text.title}</h1>
    <p class="dim">${text.intro}</p>
    ${askForm(visit, asked)} ${answerPart(visit, asked, shown)}`;
}

function askForm(visit: Visit, { tenant, report, from, to }: ReportAsked): Html {
  const { reports: text, overview } = visit.text;
  return html`<form class="filters" method="get" action="/reports">
    <label
      >${overview.tenant}<select name="tenant" required>
        ${(visit.overview?.tenants ?? []).map(
          ({ name, title }) =>
            html`<option value="${name}" ${name === tenant && html`selected`}>${title}</option>`,
        )}
      </select></label
    >
    <label
      >${text.report}<select name="report">
        ${REPORTS.map((one) => html`<option value="${one}" ${one === report && html`selected`}>${text.names[one]}</option>`)}
      </select></label
    >
    <label>${text.from}<input type="date" name="from" value="${from}" required /></label>
    <label>${text.to}<input type="date" name="to" value="${to}" required /></label>
    <button class="primary" type="submit">${text.show}</button>
  </form>`;
}

function answerPart(visit: Visit, asked: ReportAsked, shown: ReportShown | null): Html {
  const { reports: text } = visit.text;
  if (shown === null) return empty(text.choose, text.chooseMore);
  if (shown.outcome === 'failed') return note('error', html`${shown.what} ${shown.remedy}`);
  return tablePart(visit, asked, shown.report);
}

function tablePart(visit: Visit, asked: ReportAsked, report: ServiceReport): Html {
  const { reports: text } = visit.text;
  const period = report.report === 'summary' ? ` · ${day(asked.from)} – ${day(asked.to)}` : '';
  return html`<h2>${text.names[report.report]} · ${titleOf(visit, report.tenantName)}${period}</h2>
    ${report.report !== 'summary' && html`<p class="dim">${text.noPeriod}</p>`}
    ${report.problems.length > 0 && note('error', text.unreadable(report.problems.length))}
    ${!report.isWhole && note('info', text.more(report.rows.length))}
    ${
      isNothing(report)
        ? empty(text.nothing, text.nothingMore[report.report])
        : html`<p class="acts"><a class="button" href="${csvPath(asked)}">${text.download}</a></p>
            ${rowsTable(visit, report)}`
    }`;
}

/** The service sums up nothing as well: a row that says 0. */
function isNothing({ report, rows }: ServiceReport): boolean {
  return rows.length === 0 || (report === 'summary' && rows.every((row) => row['count'] === '0'));
}

function csvPath({ tenant, report, from, to, sale }: ReportAsked): string {
  const asked = new URLSearchParams({
    tenant,
    report: report ?? '',
    from,
    to,
    ...(sale === '' ? {} : { sale }),
  });
  return `/reports/csv?${asked.toString()}`;
}

function rowsTable(visit: Visit, { report, rows, tenantName }: ServiceReport): Html {
  const { reports: text } = visit.text;
  const columns: readonly (keyof typeof text.columns)[] = COLUMNS[report];
  const look = (column: string) => (NUMBERS.has(column) ? 'num' : column === columns[0] ? 'at-a' : '');
  // On a phone there is no head: each value says what it is.
  const label = (row: ReportRow, column: keyof typeof text.columns) =>
    column === columns[0] || !row[column] ? null : text.columns[column];
  const value = (row: ReportRow, column: keyof typeof text.columns) =>
    html`<td class="${look(column)}" data-label="${label(row, column)}">
      ${cell(visit, tenantName, column, row)}
    </td>`;
  return html`<table class="journal rows">
    <thead>
      <tr>
        ${columns.map((column) => html`<th class="${look(column)}">${text.columns[column]}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${columns.map((column) => value(row, column))}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function cell(visit: Visit, tenant: string, column: string, row: ReportRow): Html | string {
  const { reports: text } = visit.text;
  const value = row[column] ?? '';
  const statuses: Readonly<Record<string, string>> = text.statuses;
  // Those of sums are words of the service; one that is not known here stands as it came.
  if (column === 'status') return statuses[value] ?? value;
  if (column === 'attended') return value === 'true' ? text.came : text.didNotCome;
  if ((column === 'total' || column === 'amount') && value !== '')
    return money(value, row['currency'] ?? 'ISK');
  // Who comes is one question further.
  if (column === 'name' && mayBeEvent(row['type'] ?? '')) {
    const asked = new URLSearchParams({ tenant, report: 'attendees', sale: row['guid'] ?? '' });
    return html`<a href="/reports?${asked.toString()}">${value}</a>`;
  }
  return value;
}
