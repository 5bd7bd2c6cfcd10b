// Replay of a selection or of a whole cause: preview, start, progress.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ACTS } from '../../operations/acts.js';
import { readText } from '../../operations/fields.js';
import type { Selection } from '../../operations/run-records.js';
import type { RouteContext } from '../route-context.js';
import { filtersOf, queryOf } from './lists.js';
import { field, fields, goTo, sendHtml, sendPage } from './answer.js';
import { actOf } from './document.js';
import type { ReplayPreview, RunView } from '../../operations/views/act.js';
import { html, type Html } from '../html.js';
import { count } from '../language/format.js';
import type { Visit } from '../visit.js';
import { ago, chip, csrfField, empty, note, reasonField } from '../views/parts.js';

const VIEWER = { config: { access: 'viewer' } } as const;
const OPERATOR = { config: { access: 'operator' } } as const;
/** As many as one page of documents can choose. */
const CHOSEN_MAX = 500;

export function addReplay(app: FastifyInstance, context: RouteContext): void {
  const preview = async (request: FastifyRequest, reply: FastifyReply, chosen: Chosen) => {
    const content = previewContent(
      request.visit,
      await request.within.operations.previewReplay(selectionOf(chosen)),
      chosen,
    );
    const { title } = request.visit.text.replay;
    return sendPage(request, reply, context, { title, here: 'problems', content });
  };
  app.get('/replay', OPERATOR, (request, reply) => preview(request, reply, chosenOf(request.query)));
  app.post('/replay', OPERATOR, (request, reply) => preview(request, reply, chosenOf(request.body)));

  app.post('/replay/start', OPERATOR, async (request, reply) => {
    const { perSecond } = ACTS.replay.input;
    const pace = readText(perSecond, field(request.body, 'perSecond', perSecond.charactersMax));
    const run = await request.within.operations.startReplay(
      selectionOf(chosenOf(request.body)),
      actOf(request),
      { perSecond: pace as number | undefined },
    );
    // Whoever runs workers finds the run on record and works it off; this process need not be one of them.
    context.pulse.touch();
    return goTo(request, reply, `/replay/${run.id}`);
  });

  app.get('/replays', VIEWER, async (request, reply) => {
    const content = runsContent(request.visit, await request.within.operations.runs());
    const title = request.visit.text.replay.recent;
    return sendPage(request, reply, context, { title, here: 'problems', content });
  });

  app.get<{ Params: { id: string } }>('/replay/:id', VIEWER, async (request, reply) => {
    const run = await request.within.operations.run(request.params.id);
    if (request.visit.partial) return sendHtml(reply, runProgress(request.visit, run));
    const { title } = request.visit.text.replay;
    return sendPage(request, reply, context, {
      title,
      here: 'problems',
      content: runContent(request.visit, run),
    });
  });
}

function chosenOf(source: unknown): Chosen {
  return {
    ids: fields(source, 'id', CHOSEN_MAX),
    cause: field(source, 'cause', 400),
    tenant: field(source, 'tenant', 40),
    search: field(source, 'search', 2_000),
  };
}

function selectionOf({ ids, cause, tenant, search }: Chosen): Selection {
  if (search !== '') {
    // Read as the list reads its address, so that it is about the documents that were shown.
    const asked = Object.fromEntries(new URLSearchParams(search));
    const { after: _, order: __, ...found } = queryOf(filtersOf(asked), asked['tenant'] ?? null);
    return { search: found };
  }
  return {
    ...(ids.length > 0 ? { postingIds: ids } : {}),
    ...(cause === '' ? {} : { cause }),
    ...(tenant === '' ? {} : { tenant }),
  };
}

// Replay of many: first what would happen, then how far it is.

/** What the form carries on from the preview. */
interface Chosen {
  readonly ids: readonly string[];
  readonly cause: string;
  readonly tenant: string;
  /** Filters of the list of documents, as they stand in its address: whatever they find. */
  readonly search: string;
}

function previewContent(visit: Visit, preview: ReplayPreview, chosen: Chosen): Html {
  const { replay } = visit.text;
  const [fit, not] = [true, false].map((eligible) =>
    preview.groups.filter((group) => group.eligible === eligible),
  );
  const groups = (list: ReplayPreview['groups']) =>
    html`<ul class="plain-list">
      ${list.map((group) => html`<li><strong class="num">${count(group.count)}</strong> ${group.sentence}</li>`)}
    </ul>`;
  return html`<h1>${replay.preview(preview.eligible, preview.total)}</h1>
    ${preview.tooMany && note('info', replay.tooMany(preview.total))}
    ${preview.restsAgain > 0 && note('info', replay.restsAgain(preview.restsAgain))}
    ${preview.eligible > 0 && html`<p>${replay.what}</p>`} ${groups(fit ?? [])}
    ${
      (not ?? []).length > 0 &&
      html`<h2>${replay.ineligible}</h2>
        ${groups(not ?? [])}`
    }
    ${preview.eligible === 0 ? html`<p class="dim">${replay.nothing}</p>` : startForm(visit, preview, chosen)}`;
}

