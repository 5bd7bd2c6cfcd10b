// The plan, and the comparison with the books.
import type { FastifyInstance } from 'fastify';
import { type ConfirmOptions, LOOKED_AT_MS, neededFor } from '../../operations/confirm-plan.js';
import type { RouteContext } from '../route-context.js';
import { shown, mayDo, type Visit } from '../visit.js';
import { plainActForm } from '../views/act-dialog.js';
import { planContent, planInShort, planStart } from '../views/plan-page.js';
import { field, goTo, sendHtml, sendPage } from './answer.js';
import { actOf } from './document.js';
import { say } from '../../language/say.js';
import type { PastReconciliation } from '../../operations/history.js';
import { html, type Html } from '../html.js';
import { differencesByCode } from '../views/differences.js';
import { day } from '../language/format.js';
import { ago, chip, csrfField, empty, titleOf } from '../views/parts.js';

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

// Comparisons of the source, the bridge and the ERP.

function reconciliationContent(
  visit: Visit,
  past: readonly PastReconciliation[],
  period: { from: string; to: string },
): Html {
  const { reconciliation: text } = visit.text;
  return html`<h1>${text.title}</h1>
    <p class="dim">${text.intro}</p>
    ${mayDo(visit.user, 'operator') && startForm(visit, period)}
    ${
      past.length === 0
        ? empty(text.emptyTitle, text.empty)
        : html`<ul class="causes">
            ${past.map((one) => pastItem(visit, one))}
          </ul>`
    }`;
}

function startForm(visit: Visit, { from, to }: { from: string; to: string }): Html {
  const { reconciliation: text, overview } = visit.text;
  const tenants = visit.overview?.tenants ?? [];
  return html`<form
    class="filters"
    method="post"
    action="/reconciliation"
    hx-post="/reconciliation"
    hx-disabled-elt="find button"
  >
    ${csrfField(visit)}
    <label
      >${overview.tenant}<select name="tenant" required>
        ${tenants.map(({ name, title }) => html`<option value="${name}" ${name === visit.tenant && html`selected`}>${title}</option>`)}
      </select></label
    >
    <label>${text.from}<input type="date" name="from" value="${from}" required /></label>
    <label>${text.to}<input type="date" name="to" value="${to}" required /></label>
    <button class="primary" type="submit">${text.run}</button>
    <div class="act-error"></div>
  </form>`;
}

function pastItem(visit: Visit, past: PastReconciliation): Html {
  const { reconciliation: text } = visit.text;
  const differences = past.report?.differences ?? [];
  const result =
    past.clean === null
      ? chip('working', text.running)
      : past.clean
        ? chip('posted', text.clean)
        : chip('failed', text.notClean(differences.length));
  return html`<li class="cause">
    <div>
      <h3>${result} · ${titleOf(visit, past.tenantName)}</h3>
      <p class="facts">
        <span>${day(past.from)} – ${day(past.to)}</span><span>${ago(visit, past.startedAt)}</span>
        ${past.report && html`<span>${text.entries(past.report.entries.erp, past.report.entries.local)}</span>`}
      </p>
      ${
        differences.length > 0 &&
        html`<details>
          <summary>${text.differences}</summary>
          ${differencesByCode(visit, differences, ({ code, subject, sentence, params }) => html`${params === undefined ? sentence : say(visit.language, { code, params })} <span class="code-name">${code} ${subject}</span>`)}
        </details>`
      }
    </div>
  </li>`;
}
