import type { FastifyInstance } from 'fastify';
import type { RouteContext } from '../route-context.js';
import { auditContent, auditVerdict } from '../views/audit-page.js';
import { field, sendHtml, sendPage } from './answer.js';

const VIEWER = { config: { access: 'viewer' } } as const;

export function addAudit(app: FastifyInstance, context: RouteContext): void {
  app.get('/audit', VIEWER, async (request, reply) => {
    const { visit, query } = request;
    const filters = {
      actor: field(query, 'actor', 100).trim(),
      subject: field(query, 'subject', 100).trim(),
    };
    const after = field(query, 'after', 100);
    const { items, next } = await request.within.operations.audit({
      ...(visit.tenant === null ? {} : { chain: visit.tenant }),
      ...(filters.actor === '' ? {} : { actor: filters.actor }),
      ...(filters.subject === '' ? {} : { subject: filters.subject }),
      ...(after === '' ? {} : { after }),
    });
    const content = auditContent(visit, items, next, filters);
    return sendPage(request, reply, context, { title: visit.text.audit.title, here: 'audit', content });
  });

  app.get('/audit/verify', { config: { access: 'viewer', everywhere: true } }, async (request, reply) => {
    const content = auditVerdict(request.visit, await request.within.operations.verifyAudit());
    if (request.visit.partial) return sendHtml(reply, content);
    const { title } = request.visit.text.audit;
    return sendPage(request, reply, context, { title, here: 'audit', content });
  });
}
