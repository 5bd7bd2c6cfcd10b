// The other direction: seen by whoever may look, steered by operators.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CodedError } from '../../domain/errors/coded-error.js';
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import { SUBMISSION_STATES, type SubmissionState } from '../../domain/submission.js';
import type { RouteContext } from '../route-context.js';
import { plainActForm } from '../views/act-dialog.js';
import { html, type Html } from '../html.js';
import { SUBMISSION_ACTS, type SubmissionAct } from '../../operations/outgoing/submission-acts.js';
import { field, goTo, sendHtml, sendPage } from './answer.js';
import { actOf } from './document.js';
import type {
  OriginProblemView,
  OutgoingPlan,
  OutgoingStatus,
  SubmissionRow,
  SubmissionStory,
} from '../../operations/views/outgoing.js';
import { count } from '../language/format.js';
import { mayDo, type Visit } from '../visit.js';
import { ago, amount, chip, empty, link, type Look, note, titleOf } from '../views/parts.js';

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

// The other direction: how it is for each company, what went and what waits, one of them with everything that was sent, and the plan.

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

function outgoingContent(
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

function submissionContent(visit: Visit, story: SubmissionStory): Html {
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

function outgoingPlanContent(visit: Visit, { planned, sums, isWhole, tenantName }: OutgoingPlan): Html {
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

// Fields that an origin and the service have both changed: both values side by side, and whose holds.

type Conflict = SubmissionRow['conflicts'][number];
type ConflictSide = 'origin' | 'service';

function conflictsPart(visit: Visit, row: SubmissionRow): Html | null {
  const { outgoing: text } = visit.text;
  if (row.conflicts.length === 0) return null;
  const maySettle = mayDo(visit.user, 'operator') && row.acts.includes('settle');
  return html`<h2>${text.conflicts}</h2>
    ${note('info', text.conflictsIntro)}
    ${row.agreedAt !== null && html`<p class="dim">${text.conflictSeen} ${ago(visit, row.agreedAt)}</p>`}
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>${text.field}</th>
            <th>${text.agreedBefore}</th>
            <th>${text.atOrigin(row.origin)}</th>
            <th>${text.atService}</th>
          </tr>
        </thead>
        <tbody>
          ${row.conflicts.map((conflict) => conflictRow(visit, row, conflict, maySettle))}
        </tbody>
      </table>
    </div>`;
}

function conflictRow(visit: Visit, { id }: SubmissionRow, conflict: Conflict, maySettle: boolean): Html {
  const { outgoing: text } = visit.text;
  const button = (take: ConflictSide) => {
    const path = `/outgoing/${id}/settle?field=${encodeURIComponent(conflict.field)}&take=${take}`;
    return html`<br /><a class="button" href="${path}" hx-get="${path}" hx-target="#dialog"
        >${text.take[take]}</a
      >`;
  };
  return html`<tr>
    <td><code>${conflict.field}</code></td>
    <td>${valueOrNone(visit, conflict.agreed.service)}</td>
    <td>${valueOrNone(visit, conflict.origin)}${maySettle && button('origin')}</td>
    <td>${valueOrNone(visit, conflict.service)}${maySettle && button('service')}</td>
  </tr>`;
}

function valueOrNone(visit: Visit, value: string): Html {
  return value === '' ? html`<span class="dim">${visit.text.outgoing.noValue}</span>` : html`${value}`;
}

/** The values that were shown go with the form: what is said holds for them only. */
function settleAsks(visit: Visit, conflict: Conflict, take: ConflictSide): Html {
  const { outgoing: text } = visit.text;
  const hidden = (name: string, value: string) =>
    html`<input type="hidden" name="${name}" value="${value}" />`;
  return html`<dl class="facts-list">
      <dt>${text.field}</dt>
      <dd><code>${conflict.field}</code></dd>
      <dt>${text.holds}</dt>
      <dd>${valueOrNone(visit, conflict[take])}</dd>
      <dt>${text.givenUp}</dt>
      <dd>${valueOrNone(visit, conflict[take === 'origin' ? 'service' : 'origin'])}</dd>
    </dl>
    ${hidden('field', conflict.field)} ${hidden('take', take)} ${hidden('origin', conflict.origin)}
    ${hidden('service', conflict.service)}`;
}

/** Which of several customers is meant. */
function useAsks(visit: Visit): Html {
  return html`<label
    >${visit.text.outgoing.customerGuid}
    <input name="guid" required maxlength="64" autocomplete="off" spellcheck="false"
  /></label>`;
}
