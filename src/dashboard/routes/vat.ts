// The VAT return: a page, and the same as a file.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { vatPdf } from '../../operations/vat/pdf.js';
import { vatPeriod } from '../../operations/vat/period.js';
import { vatCsv, vatJson } from '../../operations/vat/write.js';
import type { VatReport } from '../../operations/views/vat.js';
import type { RouteContext } from '../route-context.js';
import { field, sendPage } from './answer.js';
import { html, type Html } from '../html.js';
import { count, day, money } from '../language/format.js';
import type { Visit } from '../visit.js';
import { amount, empty, note, stateChip, titleOf } from '../views/parts.js';

const VIEWER = { config: { access: 'viewer' } } as const;
const EXPORT = { config: { access: 'viewer', exports: 'vat' } } as const;

export function addVat(app: FastifyInstance, context: RouteContext): void {
  const read = ({ within }: FastifyRequest, { tenant, period, code }: VatAsked) =>
    within.operations.vatReport({ tenant, ...vatPeriod(period), ...(code === '' ? {} : { code }) });

  app.get('/vat', VIEWER, async (request, reply) => {
    const asked = askedOf(request);
    const isAsked = field(request.query, 'period', 40) !== '' && asked.tenant !== '';
    const content = vatContent(request.visit, asked, isAsked ? await read(request, asked) : null);
    const { title } = request.visit.text.vat;
    return sendPage(request, reply, context, { title, here: 'vat', content });
  });

  for (const [format, type, written] of FILES) {
    app.get(`/vat/${format}`, EXPORT, async (request, reply) => {
      const asked = askedOf(request);
      const body = await written(await read(request, asked));
      const name = `${asked.tenant}-vat-${asked.period}`.replaceAll(/[^\w.-]+/g, '-');
      return reply
        .type(type)
        .header('content-disposition', `attachment; filename="${name}.${format}"`)
        .send(body);
    });
  }
}

const FILES: readonly (readonly [string, string, (report: VatReport) => string | Promise<Buffer>])[] = [
  ['csv', 'text/csv; charset=utf-8', vatCsv],
  ['json', 'application/json; charset=utf-8', vatJson],
  ['pdf', 'application/pdf', vatPdf],
];

/** Without a period: the two months before this one's pair, which is the return that is due. */
function askedOf({ query, visit }: FastifyRequest): VatAsked {
  const tenant = field(query, 'tenant', 40) || (visit.tenant ?? '');
  return { tenant, period: field(query, 'period', 40) || dueNow(visit.now), code: field(query, 'code', 60) };
}

function dueNow(now: Date): string {
  const first = new Date(Date.UTC(now.getUTCFullYear(), Math.floor(now.getUTCMonth() / 2) * 2 - 2, 1));
  const month = (number: number) => String(number).padStart(2, '0');
  return `${String(first.getUTCFullYear())}-${month(first.getUTCMonth() + 1)}..${month(first.getUTCMonth() + 2)}`;
}

// The VAT return of a period: the boxes, the codes behind them with their documents, and what is not in the books yet.

const BOXES = ['A', 'B', 'C', 'D', 'E', 'F'] as const;

interface VatAsked {
  readonly tenant: string;
  readonly period: string;
  readonly code: string;
}

function vatContent(visit: Visit, asked: VatAsked, report: VatReport | null): Html {
  const { vat: text } = visit.text;
  return html`<h1>${text.title}</h1>
    <p class="dim">${text.intro}</p>
    ${askForm(visit, asked)}
    ${report === null ? empty(text.emptyTitle, text.empty) : reportContent(visit, asked, report)}`;
}

function askForm(visit: Visit, { tenant, period }: VatAsked): Html {
  const { vat: text, overview } = visit.text;
  return html`<form class="filters" method="get" action="/vat">
    <label
      >${overview.tenant}<select name="tenant" required>
        ${(visit.overview?.tenants ?? []).map(
          ({ name, title }) =>
            html`<option value="${name}" ${name === tenant && html`selected`}>${title}</option>`,
        )}
      </select></label
    >
    <label>${text.period}<input name="period" value="${period}" required maxlength="40" /></label>
    <button class="primary" type="submit">${text.show}</button>
  </form>`;
}

