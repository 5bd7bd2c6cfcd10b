import type { FastifyInstance } from 'fastify';
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import type { RouteContext } from '../route-context.js';
import { plainActForm } from '../views/act-dialog.js';
import { field, goTo, sendHtml, sendPage } from './answer.js';
import { actOf } from './document.js';
import type { IncidentRow } from '../../operations/views/incident.js';
import { html, type Html } from '../html.js';
import { mayDo, type Visit } from '../visit.js';
import { incidentText } from '../views/condition-banner.js';
import { ago, chip, empty, link, type Look, titleOf, withCode } from '../views/parts.js';

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

const LOOKS: Readonly<Record<IncidentRow['severity'], Look>> = {
  info: 'waiting',
  warning: 'needs-you',
  critical: 'failed',
};

function incidentsContent(
  visit: Visit,
  items: readonly IncidentRow[],
  next: string | null,
  resolved: boolean,
): Html {
  const { incidents, frame } = visit.text;
  const tab = (name: string, path: string, here: boolean) =>
    html`<a href="${path}" ${here && html`aria-current="page"`}>${name}</a>`;
  const show = resolved ? 'resolved' : null;
  return html`<h1>${incidents.title}</h1>
    <nav class="tabs" aria-label="${incidents.show}">
      ${tab(incidents.open, link(visit, '/incidents'), !resolved)}
      ${tab(incidents.resolved, link(visit, '/incidents', { show: 'resolved' }), resolved)}
    </nav>
    ${
      items.length === 0
        ? empty(incidents.emptyTitle, incidents.empty)
        : html`<ul class="causes">
            ${together(items).map((alike) => incidentGroup(visit, alike))}
          </ul>`
    }
    <div class="pager">
      ${next !== null && html`<a href="${link(visit, '/incidents', { after: next, show })}">${frame.next} →</a>`}
    </div>`;
}

/** From here on documents that rest for the same cause are one row. */
const TOGETHER_FROM = 3;

/** Incidents about documents of one company with one cause, in the place of the first. */
export function together(items: readonly IncidentRow[]): IncidentRow[][] {
  const groups = new Map<string, IncidentRow[]>();
  for (const item of items) {
    const alike = item.postingId === null ? item.id : `${item.tenantName ?? ''} ${item.code} ${item.state}`;
    groups.set(alike, [...(groups.get(alike) ?? []), item]);
  }
  return [...groups.values()].flatMap((group) =>
    group.length < TOGETHER_FROM ? group.map((item) => [item]) : [group],
  );
}

function incidentGroup(visit: Visit, alike: readonly IncidentRow[]): readonly Html[] {
  const [first] = alike;
  if (!first || alike.length === 1) return alike.map((item) => incidentItem(visit, item));
  const { incidents } = visit.text;
  const { title, nextStep } = incidentText(visit, first);
  const documents = link(visit, '/documents', { tenant: first.tenantName ?? '', cause: first.code });
  return [
    html`<li class="cause">
      <details>
        <summary>
          ${chip(LOOKS[first.severity], title)} <span class="code-name">${first.code}</span>
          <span>${incidents.documents(alike.length)}</span> <span>${titleOf(visit, first.tenantName)}</span>
        </summary>
        <p><span class="dim">${incidents.nextStep}:</span> ${withCode(nextStep)}</p>
        <p><a href="${documents}">${visit.text.nav.documents}</a></p>
        <ul class="causes">
          ${alike.map((item) => incidentItem(visit, item))}
        </ul>
      </details>
    </li>`,
  ];
}

function incidentItem(visit: Visit, incident: IncidentRow): Html {
  const { incidents } = visit.text;
  const { title, details, nextStep } = incidentText(visit, incident);
  const about = incident.postingId === null ? null : `/documents/${incident.postingId}`;
  const act = (name: 'acknowledge' | 'resolve', primary: boolean) => {
    const path = `/incidents/${incident.id}/${name}`;
    return html`<a class="button ${primary && 'primary'}" href="${path}" hx-get="${path}" hx-target="#dialog"
      >${incidents[name]}</a
    >`;
  };
  return html`<li class="cause" ${about !== null && html`data-href="${about}"`}>
    <div>
      <h3>
        ${chip(LOOKS[incident.severity], title)}
        <span class="code-name">${incident.code}</span>
      </h3>
      <p>${details}</p>
      <p><span class="dim">${incidents.nextStep}:</span> ${withCode(nextStep)}</p>
      <p class="facts">
        <span>${incidents.states[incident.state]}</span>
        <span>${titleOf(visit, incident.tenantName)}</span>
        <span>${ago(visit, incident.lastSeenAt)}</span>
        ${incident.count > 1 && html`<span>${incidents.times(incident.count)}</span>`}
        ${about !== null && html`<a href="${about}">${visit.text.nav.documents}</a>`}
        ${
          incident.resolution !== null &&
          html`<span>${incidents.resolvedBy} ${incident.resolvedBy ?? ''}: ${incident.resolution}</span>`
        }
      </p>
    </div>
    ${
      incident.state !== 'resolved' &&
      mayDo(visit.user, 'operator') &&
      html`<div class="acts">
        ${act('resolve', true)} ${incident.state === 'open' && act('acknowledge', false)}
      </div>`
    }
  </li>`;
}
