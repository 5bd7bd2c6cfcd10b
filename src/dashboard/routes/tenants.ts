// Tenants: the list, one of them, its connections, and pause, resume, sweep.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { stringify } from 'yaml';
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import type { TenantOverview, SweepView } from '../../operations/views/overview.js';
import type { RouteContext } from '../route-context.js';
import { plainActForm } from '../views/act-dialog.js';
import { ALL_TENANTS, TENANT_ORDERS, type TenantFilter, tenantsContent } from '../views/tenant-list.js';
import { field, goTo, sendHtml, sendPage } from './answer.js';
import { actOf } from './document.js';
import type { ChannelTrial } from '../../operations/views/act.js';
import type { ConnectionFinding } from '../../operations/tenant-card.js';
import { POSTING_STATES } from '../../domain/posting.js';
import { html, type Html, type Part } from '../html.js';
import { count } from '../language/format.js';
import { mayDoIn, type Visit } from '../visit.js';
import { ago, chip, code, empty, healthChip, type Look, stateChip, withCode } from '../views/parts.js';

const VIEWER = { config: { access: 'viewer' } } as const;
const OPERATOR = { config: { access: 'operator' } } as const;
const ACTS = ['pause', 'resume', 'sweep'] as const;

interface OneTenant {
  Params: { name: string };
}

function filterOf(query: unknown): TenantFilter {
  const from = field(query, 'from', 6);
  return {
    text: field(query, 'text', 60).trim(),
    order: TENANT_ORDERS.find((one) => one === field(query, 'order', 10)) ?? ALL_TENANTS.order,
    from: /^\d+$/.test(from) ? Number(from) : 0,
  };
}

export function addTenants(app: FastifyInstance, context: RouteContext): void {
  app.get('/tenants', VIEWER, (request, reply) => {
    const { visit } = request;
    const content = tenantsContent(visit, visit.overview?.tenants ?? [], filterOf(request.query));
    return sendPage(request, reply, context, { title: visit.text.tenants.title, here: 'tenants', content });
  });

  app.get<OneTenant>('/tenants/:name', VIEWER, (request, reply) => {
    const { visit } = request;
    const tenant = tenantOf(request);
    const description = request.within.tenants.describe(tenant.name);
    const content = tenantContent(visit, tenant, description && stringify(description));
    return sendPage(request, reply, context, {
      title: tenant.title,
      here: 'tenants',
      content,
      watches: true,
    });
  });

  app.get<OneTenant>('/tenants/:name/check', VIEWER, async (request, reply) => {
    const findings = await request.within.tenants.checkConnection(
      request.params.name,
      request.visit.language,
    );
    const content = findingsList(request.visit, findings);
    if (request.visit.partial) return sendHtml(reply, content);
    const { title } = request.visit.text.tenants;
    return sendPage(request, reply, context, { title, here: 'tenants', content });
  });

  app.post<OneTenant>('/tenants/:name/notify', OPERATOR, async (request, reply) => {
    const trials = await request.within.operations.testNotifications(request.params.name);
    return sendHtml(reply, trialsList(request.visit, trials));
  });

  app.get('/schedules', VIEWER, async (request, reply) => {
    const content = schedulesContent(request.visit, await request.within.operations.schedules());
    const { title } = request.visit.text.schedules;
    return sendPage(request, reply, context, { title, here: 'schedules', content });
  });
  for (const act of ACTS) addAct(app, context, act);
}

function addAct(app: FastifyInstance, context: RouteContext, act: (typeof ACTS)[number]): void {
  app.get<OneTenant>(`/tenants/:name/${act}`, OPERATOR, (request, reply) => {
    const { text } = request.visit;
    const what = {
      pause: text.tenants.pauseWhat,
      resume: text.tenants.resumeWhat,
      sweep: text.tenants.sweepDone,
    };
    const back = `/tenants/${encodeURIComponent(request.params.name)}`;
    const form = plainActForm(request.visit, {
      title: text.tenants[act],
      what: what[act],
      path: `${back}/${act}`,
      back,
    });
    if (request.visit.partial) return sendHtml(reply, form);
    return sendPage(request, reply, context, { title: text.tenants.title, here: 'tenants', content: form });
  });

  app.post<OneTenant>(`/tenants/:name/${act}`, OPERATOR, async (request, reply) => {
    const { operations } = request.within;
    const { name } = request.params;
    if (act === 'pause') await operations.pause(name, actOf(request));
    else if (act === 'resume') await operations.resume(name, actOf(request));
    else await operations.sweep(name, actOf(request));
    context.pulse.touch();
    return goTo(request, reply, `/tenants/${encodeURIComponent(name)}`);
  });
}

