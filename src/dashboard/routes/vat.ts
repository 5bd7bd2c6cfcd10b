// The VAT return: a page, and the same as a file.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { vatPdf } from '../../operations/vat/pdf.js';
import { vatPeriod } from '../../operations/vat/period.js';
import { vatCsv, vatJson } from '../../operations/vat/write.js';
import type { VatReport } from '../../operations/views/vat.js';
import type { RouteContext } from '../route-context.js';
import { type VatAsked, vatContent } from '../views/vat-page.js';
import { field, sendPage } from './answer.js';

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
