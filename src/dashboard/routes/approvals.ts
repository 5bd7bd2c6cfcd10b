// What one person asked for and another has to agree to.
import type { FastifyInstance } from 'fastify';
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import { LOOKED_AT_MS } from '../../operations/confirm-plan.js';
import type { RouteContext } from '../route-context.js';
import { plainActForm } from '../views/act-dialog.js';
import { planInShort } from '../views/plan-page.js';
import { field, goTo, sendHtml, sendPage } from './answer.js';
import { actOf } from './document.js';
import type { ApprovalView } from '../../operations/views/approval.js';
import { html, type Html } from '../html.js';
import { mayDoIn, type Visit } from '../visit.js';
import { moment } from '../language/format.js';
import { ago, chip, empty, note, titleOf } from '../views/parts.js';

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

// What waits for a second person: who asked for what and why, and the two things somebody can do about it.

function approvalsContent(visit: Visit, waiting: readonly ApprovalView[], justAsked: boolean): Html {
  const { approvals: text } = visit.text;
  return html`<h1>${text.title}</h1>
    ${justAsked && note('info', text.waits)}
    <p class="dim">${text.more}</p>
    ${
      waiting.length === 0
        ? empty(text.emptyTitle, text.empty)
        : html`<ul class="causes">
            ${waiting.map((one) => item(visit, one))}
          </ul>`
    }`;
}

function item(visit: Visit, one: ApprovalView): Html {
  const { approvals: text } = visit.text;
  const title = titleOf(visit, one.tenantName);
  const about = aboutOf(one);
  const name = one.subject === one.tenantName ? title : `${title} · ${one.subject.slice(0, 8)}`;
  return html`<li class="cause" data-href="${about}">
    <div>
      <h3>${chip('needs-you', text.acts[one.act])}</h3>
      <p><a href="${about}">${name}</a></p>
      <p class="said">${one.reason}</p>
      <p class="facts">
        <span>${text.askedBy} ${one.actor}</span>
        <span>${ago(visit, one.askedAt)}</span>
        <span>${text.until} ${moment(one.expiresAt)}</span>
      </p>
    </div>
    ${acts(visit, one)}
  </li>`;
}

function aboutOf({ act, tenantName, subject }: ApprovalView): string {
  switch (act) {
    case 'plan':
      return `/plan?tenant=${tenantName}`;
    case 'outgoing-plan':
      return `/outgoing/tenants/${tenantName}/plan`;
    case 'outgoing-absent':
      return `/outgoing/${subject}`;
    case 'reversal':
    case 'surely-absent':
      return `/documents/${subject}`;
  }
}

function acts(visit: Visit, one: ApprovalView): Html | null {
  const { approvals: text } = visit.text;
  if (!mayDoIn(visit.user, one.tenantName, one.act === 'plan' ? 'admin' : 'operator')) return null;
  const mine = one.actor === visit.user?.login;
  const button = (name: 'agree' | 'withdraw') => {
    const path = `/approvals/${one.id}/${name}`;
    return html`<a
      class="button ${name === 'agree' && 'primary'}"
      href="${path}"
      hx-get="${path}"
      hx-target="#dialog"
      >${text[name]}</a
    >`;
  };
  return html`<div class="acts">
    ${mine ? html`<span class="dim">${text.yours}</span>` : button('agree')} ${button('withdraw')}
  </div>`;
}