function tenantOf({ visit, params }: FastifyRequest<OneTenant>): TenantOverview {
  const tenant = visit.overview?.tenants.find(({ name }) => name === params.name);
  if (!tenant) throw coded('TENANT_UNKNOWN', message('NO_SUCH_TENANT', { name: params.name.slice(0, 40) }));
  return tenant;
}

// One tenant, and the schedules of all: how it is, how it is configured, and what can be done with it.

const WHY_LOOKS: Partial<Readonly<Record<TenantOverview['health'], string>>> = {
  down: 'failed',
  'needs-you': 'needs-you',
  unconfirmed: 'needs-you',
};

function tenantContent(visit: Visit, tenant: TenantOverview, configuration: string | null): Html {
  const { tenants: text } = visit.text;
  return html`<header class="doc-head">
      <h1>${tenant.title}</h1>
      ${healthChip(visit, tenant.health)}
    </header>
    <div class="why ${WHY_LOOKS[tenant.health]}">
      <p>${tenant.sentence}</p>
      ${actions(visit, tenant)}
    </div>
    <div class="columns">
      <section>
        <h2>${text.breakers}</h2>
        ${breakers(visit, tenant)}
        <div id="check">
          <button hx-get="/tenants/${tenant.name}/check" hx-target="#check">${text.check}</button>
        </div>
        ${
          mayDoIn(visit.user, tenant.name, 'operator') &&
          html`<div id="notify">
            <button hx-post="/tenants/${tenant.name}/notify" hx-target="#notify">${text.notify}</button>
          </div>`
        }
      </section>
      <section>
        <h2>${text.sweeps}</h2>
        ${[...tenant.lastSweeps, ...tenant.failedSweeps].map((sweep) => sweepLine(visit, sweep))}
        <p><span class="dim">${visit.text.overview.next}:</span> ${ago(visit, tenant.nextRunAt)}</p>
      </section>
      <section>
        <h2>${text.byState}</h2>
        ${byState(visit, tenant)}
      </section>
    </div>
    <section>
      <h2>${text.configuration}</h2>
      <p class="dim">${text.configurationMore} <code>${tenant.file}</code></p>
      ${configuration !== null && code(visit, configuration)}
    </section>`;
}

function actions(visit: Visit, tenant: TenantOverview): Html | null {
  if (!mayDoIn(visit.user, tenant.name, 'operator') || !tenant.loaded) return null;
  const { tenants: text } = visit.text;
  const act = (name: 'pause' | 'resume' | 'sweep') => {
    const path = `/tenants/${tenant.name}/${name}`;
    return html`<a class="button" href="${path}" hx-get="${path}" hx-target="#dialog">${text[name]}</a>`;
  };
  return html`<div class="bar">
    ${
      tenant.health === 'unconfirmed' &&
      html`<a class="button primary" href="/plan?tenant=${tenant.name}"
        >${visit.text.overview.unconfirmed}</a
      >`
    }
    ${act('sweep')} ${tenant.paused === null ? act('pause') : act('resume')}
    <a class="button" href="/documents?tenant=${tenant.name}">${visit.text.nav.documents}</a>
  </div>`;
}

function breakers(visit: Visit, tenant: TenantOverview): Html[] {
  const { tenants: text } = visit.text;
  return (['source', 'erp'] as const).map((side) => {
    const found = tenant.breakers.find((breaker) => breaker.side === side);
    const fine = !found || found.state === 'closed';
    return html`<p>
      ${chip(fine ? 'posted' : 'failed', text[side])}
      ${!fine && html`${found.state === 'refused' ? text.refused : text.notConnected} · ${found.reason ?? ''} · ${ago(visit, found.since)}`}
    </p>`;
  });
}

