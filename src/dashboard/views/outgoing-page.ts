// The other direction: how it is for each company, what went and what waits, one of them with everything that was sent, and the plan.
import { SUBMISSION_STATES, type SubmissionState } from '../../domain/submission.js';
import type {
  OriginProblemView,
  OutgoingPlan,
  OutgoingStatus,
  SubmissionRow,
  SubmissionStory,
} from '../../operations/views/outgoing.js';
import { html, type Html } from '../html.js';
import { count } from '../language/format.js';
import { mayDo, type Visit } from '../visit.js';
import { conflictsPart } from './outgoing-conflicts.js';
import { ago, amount, chip, empty, link, type Look, note, titleOf } from './parts.js';

const LOOKS: Readonly<Record<SubmissionState, Look>> = {
  received: 'waiting',
  held: 'waiting',
  sending: 'waiting',
  unknown: 'needs-you',
  created: 'posted',
  acknowledged: 'posted',
  refused: 'failed',
  parked: 'needs-you',
  skipped: 'waiting',
  withdrawing: 'waiting',
  withdrawn: 'waiting',
};

export function outgoingContent(
  visit: Visit,
  statuses: readonly OutgoingStatus[],
  rows: readonly SubmissionRow[],
  state: SubmissionState | 'conflicts' | null,
  problems: readonly OriginProblemView[],
): Html {
  const { outgoing: text } = visit.text;
  if (statuses.length === 0)
    return html`<h1>${text.title}</h1>
      ${empty(text.offTitle, text.off)}`;
  const tab = (name: string, path: string, here: boolean) =>
    html`<a href="${path}" ${here && html`aria-current="page"`}>${name}</a>`;
  return html`<h1>${text.title}</h1>
    <p class="dim">${text.intro}</p>
    <ul class="causes">
      ${statuses.map((status) => statusItem(visit, status))}
    </ul>
    ${problemsPart(visit, problems)}
    <nav class="tabs" aria-label="${text.show}">
      ${tab(text.all, link(visit, '/outgoing'), state === null)}
      ${tab(text.conflicts, link(visit, '/outgoing', { conflicts: 'yes' }), state === 'conflicts')}
      ${SUBMISSION_STATES.map((one) => tab(text.states[one], link(visit, '/outgoing', { state: one }), state === one))}
    </nav>
    ${
      rows.length === 0
        ? empty(text.emptyTitle, text.empty)
        : html`<ul class="causes">
            ${rows.map((row) => rowItem(visit, row))}
          </ul>`
    }`;
}

function statusItem(visit: Visit, status: OutgoingStatus): Html {
  const { outgoing: text } = visit.text;
  const { tenantName, confirmed, paused, sentToday, perDay, problems, conflicts } = status;
  const act = (name: 'confirm' | 'pause' | 'resume') => {
    const path = `/outgoing/tenants/${tenantName}/${name}`;
    return html`<a class="button" href="${path}" hx-get="${path}" hx-target="#dialog"
      >${text.acts[name].name}</a
    >`;
  };
  return html`<li class="cause">
    <div>
      <h3>
        ${confirmed ? chip('posted', text.confirmed(confirmed.by)) : chip('needs-you', text.unconfirmed)} ·
        ${titleOf(visit, tenantName)}
      </h3>
      ${paused && note('info', text.paused(paused.by, paused.reason))}
      <p class="facts">
        ${(['waiting', 'underWay', 'needsYou'] as const).map((name) => liveFigure(visit, tenantName, name))}
        <span>${text.sent(sentToday, perDay ?? 0)}</span>
        ${problems > 0 && html`<span>${text.unreadable(problems)}</span>`}
        ${
          conflicts > 0 &&
          html`<a href="${link(visit, '/outgoing', { conflicts: 'yes' })}"
            >${text.inConflictCount(conflicts)}</a
          >`
        }
        <a href="/outgoing/tenants/${tenantName}/plan">${text.plan}</a>
      </p>
    </div>
    ${
      mayDo(visit.user, 'operator') &&
      html`<div class="acts">
        ${confirmed === null && act('confirm')} ${paused ? act('resume') : act('pause')}
      </div>`
    }
  </li>`;
}

/** Counts on by itself while somebody looks. */
function liveFigure(visit: Visit, tenantName: string, name: 'waiting' | 'underWay' | 'needsYou'): Html {
  const outgoing = visit.overview?.tenants.find((tenant) => tenant.name === tenantName)?.outgoing;
  return html`<span
    >${visit.text.outgoing.figures[name]}
    <span class="num" data-live="outgoing.${tenantName}.${name}">${count(outgoing?.[name] ?? 0)}</span></span
  >`;
}

function problemsPart(visit: Visit, problems: readonly OriginProblemView[]): Html | null {
  if (problems.length === 0) return null;
  return html`<h2>${visit.text.outgoing.problems}</h2>
    <ul class="plain-list">
      ${problems.map(({ place, problem, tenantName }) => html`<li>${titleOf(visit, tenantName)} <code>${place}</code> ${problem}</li>`)}
    </ul>`;
}

function nameOf(visit: Visit, { kind, reference }: Pick<SubmissionRow, 'kind' | 'reference'>): string {
  return `${visit.text.outgoing.kinds[kind]} ${reference}`;
}

