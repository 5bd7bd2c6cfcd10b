// Reports of the invoicing service: a page, and the same as a file. Asked for only when somebody has chosen a company and a report.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CodedError } from '../../domain/errors/coded-error.js';
import { errorText } from '../../language/coded.js';
import { remedyText } from '../../language/remedies.js';
import { type Report, REPORTS } from '../../operations/reports/report-rows.js';
import { REPORT_ROWS_MAX, reportCsv } from '../../operations/reports/service-report.js';
import type { RouteContext } from '../route-context.js';
import { type ReportAsked, reportsContent, type ReportShown } from '../views/reports-page.js';
import { field, sendPage } from './answer.js';

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