function sweepLine(visit: Visit, sweep: SweepView): Html {
  const { tenants: text } = visit.text;
  const look: Look = sweep.outcome === null ? 'working' : sweep.outcome === 'complete' ? 'posted' : 'failed';
  return html`<p>
    ${chip(look, visit.text.kinds[sweep.kind])} ${ago(visit, sweep.finishedAt ?? sweep.startedAt)}
    <small
      >${text.sweepModes[sweep.mode] ?? sweep.mode} · ${text.sweepFound(sweep.listed, sweep.discovered)}
      ${sweep.message ?? ''}</small
    >
  </p>`;
}

function byState(visit: Visit, tenant: TenantOverview): Html {
  const shown = POSTING_STATES.filter((state) => tenant.states[state] > 0);
  if (shown.length === 0) return html`<p class="dim">${visit.text.frame.none}</p>`;
  return html`<table>
    <tbody>
      ${shown.map(
        (state) =>
          html`<tr>
            <td>${stateChip(visit, { state, tries: 0, reason: null })}</td>
            <td class="num">${count(tenant.states[state])}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

const FINDING_LOOKS = { ok: 'posted', warning: 'needs-you', error: 'failed' } as const;

function findingsList(visit: Visit, findings: readonly ConnectionFinding[]): Html {
  const { tenants: text } = visit.text;
  return html`${findings.map(
    ({ side, severity, message, remedy }) =>
      html`<p>
        ${chip(FINDING_LOOKS[severity], text[side])} ${message}
        ${remedy !== null && html`<small>${withCode(remedy)}</small>`}
      </p>`,
  )}`;
}

function trialsList({ text }: Visit, trials: readonly ChannelTrial[]): Html {
  if (trials.length === 0) return html`<p class="dim">${text.tenants.nobodyIsTold}</p>`;
  return html`${trials.map(
    ({ channel, delivered, answer }) =>
      html`<p>${chip(delivered ? 'posted' : 'failed', channel)} <small>${answer}</small></p>`,
  )}`;
}

function schedulesContent(
  visit: Visit,
  schedules: readonly {
    tenantName: string;
    title: string;
    cron: string;
    timeZone: string;
    nextRunAt: string | null;
    lastRunAt: string | null;
    lastFiredBy: string | null;
  }[],
): Html {
  const { schedules: text, overview } = visit.text;
  const shown = schedules.filter(({ tenantName }) => visit.tenant === null || tenantName === visit.tenant);
  if (shown.length === 0)
    return html`<h1>${text.title}</h1>
      ${empty(text.emptyTitle, text.empty)}`;
  const row = (cells: readonly Part[], name: string) =>
    html`<tr data-href="/tenants/${name}">
      ${cells}
    </tr>`;
  return html`<h1>${text.title}</h1>
    <table class="rows">
      <thead>
        <tr>
          <th>${overview.tenant}</th>
          <th>${text.cron}</th>
          <th>${text.last}</th>
          <th>${text.by}</th>
          <th>${text.next}</th>
        </tr>
      </thead>
      <tbody>
        ${shown.map((schedule) =>
          row(
            [
              html`<td class="at-a"><a href="/tenants/${schedule.tenantName}">${schedule.title}</a></td>`,
              html`<td class="at-c"><code>${schedule.cron}</code> <small>${schedule.timeZone}</small></td>`,
              html`<td class="at-d" data-label="${text.last}">
                ${ago(visit, schedule.lastRunAt, overview.never)}
              </td>`,
              html`<td class="at-hide"><small>${schedule.lastFiredBy ?? ''}</small></td>`,
              html`<td class="at-b">${ago(visit, schedule.nextRunAt, overview.paused)}</td>`,
            ],
            schedule.tenantName,
          ),
        )}
      </tbody>
    </table>`;
}
