// What the overview says first. Green only when nothing needs a person, by the same list as `status --check`.
import type { Condition } from '../../domain/condition.js';
import { conditionText, type ConditionText } from '../../language/conditions/condition-text.js';
import { incidentText as textOfIncident } from '../../language/incidents/incident-text.js';
import { needingAPerson } from '../../operations/conditions.js';
import type { IncidentRow } from '../../operations/views/incident.js';
import type { Overview } from '../../operations/views/overview.js';
import { html, type Html } from '../html.js';
import type { Visit } from '../visit.js';
import { chip, link, titleOf } from './parts.js';

const SHOWN_MAX = 5;

/** A tenant is called there what people call it. */
export function incidentText(visit: Visit, incident: IncidentRow): ConditionText {
  return textOfIncident(visit.language, incident, titleOf(visit, incident.tenantName));
}

export function banner(visit: Visit, overview: Overview): Html {
  const needed = needingAPerson(overview).filter(
    ({ tenant }) => visit.tenant === null || tenant === null || tenant === visit.tenant,
  );
  if (needed.length === 0) return allClear(visit);
  // Causes are on a page of their own, so here they are one line.
  const others = needed.filter(({ code }) => code !== 'DOCUMENTS_REST');
  const { overview: text } = visit.text;
  const more = others.length - SHOWN_MAX;
  const alarms = others.filter(({ severity }) => severity === 'critical').slice(0, SHOWN_MAX);
  const rest = others.filter(({ severity }) => severity !== 'critical').slice(0, SHOWN_MAX - alarms.length);
  return html`${alarms.map((condition) => line(visit, condition))}
  ${needed.length > others.length && causes(visit, overview)}
  ${rest.map((condition) => line(visit, condition))}
  ${
    more > 0 &&
    html`<a class="banner needs" href="${link(visit, '/tenants')}"
      >${chip('failed', text.moreConditions(more))}</a
    >`
  }`;
}

function allClear({ text }: Visit): Html {
  return html`<p class="banner">
    ${chip('posted', text.overview.nothingNeeded)}
    <span class="dim">${text.overview.nothingNeededMore}</span>
  </p>`;
}

function causes(visit: Visit, { totals, conditions }: Overview): Html {
  const { overview: text } = visit.text;
  const isCritical = conditions.some(
    ({ code, severity }) => code === 'DOCUMENTS_REST' && severity === 'critical',
  );
  return html`<a class="banner needs" href="${link(visit, '/problems')}">
    ${chip(isCritical ? 'failed' : 'needs-you', text.needsYou(totals.causes, totals.needsYou))}
    <span class="go">${text.toProblems} →</span>
  </a>`;
}

function line(visit: Visit, condition: Condition): Html {
  const { title, details, nextStep } = conditionText(
    visit.language,
    condition,
    titleOf(visit, condition.tenant),
  );
  const look = condition.severity === 'critical' ? 'failed' : 'needs-you';
  return html`<a class="banner needs" href="${placeOf(condition)}" title="${details}">
    ${chip(look, title)}
    <span class="go">${nextStep}</span>
  </a>`;
}

/** Where something can be done about it. */
function placeOf(condition: Condition): string {
  const { tenant } = condition;
  if (condition.code === 'INCIDENT_OPEN') return '/incidents';
  if (tenant === null) return '/queues';
  switch (condition.code) {
    case 'PLAN_UNCONFIRMED':
      return `/plan?tenant=${tenant}`;
    case 'REVERSAL_UNFINISHED':
      return `/documents/${condition.params.posting}`;
    case 'OUTGOING_UNCONFIRMED':
      return `/outgoing/tenants/${tenant}/plan`;
    case 'SUBMISSIONS_NEED_A_PERSON':
      return `/outgoing?tenant=${tenant}&state=${condition.params.state}`;
    default:
      return `/tenants/${tenant}`;
  }
}