function rowItem(visit: Visit, row: SubmissionRow): Html {
  const { outgoing: text } = visit.text;
  const path = `/outgoing/${row.id}`;
  return html`<li class="cause" data-href="${path}">
    <div>
      <h3>${chip(LOOKS[row.state], text.states[row.state])} · <a href="${path}">${nameOf(visit, row)}</a></h3>
      ${row.reason && html`<p>${row.reason.sentence}</p>`}
      ${row.conflicts.length > 0 && html`<p>${text.inConflict(row.conflicts.map(({ field }) => field).join(', '))}</p>`}
      <p class="facts">
        <span>${titleOf(visit, row.tenantName)}</span>
        <span>${row.counterparty}</span>
        ${row.amount !== null && html`<span>${amount(row.amount, row.currency ?? '')}</span>`}
        ${row.number !== null && html`<span>${row.number}</span>`}
        <span>${ago(visit, row.since)}</span>
      </p>
    </div>
  </li>`;
}

export function submissionContent(visit: Visit, story: SubmissionStory): Html {
  const { outgoing: text } = visit.text;
  const act = (name: SubmissionRow['acts'][number]) => {
    // Of fields it is said one by one, beside their values.
    if (name === 'settle') return null;
    const path = `/outgoing/${story.id}/${name}`;
    return html`<a class="button" href="${path}" hx-get="${path}" hx-target="#dialog"
      >${text.acts[name].name}</a
    >`;
  };
  // What is said of fields stands beside them.
  const canDo = story.canDo.filter(({ act: name }) => name !== 'settle');
  return html`<h1>${nameOf(visit, story)}</h1>
    <p>
      ${chip(LOOKS[story.state], text.states[story.state])} · ${titleOf(visit, story.tenantName)} ·
      ${ago(visit, story.since)}
    </p>
    <p>${story.sentence}</p>
    ${mayDo(visit.user, 'operator') && html`<div class="bar">${story.acts.map(act)}</div>`}
    ${
      canDo.length > 0 &&
      html`<ul class="plain-list dim">
        ${canDo.map(({ what }) => html`<li>${what}</li>`)}
      </ul>`
    }
    ${conflictsPart(visit, story)}
    <dl class="facts-list">
      ${fact(text.place, `${story.origin} ${story.place}`)} ${fact(text.mark, story.mark)}
      ${fact(text.atService, [story.number, story.guid].filter(Boolean).join(' · ') || '–')}
      ${story.paymentLink !== null && fact(text.paymentLink, story.paymentLink)}
      ${story.files.length > 0 && fact(text.files, story.files.map(({ name }) => name).join(', '))}
      ${story.attempts.length > 0 && fact(text.lookUp, story.lookUp)}
    </dl>
    ${
      story.attempts.length > 0 &&
      html`<h2>${text.requests}</h2>
        <ul class="plain-list">
          ${story.attempts.map(
            ({ number, startedAt, outcome, message }) =>
              html`<li>
                ${text.request(number)} · ${ago(visit, startedAt)} · ${outcomeWord(text.outcomes, outcome)}
                ${message ?? ''}
              </li>`,
          )}
        </ul>`
    }
    ${
      story.generated.length > 0 &&
      html`<h2>${text.generated}</h2>
        <ul class="plain-list">
          ${story.generated.map(({ number, guid }) => html`<li>${number} <code>${guid}</code></li>`)}
        </ul>`
    }
    <h2>${text.content}</h2>
    <div class="code"><pre tabindex="0">${JSON.stringify(story.content, null, 2)}</pre></div>`;
}

/** What another version of the bridge kept is shown as it stands. */
function outcomeWord(words: Readonly<Record<string, string>>, outcome: string | null): string {
  return words[outcome ?? 'unknown'] ?? outcome ?? '';
}

function fact(name: string, value: string): Html {
  return html`<dt>${name}</dt>
    <dd>${value}</dd>`;
}

export function outgoingPlanContent(
  visit: Visit,
  { planned, sums, isWhole, tenantName }: OutgoingPlan,
): Html {
  const { outgoing: text } = visit.text;
  const totals = sums.map(({ kind, currency, count: number, amount: sum }) => {
    const name = text.kinds[kind as keyof typeof text.kinds];
    return `${name}: ${String(number)}${currency === '' ? '' : ` (${sum} ${currency})`}`;
  });
  return html`<h1>${text.planTitle}: ${titleOf(visit, tenantName)}</h1>
    <p class="dim">${text.planIntro}</p>
    ${planned.length === 0 ? empty(text.planTitle, text.planEmpty) : html`<p>${totals.join(' · ')}</p>`}
    ${!isWhole && note('info', text.more)}
    <ul class="causes">
      ${planned.map(
        (row) =>
          html`<li class="cause">
            <div>
              <h3>
                ${row.problem === null ? chip('posted', text.wouldGo) : chip('failed', text.notSent)} ·
                <a href="/outgoing/${row.id}">${nameOf(visit, row)}</a>
              </h3>
              ${row.problem !== null && html`<p>${row.problem}</p>`}
              <p class="facts">
                <span>${row.counterparty}</span>
                ${row.amount !== null && html`<span>${amount(row.amount, row.currency ?? '')}</span>`}
                <span>${row.issueDate ?? ''}</span><span>${row.place}</span>
                ${row.files.length > 0 && html`<span>${text.files}: ${row.files.join(', ')}</span>`}
              </p>
            </div>
          </li>`,
      )}
    </ul>`;
}
