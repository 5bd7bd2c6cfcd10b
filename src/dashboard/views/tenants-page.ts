// One tenant, and the schedules of all: how it is, how it is configured, and what can be done with it.
import type { ChannelTrial } from '../../operations/views/act.js';
import type { ConnectionFinding } from '../../operations/tenant-card.js';
import type { SweepView, TenantOverview } from '../../operations/views/overview.js';
import { POSTING_STATES } from '../../domain/posting.js';
import { html, type Html, type Part } from '../html.js';
import { count } from '../language/format.js';
import { mayDoIn, type Visit } from '../visit.js';
import { ago, chip, code, empty, healthChip, type Look, stateChip, withCode } from './parts.js';

const WHY_LOOKS: Partial<Readonly<Record<TenantOverview['health'], string>>> = {
  down: 'failed',
  'needs-you': 'needs-you',
  unconfirmed: 'needs-you',
};

export function tenantContent(visit: Visit, tenant: TenantOverview, configuration: string | null): Html {
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

export function findingsList(visit: Visit, findings: readonly ConnectionFinding[]): Html {
  const { tenants: text } = visit.text;
  return html`${findings.map(
    ({ side, severity, message, remedy }) =>
      html`<p>
        ${chip(FINDING_LOOKS[severity], text[side])} ${message}
        ${remedy !== null && html`<small>${withCode(remedy)}</small>`}
      </p>`,
  )}`;
}

export function trialsList({ text }: Visit, trials: readonly ChannelTrial[]): Html {
  if (trials.length === 0) return html`<p class="dim">${text.tenants.nobodyIsTold}</p>`;
  return html`${trials.map(
    ({ channel, delivered, answer }) =>
      html`<p>${chip(delivered ? 'posted' : 'failed', channel)} <small>${answer}</small></p>`,
  )}`;
}

export function schedulesContent(
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
