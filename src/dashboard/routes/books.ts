// The plan, and the comparison with the books.
import type { FastifyInstance } from 'fastify';
import { type ConfirmOptions, LOOKED_AT_MS, neededFor } from '../../operations/confirm-plan.js';
import type { RouteContext } from '../route-context.js';
import { shown } from '../visit.js';
import { plainActForm } from '../views/act-dialog.js';
import { planContent, planInShort, planStart } from '../views/plan-page.js';
import { reconciliationContent } from '../views/reconciliation-page.js';
import { field, goTo, sendHtml, sendPage } from './answer.js';
import { actOf } from './document.js';

const VIEWER = { config: { access: 'viewer' } } as const;
const OPERATOR = { config: { access: 'operator' } } as const;
const ADMIN = { config: { access: 'admin' } } as const;
const PAST_SHOWN = 50;
const PERIOD_MS = 31 * 24 * 3_600_000;

export function addBooks(app: FastifyInstance, context: RouteContext): void {
  addPlan(app, context);
  app.get('/reconciliation', VIEWER, async (request, reply) => {
    const { visit } = request;
    const past = await request.within.history.reconciliations(shown(visit), PAST_SHOWN);
    const to = visit.now.toISOString().slice(0, 10);
    const from = new Date(visit.now.getTime() - PERIOD_MS).toISOString().slice(0, 10);
    const content = reconciliationContent(visit, past, { from, to });
    const { title } = visit.text.reconciliation;
    return sendPage(request, reply, context, { title, here: 'reconciliation', content });
  });

  app.post('/reconciliation', OPERATOR, async (request, reply) => {
    const { body } = request;
    const period = { from: field(body, 'from', 10), to: field(body, 'to', 10) };
    await request.within.operations.reconcile(field(body, 'tenant', 40), period);
    context.pulse.touch();
    return goTo(request, reply, '/reconciliation');
  });
}

function addPlan(app: FastifyInstance, context: RouteContext): void {
  app.get('/plan', VIEWER, (request, reply) => {
    const { visit } = request;
    const content = planStart(visit, visit.overview?.tenants ?? []);
    return sendPage(request, reply, context, { title: visit.text.plan.title, here: 'plan', content });
  });

  app.get('/plan/made', VIEWER, async (request, reply) => {
    const made = await request.within.operations.plan(request.visit.tenant ?? '');
    const content = planContent(request.visit, made);
    if (request.visit.partial) return sendHtml(reply, content);
    const { title } = request.visit.text.plan;
    return sendPage(request, reply, context, { title, here: 'plan', content });
  });

  app.get('/plan/confirm', ADMIN, async (request, reply) => {
    const { text, tenant } = request.visit;
    const made = await request.within.operations.plan(tenant ?? '', { madeWithinMs: LOOKED_AT_MS });
    const form = plainActForm(request.visit, {
      title: text.plan.confirm,
      what: text.plan.confirmWhat,
      path: `/plan/confirm?tenant=${encodeURIComponent(tenant ?? '')}`,
      back: '/plan',
      asks: planInShort(made),
      checks: neededFor(made).map((name) => ({ name, label: text.plan[name] })),
    });
    if (request.visit.partial) return sendHtml(reply, form);
    return sendPage(request, reply, context, { title: text.plan.title, here: 'plan', content: form });
  });

  app.post('/plan/confirm', ADMIN, async (request, reply) => {
    const tenant = request.visit.tenant ?? '';
    const isSaid = (name: keyof ConfirmOptions) => field(request.body, name) === 'yes';
    await request.within.operations.confirmPlan(tenant, actOf(request), {
      unchecked: isSaid('unchecked'),
      otherCompany: isSaid('otherCompany'),
      despiteErrors: isSaid('despiteErrors'),
    });
    context.pulse.touch();
    return goTo(request, reply, `/tenants/${encodeURIComponent(tenant)}`);
  });
}
