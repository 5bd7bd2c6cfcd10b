import type { FastifyInstance } from 'fastify';
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import type { RouteContext } from '../route-context.js';
import { plainActForm } from '../views/act-dialog.js';
import { incidentsContent } from '../views/incidents-page.js';
import { field, goTo, sendHtml, sendPage } from './answer.js';
import { actOf } from './document.js';

interface OneAct {
  Params: { id: string; act: string };
}

export function addIncidents(app: FastifyInstance, context: RouteContext): void {
  app.get('/incidents', { config: { access: 'viewer' } }, async (request, reply) => {
    const { visit, query } = request;
    const resolved = field(query, 'show') === 'resolved';
    const after = field(query, 'after', 100);
    const { items, next } = await request.within.operations.incidents({
      ...(visit.tenant === null ? {} : { tenant: visit.tenant }),
      ...(resolved ? { states: ['resolved'] as const } : {}),
      ...(after === '' ? {} : { after }),
    });
    const content = incidentsContent(visit, items, next, resolved);
    const { title } = visit.text.incidents;
    return sendPage(request, reply, context, { title, here: 'incidents', content, watches: true });
  });

  app.get<OneAct>('/incidents/:id/:act', { config: { access: 'operator' } }, (request, reply) => {
    const { text } = request.visit;
    const act = actName(request.params.act);
    const form = plainActForm(request.visit, {
      title: text.incidents[act],
      what: text.incidents.title,
      path: `/incidents/${request.params.id}/${act}`,
      back: '/incidents',
    });
    if (request.visit.partial) return sendHtml(reply, form);
    return sendPage(request, reply, context, {
      title: text.incidents.title,
      here: 'incidents',
      content: form,
    });
  });

  app.post<OneAct>('/incidents/:id/:act', { config: { access: 'operator' } }, async (request, reply) => {
    const { operations } = request.within;
    const { id, act } = request.params;
    if (actName(act) === 'acknowledge') await operations.acknowledgeIncident(id, actOf(request));
    else await operations.resolveIncident(id, actOf(request));
    context.pulse.touch();
    return goTo(request, reply, '/incidents');
  });
}

function actName(text: string): 'acknowledge' | 'resolve' {
  if (text === 'acknowledge' || text === 'resolve') return text;
  throw coded('ACT_NOT_POSSIBLE', message('NO_SUCH_ACT', { act: text.slice(0, 40) }));
}
