// The other direction: seen by whoever may look, steered by operators.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CodedError } from '../../domain/errors/coded-error.js';
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import { SUBMISSION_STATES } from '../../domain/submission.js';
import type { RouteContext } from '../route-context.js';
import { plainActForm } from '../views/act-dialog.js';
import { outgoingContent, outgoingPlanContent, submissionContent } from '../views/outgoing-page.js';
import { html, type Html } from '../html.js';
import { SUBMISSION_ACTS, type SubmissionAct } from '../../operations/outgoing/submission-acts.js';
import { type ConflictSide, settleAsks, useAsks } from '../views/outgoing-conflicts.js';
import { field, goTo, sendHtml, sendPage } from './answer.js';
import { actOf } from './document.js';

const VIEWER = { config: { access: 'viewer' } } as const;
/** As long as a field of a record may be. */
const VALUE_MAX = 4_000;
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
    const inConflict = field(query, 'conflicts', 10) === 'yes';
    const state = SUBMISSION_STATES.find((one) => one === field(query, 'state', 20)) ?? null;
    const [statuses, rows, problems] = await Promise.all([
      operations.outgoing(tenant),
      operations.submissions({ tenant, inConflict, ...(state === null ? {} : { states: [state] }) }),
      operations.outgoingProblems(tenant),
    ]);
    const content = outgoingContent(visit, statuses, rows, inConflict ? 'conflicts' : state, problems);
    return sendPage(request, reply, context, {
      title: visit.text.outgoing.title,
      here: 'outgoing',
      content,
      watches: true,
    });
  });

  app.get<OneSubmission>('/outgoing/:id', VIEWER, async (request, reply) => {
    const story = await request.within.operations.submission(request.params.id);
    const content = submissionContent(request.visit, story);
    return sendPage(request, reply, context, {
      title: story.reference,
      here: 'outgoing',
      content,
      watches: true,
    });
  });

  app.get<OneTenant>('/outgoing/tenants/:tenant/plan', VIEWER, async (request, reply) => {
    const plan = await request.within.operations.outgoingPlan(request.params.tenant);
    const content = outgoingPlanContent(request.visit, plan);
    return sendPage(request, reply, context, {
      title: request.visit.text.outgoing.planTitle,
      here: 'outgoing',
      content,
      watches: true,
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
    asks?: Html,
  ) => {
    const { outgoing } = request.visit.text;
    const { name: title, what } = outgoing.acts[name];
    const check =
      name === 'replay' ? { checks: [{ name: 'surelyAbsent', label: outgoing.surelyAbsent }] } : {};
    const content = plainActForm(request.visit, {
      ...{ title, what, path, back },
      ...check,
      ...(asks ? { asks } : {}),
    });
    if (request.visit.partial) return sendHtml(reply, content);
    return sendPage(request, reply, context, { title: outgoing.title, here: 'outgoing', content });
  };

  app.get<OneAct>('/outgoing/:id/:act', OPERATOR, async (request, reply) => {
    const { id } = request.params;
    const act = submissionAct(request.params.act);
    const asks = await readAsks(request, id, act);
    return form(request, reply, act, [`/outgoing/${id}/${act}`, `/outgoing/${id}`], asks);
  });
  app.post<OneAct>('/outgoing/:id/:act', OPERATOR, async (request, reply) => {
    const { operations } = request.within;
    const { id, act } = request.params;
    const by = actOf(request);
    const said = (name: string, most: number) => field(request.body, name, most);
    switch (submissionAct(act)) {
      case 'skip':
        await operations.skipSubmission(id, by);
        break;
      case 'withdraw':
        await operations.withdrawSubmission(id, by);
        break;
      case 'use':
        await operations.chooseCustomer(id, said('guid', 64).trim(), by);
        break;
      case 'settle': {
        const shown = { origin: said('origin', VALUE_MAX), service: said('service', VALUE_MAX) };
        await operations.settleFields(
          id,
          { [said('field', 60)]: { take: sideOf(said('take', 10)), ...shown } },
          by,
        );
        break;
      }
      case 'replay':
        await operations.replaySubmission(id, by, {
          surelyAbsent: said('surelyAbsent', 10) === 'yes',
          sends: /^\d{1,9}$/.test(said('sends', 10)) ? Number(said('sends', 10)) : undefined,
        });
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

/** What a form asks besides the reason. */
async function readAsks(request: FastifyRequest, id: string, act: SubmissionAct): Promise<Html | undefined> {
  const { visit, query } = request;
  if (act === 'use') return useAsks(visit);
  if (act !== 'settle' && act !== 'replay') return undefined;
  const { conflicts, reference, sends } = await request.within.operations.submission(id);
  // What somebody says of it is said of what they were shown.
  if (act === 'replay') return html`<input type="hidden" name="sends" value="${String(sends)}" />`;
  const conflict = conflicts.find((one) => one.field === field(query, 'field', 60));
  if (!conflict) throw coded('ACT_NOT_POSSIBLE', message('NOTHING_IN_CONFLICT', { reference }));
  return settleAsks(visit, conflict, sideOf(field(query, 'take', 10)));
}

function sideOf(text: string): ConflictSide {
  return text === 'origin' ? 'origin' : 'service';
}

function submissionAct(text: string): SubmissionAct {
  const found = SUBMISSION_ACTS.find((act) => act === text);
  if (found === undefined) throw noSuchAct(text);
  return found;
}

function tenantAct(text: string): 'confirm' | 'pause' | 'resume' {
  if (text === 'confirm' || text === 'pause' || text === 'resume') return text;
  throw noSuchAct(text);
}

function noSuchAct(text: string): CodedError {
  return coded('ACT_NOT_POSSIBLE', message('NO_SUCH_ACT', { act: text.slice(0, 40) }));
}