function startForm(visit: Visit, preview: ReplayPreview, { ids, cause, tenant, search }: Chosen): Html {
  const { replay } = visit.text;
  return html`<form
    method="post"
    action="/replay/start"
    hx-post="/replay/start"
    hx-disabled-elt="find button[type=submit]"
    class="narrow"
  >
    ${csrfField(visit)} ${ids.map((id) => html`<input type="hidden" name="id" value="${id}" />`)}
    ${cause !== '' && html`<input type="hidden" name="cause" value="${cause}" />`}
    ${search !== '' && html`<input type="hidden" name="search" value="${search}" />`}
    ${tenant !== '' && html`<input type="hidden" name="tenant" value="${tenant}" />`}
    <label class="field"
      >${replay.perSecond}<input
        type="number"
        name="perSecond"
        min="1"
        max="1000"
        value="${preview.perSecond}"
    /></label>
    ${reasonField(visit)}
    <button class="primary" type="submit">${replay.start(preview.eligible)}</button>
  </form>`;
}

function runContent(visit: Visit, run: RunView): Html {
  const { replay } = visit.text;
  return html`<h1>${replay.title}: ${run.reason}</h1>
    <p class="dim">${replay.by} ${run.actor} · ${ago(visit, run.createdAt)}</p>
    ${runProgress(visit, run)}`;
}

/** Asks for itself again until everything has arrived, or nothing more will. */
function runProgress(visit: Visit, run: RunView): Html {
  const { replay } = visit.text;
  const settled = run.state === 'done' && (run.arrived + run.rested >= run.moved || tooOld(visit, run));
  return html`<section
    id="run"
    ${!settled && html`hx-get="/replay/${run.id}" hx-trigger="every 1s" hx-swap="outerHTML"`}
  >
    <h2>${replay.progress}</h2>
    <progress
      max="${run.total}"
      value="${Math.min(run.total, run.refused + run.arrived + run.rested)}"
      aria-label="${replay.progress}"
    ></progress>
    <div class="progress-facts">
      <span><strong class="num">${count(run.done)}</strong> / ${count(run.total)}</span>
      <span>${chip('working', replay.moved)} <strong class="num">${count(run.moved)}</strong></span>
      <span
        >${chip('posted', replay.inBooks)}
        <strong class="num" data-arrived>${count(run.arrived)}</strong></span
      >
      ${
        run.rested > 0 &&
        html`<span
          >${chip('needs-you', replay.rested)}
          <strong class="num" data-rested>${count(run.rested)}</strong></span
        >`
      }
      <span>${chip('quiet', replay.refused)} <strong class="num">${count(run.refused)}</strong></span>
    </div>
    <p>${settled ? replay.done : replay.running} <a href="/replays">${replay.recent}</a></p>
    ${run.rests.map(({ why, count: documents }) => html`<p><strong class="num">${count(documents)}</strong> ${why}</p>`)}
    ${run.refusals.map(({ why, count: documents }) => html`<p><strong class="num">${count(documents)}</strong> ${why}</p>`)}
  </section>`;
}

const WATCHED_MS = 10 * 60_000;

/** What has not arrived by then waits for a reason of its own; the lists show it. */
function tooOld(visit: Visit, { finishedAt }: RunView): boolean {
  return finishedAt !== null && visit.now.getTime() - Date.parse(finishedAt) > WATCHED_MS;
}

function runsContent(visit: Visit, runs: readonly RunView[]): Html {
  const { replay } = visit.text;
  return html`<h1>${replay.recent}</h1>
    ${
      runs.length === 0
        ? empty(replay.noneYet, replay.what)
        : html`<table class="rows">
            <tbody>
              ${runs.map(
                (run) =>
                  html`<tr data-href="/replay/${run.id}">
                    <td class="at-a"><a href="/replay/${run.id}">${run.reason}</a></td>
                    <td class="at-c">${run.actor} · ${ago(visit, run.createdAt)}</td>
                    <td class="num at-d">${count(run.arrived)} ${replay.inBooks}</td>
                    <td class="num at-d">${run.rested > 0 && html`${count(run.rested)} ${replay.rested}`}</td>
                    <td class="num at-d">${count(run.refused)} ${replay.refused}</td>
                    <td class="num at-b">${count(run.done)} / ${count(run.total)}</td>
                  </tr>`,
              )}
            </tbody>
          </table>`
    }`;
}
