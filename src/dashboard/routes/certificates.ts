// Certificates of periods: closed, shown, printed, handed over; and the rehearsal of rules.
import { createReadStream } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { vatPeriod } from '../../operations/vat/period.js';
import { FILES, secureHeaders } from '../access/security-headers.js';
import type { RouteContext } from '../route-context.js';
import { certificateContent, certificatesContent } from '../views/certificate-page.js';
import { type RehearsalAsked, rehearsalContent } from '../views/rehearsal-page.js';
import { field, goTo, sendPage } from './answer.js';
import { actOf } from './document.js';

const VIEWER = { config: { access: 'viewer' } } as const;
const EXPORT = { config: { access: 'viewer', exports: 'certificate' } } as const;
const OPERATOR = { config: { access: 'operator' } } as const;

interface OneCertificate {
  Params: { id: string };
}

export function addCertificates(app: FastifyInstance, context: RouteContext): void {
  app.get('/certificates', VIEWER, async (request, reply) => {
    const { visit } = request;
    const rows = await request.within.operations.certificates(visit.tenant ?? undefined);
    const content = certificatesContent(visit, rows, lastMonth(visit.now));
    const { title } = visit.text.certificates;
    return sendPage(request, reply, context, { title, here: 'certificates', content });
  });

  app.post('/certificates', OPERATOR, async (request, reply) => {
    const { body } = request;
    const period = vatPeriod(field(body, 'period', 40));
    const { id } = await request.within.operations.closePeriod(
      field(body, 'tenant', 40),
      period,
      actOf(request),
    );
    return goTo(request, reply, `/certificates/${id}`);
  });

  app.get<OneCertificate>('/certificates/:id', VIEWER, async (request, reply) => {
    const row = await request.within.operations.certificate(request.params.id);
    const content = certificateContent(request.visit, row);
    const title = `${request.visit.text.certificates.title} ${row.from} – ${row.to}`;
    return sendPage(request, reply, context, { title, here: 'certificates', content });
  });

  app.get<OneCertificate>('/certificates/:id/pdf', EXPORT, async (request, reply) => {
    const { id } = request.params;
    const language = field(request.query, 'lang', 2) === 'en' ? 'en' : 'is';
    const pdf = await request.within.operations.certificatePdf(id, language);
    secureHeaders(reply, context.cookies.secure, FILES);
    return reply
      .type('application/pdf')
      .header('content-disposition', `inline; filename="certificate-${id.slice(0, 8)}-${language}.pdf"`)
      .send(pdf);
  });

  app.get<OneCertificate>('/certificates/:id/json', EXPORT, async (request, reply) => {
    const path = await request.within.operations.certificateFile(request.params.id);
    if (path === null) {
      reply.callNotFound();
      return reply;
    }
    return reply
      .type('application/x-ndjson')
      .header(
        'content-disposition',
        `attachment; filename="certificate-${request.params.id.slice(0, 8)}.jsonl"`,
      )
      .send(createReadStream(path));
  });
  addRehearsal(app, context);
}

function addRehearsal(app: FastifyInstance, context: RouteContext): void {
  app.get('/rehearsal', OPERATOR, (request, reply) => {
    const { visit } = request;
    const content = rehearsalContent(visit, { tenant: visit.tenant ?? '', rules: '', since: '' }, null);
    const { title } = visit.text.rehearsal;
    return sendPage(request, reply, context, { title, here: 'certificates', content });
  });

  app.post('/rehearsal', OPERATOR, async (request, reply) => {
    const { body, visit } = request;
    const asked: RehearsalAsked = {
      tenant: field(body, 'tenant', 40),
      rules: field(body, 'rules', 60_000),
      since: field(body, 'since', 10),
    };
    const made = await request.within.operations.rehearse(asked.tenant, {
      ...(asked.rules.trim() === '' ? {} : { rules: asked.rules }),
      ...(asked.since === '' ? {} : { since: asked.since }),
    });
    const content = rehearsalContent(visit, asked, made);
    const { title } = visit.text.rehearsal;
    return sendPage(request, reply, context, { title, here: 'certificates', content });
  });
}

/** The one that is most likely to be closed. */
function lastMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}
