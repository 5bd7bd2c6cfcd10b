// What one person asked for and another has to agree to.
import type { FastifyInstance } from 'fastify';
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import { LOOKED_AT_MS } from '../../operations/confirm-plan.js';
import type { RouteContext } from '../route-context.js';
import { plainActForm } from '../views/act-dialog.js';
import { planInShort } from '../views/plan-page.js';
import { approvalsContent } from '../views/approvals-page.js';
import { field, goTo, sendHtml, sendPage } from './answer.js';
import { actOf } from './document.js';

interface OneAct {
  Params: { id: string; act: string };
}

export function addApprovals(app: FastifyInstance, context: RouteContext): void {
  app.get('/approvals', { config: { access: 'viewer' } }, async (request, reply) => {
    const { visit } = request;
    const waiting = await request.within.operations.approvals(visit.tenant ?? undefined);
    const content = approvalsContent(visit, waiting, field(request.query, 'asked') === 'yes');
    const { title } = visit.text.approvals;
    return sendPage(request, reply, context, { title, here: 'approvals', content, watches: true });
  });

  app.get<OneAct>('/approvals/:id/:act', { config: { access: 'operator' } }, async (request, reply) => {
    const { approvals: text } = request.visit.text;
    const { operations } = request.within;
    const act = actName(request.params.act);
    const asked = (await operations.approvals()).find(({ id }) => id === request.params.id);
    const isPlan = act === 'agree' && asked?.act === 'plan';
    const form = plainActForm(request.visit, {
      title: text[act],
      what: act === 'agree' ? text.agreeWhat : text.withdrawWhat,
      path: `/approvals/${request.params.id}/${act}`,
      back: '/approvals',
      ...(isPlan
        ? { asks: planInShort(await operations.plan(asked.subject, { madeWithinMs: LOOKED_AT_MS })) }
        : {}),
    });
    if (request.visit.partial) return sendHtml(reply, form);
    return sendPage(request, reply, context, { title: text.title, here: 'approvals', content: form });
  });

  app.post<OneAct>('/approvals/:id/:act', { config: { access: 'operator' } }, async (request, reply) => {
    const { operations } = request.within;
    const { id, act } = request.params;
    await operations[actName(act)](id, actOf(request));
    context.pulse.touch();
    return goTo(request, reply, '/approvals');
  });
}

function actName(text: string): 'agree' | 'withdraw' {
  if (text === 'agree' || text === 'withdraw') return text;
  throw coded('ACT_NOT_POSSIBLE', message('NO_SUCH_ACT', { act: text.slice(0, 40) }));
}
