// The other direction: seen by whoever may look, steered by operators.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CodedError } from '../../domain/errors/coded-error.js';
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import { SUBMISSION_STATES } from '../../domain/submission.js';
import type { RouteContext } from '../route-context.js';
import { plainActForm } from '../views/act-dialog.js';
import { outgoingContent, outgoingPlanContent, submissionContent } from '../views/outgoing-page.js';
import { field, goTo, sendHtml, sendPage } from './answer.js';
import { actOf } from './document.js';

const VIEWER = { config: { access: 'viewer' } } as const;
const OPERATOR = { config: { access: 'operator' } } as const;

interface OneSubmission {
  Params: { id: string };
}
interface OneTenant {
  Params: { tenant: string };
}
interface OneAct {
  Params: { id: string; act: string };
}
interface TenantAct {
  Params: { tenant: string; act: string };
}

export function addOutgoing(app: FastifyInstance, context: RouteContext): void {
  app.get('/outgoing', VIEWER, async (request, reply) => {
    const { visit, query } = request;
    const { operations } = request.within;
    const tenant = visit.tenant ?? undefined;
    const state = SUBMISSION_STATES.find((one) => one === field(query, 'state', 20)) ?? null;
    const [statuses, rows, problems] = await Promise.all([
      operations.outgoing(tenant),
      operations.submissions({ tenant, ...(state === null ? {} : { states: [state] }) }),
      operations.outgoingProblems(tenant),
    ]);
    const content = outgoingContent(visit, statuses, rows, state, problems);
    return sendPage(request, reply, context, { title: visit.text.outgoing.title, here: 'outgoing', content });
  });

  app.get<OneSubmission>('/outgoing/:id', VIEWER, async (request, reply) => {
    const story = await request.within.operations.submission(request.params.id);
    const content = submissionContent(request.visit, story);
    return sendPage(request, reply, context, { title: story.reference, here: 'outgoing', content });
  });

  app.get<OneTenant>('/outgoing/tenants/:tenant/plan', VIEWER, async (request, reply) => {
    const plan = await request.within.operations.outgoingPlan(request.params.tenant);
    const content = outgoingPlanContent(request.visit, plan);
    return sendPage(request, reply, context, {
      title: request.visit.text.outgoing.planTitle,
      here: 'outgoing',
      content,
    });
  });
  addActs(app, context);
}

const STEERING = { confirm: 'confirmOutgoing', pause: 'pauseOutgoing', resume: 'resumeOutgoing' } as const;

type ActName = keyof FastifyRequest['visit']['text']['outgoing']['acts'];

function addActs(app: FastifyInstance, context: RouteContext): void {
  const form = (
    request: FastifyRequest,
    reply: FastifyReply,
    name: ActName,
    [path, back]: readonly [path: string, back: string],
  ) => {
    const { outgoing } = request.visit.text;
    const { name: title, what } = outgoing.acts[name];
    const check = name === 'replay' ? { check: { name: 'surelyAbsent', label: outgoing.surelyAbsent } } : {};
    const content = plainActForm(request.visit, { title, what, path, back, ...check });
    if (request.visit.partial) return sendHtml(reply, content);
    return sendPage(request, reply, context, { title: outgoing.title, here: 'outgoing', content });
  };

  app.get<OneAct>('/outgoing/:id/:act', OPERATOR, (request, reply) => {
    const { id, act } = request.params;
    return form(request, reply, submissionAct(act), [`/outgoing/${id}/${act}`, `/outgoing/${id}`]);
  });
  app.post<OneAct>('/outgoing/:id/:act', OPERATOR, async (request, reply) => {
    const { operations } = request.within;
    const { id, act } = request.params;
    const surelyAbsent = field(request.body, 'surelyAbsent', 10) === 'yes';
    switch (submissionAct(act)) {
      case 'skip':
        await operations.skipSubmission(id, actOf(request));
        break;
      case 'withdraw':
        await operations.withdrawSubmission(id, actOf(request));
        break;
      case 'replay':
        await operations.replaySubmission(id, actOf(request), { surelyAbsent });
    }
    return goTo(request, reply, `/outgoing/${encodeURIComponent(id)}`);
  });
  app.get<TenantAct>('/outgoing/tenants/:tenant/:act', OPERATOR, (request, reply) => {
    const { tenant, act } = request.params;
    return form(request, reply, tenantAct(act), [`/outgoing/tenants/${tenant}/${act}`, '/outgoing']);
  });
  app.post<TenantAct>('/outgoing/tenants/:tenant/:act', OPERATOR, async (request, reply) => {
    const { operations } = request.within;
    await operations[STEERING[tenantAct(request.params.act)]](request.params.tenant, actOf(request));
    return goTo(request, reply, '/outgoing');
  });
}

function submissionAct(text: string): 'replay' | 'skip' | 'withdraw' {
  if (text === 'replay' || text === 'skip' || text === 'withdraw') return text;
  throw noSuchAct(text);
}

function tenantAct(text: string): 'confirm' | 'pause' | 'resume' {
  if (text === 'confirm' || text === 'pause' || text === 'resume') return text;
  throw noSuchAct(text);
}

function noSuchAct(text: string): CodedError {
  return coded('ACT_NOT_POSSIBLE', message('NO_SUCH_ACT', { act: text.slice(0, 40) }));
}