function reportContent(visit: Visit, asked: VatAsked, report: VatReport): Html {
  const { vat: text } = visit.text;
  const file = (format: string) =>
    `/vat/${format}?tenant=${encodeURIComponent(report.tenant)}&period=${encodeURIComponent(asked.period)}`;
  return html`<h2>${titleOf(visit, report.tenant)} · ${day(report.from)} – ${day(report.to)}</h2>
    <table class="journal rows">
      <tbody>
        ${BOXES.map(
          (box) =>
            html`<tr>
              <td class="at-a">${box}</td>
              <td>${text.boxes[box]}</td>
              <td class="num">${money(report.boxes[box], 'ISK')}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    <p>
      <a href="${file('csv')}">CSV</a> · <a href="${file('json')}">JSON</a> · <a href="${file('pdf')}">PDF</a>
    </p>
    ${report.withoutLines > 0 && note('info', text.withoutLines(report.withoutLines))}
    ${codesTable(visit, asked, report)} ${documentsTable(visit, asked, report)}
    ${unpostedTable(visit, report)}`;
}

function codesTable(visit: Visit, { period }: VatAsked, report: VatReport): Html {
  const { vat: text } = visit.text;
  const path = (code: string) =>
    `/vat?tenant=${encodeURIComponent(report.tenant)}&period=${encodeURIComponent(period)}&code=${encodeURIComponent(code)}`;
  return html`<h2>${text.codes}</h2>
    <table class="journal rows">
      <thead>
        <tr>
          <th>${text.code}</th>
          <th>${text.side}</th>
          <th>${text.box}</th>
          <th class="num">${text.base}</th>
          <th class="num">${text.tax}</th>
          <th class="num">${text.entries}</th>
        </tr>
      </thead>
      <tbody>
        ${report.codes.map(
          (row) =>
            html`<tr>
              <td class="at-a"><a href="${path(row.code)}">${row.code}</a></td>
              <td>${text.sides[row.side]}</td>
              <td>${row.box === 'none' ? '' : row.box === 'outside' ? text.outside : row.box}</td>
              <td class="num">${money(row.base, 'ISK')}</td>
              <td class="num">
                ${row.side === 'reverse-charge' && `${money(row.owed, 'ISK')} − `}${money(row.vat, 'ISK')}
              </td>
              <td class="num">${count(row.entries)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

function documentsTable(visit: Visit, { code }: VatAsked, report: VatReport): Html | null {
  const { vat: text } = visit.text;
  if (code === '') return null;
  return html`<h2>${text.behind(code)}</h2>
    <table class="journal rows">
      <tbody>
        ${report.documents.map(
          (one) =>
            html`<tr>
              <td class="at-a">
                <a href="/documents/${one.postingId}">${one.number || one.guid.slice(0, 8)}</a>
              </td>
              <td>${day(one.postingDate)} · ${one.counterpartyName} · ${one.entry}</td>
              <td class="num">${money(one.base, 'ISK')}</td>
              <td class="num">${money(one.vat, 'ISK')}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${report.documentsLeftOut > 0 && html`<p class="dim">${text.more(report.documentsLeftOut)}</p>`}`;
}

function unpostedTable(visit: Visit, { unposted: { items, more } }: VatReport): Html {
  const { vat: text } = visit.text;
  if (items.length === 0) return note('ok', text.allPosted);
  return html`<h2>${text.unposted}</h2>
    <p class="dim">${text.unpostedWhat}${more && ' …'}</p>
    <table class="journal rows">
      <tbody>
        ${items.map(
          (row) =>
            html`<tr>
              <td class="at-a">
                <a href="/documents/${row.postingId}">${row.number || row.guid.slice(0, 8)}</a>
              </td>
              <td>${day(row.issueDate)} · ${row.counterpartyName}</td>
              <td>${stateChip(visit, row)}</td>
              <td class="num">${amount(row.amount, row.currency)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}
