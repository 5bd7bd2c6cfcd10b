// The inbox: what is missing, what the file would be with it, and saving that.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CodedError } from '../../domain/errors/coded-error.js';
import { errorText } from '../../language/coded.js';
import { remedyText } from '../../language/remedies.js';
import type { RouteContext } from '../route-context.js';
import { field, fields, goTo, sendPage } from './answer.js';
import type { FileProblem, InboxRow, MendPreview } from '../../operations/views/problem.js';
import { html, type Html } from '../html.js';
import { mayDoIn, type Visit } from '../visit.js';
import {
  age,
  chip,
  code,
  csrfField,
  empty,
  link,
  note,
  reasonField,
  titleOf,
  withCode,
} from '../views/parts.js';

const VIEWER = { config: { access: 'viewer' } } as const;
const ADMIN = { config: { access: 'admin' } } as const;
const FILLS_MAX = 500;

export function addInbox(app: FastifyInstance, context: RouteContext): void {
  app.get('/inbox', VIEWER, async (request, reply) => {
    const { visit } = request;
    const rows = await request.within.operations.inbox(visit.tenant ?? undefined);
    const facts = { rows, editable: context.filesEditable, saved: field(request.query, 'saved') !== '' };
    const { title } = visit.text.inbox;
    const content = inboxContent(visit, facts);
    return sendPage(request, reply, context, { title, here: 'inbox', content, watches: true });
  });
  app.post('/inbox/preview', ADMIN, (request, reply) => showChange(context, request, reply, null));
  app.post('/inbox/save', ADMIN, async (request, reply) => {
    const { body, visit } = request;
    const tenant = field(body, 'tenant', 60);
    const act = { actor: visit.user?.login ?? '', reason: field(body, 'reason') };
    try {
      await request.within.operations.mend(tenant, fillsOf(body), field(body, 'base', 40), act);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      const problem = `${errorText(visit.language, error)} ${remedyText(visit.language, error)}`;
      return showChange(context, request, reply, problem);
    }
    context.pulse.touch();
    return goTo(request, reply, `/inbox?tenant=${encodeURIComponent(tenant)}&saved=yes`);
  });
}

async function showChange(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  problem: string | null,
): Promise<FastifyReply> {
  const { visit, body } = request;
  const fills = fillsOf(body);
  const preview = await request.within.operations.previewMend(field(body, 'tenant', 60), fills);
  const content = mendContent(visit, preview, fills, problem);
  const status = problem === null && preview.problems.length === 0 ? 200 : 400;
  return sendPage(request, reply, context, { title: visit.text.inbox.title, here: 'inbox', content }, status);
}

/** Cause → what was written; what was left empty is left out. */
function fillsOf(body: unknown): Map<string, string> {
  const [ids, values] = [fields(body, 'id', FILLS_MAX), fields(body, 'value', FILLS_MAX)];
  return new Map(
    ids.map((id, index) => [id, values[index] ?? ''] as const).filter(([, value]) => value !== ''),
  );
}

// What is missing in tenant files, a company at a time: filled in here where that is allowed, looked at as a difference of the
// file, and saved; or copied into the file by hand.

interface InboxFacts {
  readonly rows: readonly InboxRow[];
  /** Whether whoever runs the bridge allows it at all. */
  readonly editable: boolean;
  readonly saved: boolean;
}

function inboxContent(visit: Visit, { rows, editable, saved }: InboxFacts): Html {
  const { inbox } = visit.text;
  const done = saved && note('ok', inbox.saved);
  if (rows.length === 0)
    return html`<h1>${inbox.title}</h1>
      ${done} ${empty(inbox.emptyTitle, inbox.empty)}`;
  const companies = [...new Set(rows.map(({ tenantName }) => tenantName))];
  return html`<h1>${inbox.title}</h1>
    ${done}
    <p class="dim">${editable ? inbox.introEditable : inbox.intro}</p>
    ${companies.map((name) =>
      company(
        visit,
        name,
        rows.filter(({ tenantName }) => tenantName === name),
        editable && mayDoIn(visit.user, name, 'admin'),
      ),
    )}`;
}

function company(visit: Visit, name: string, rows: readonly InboxRow[], editable: boolean): Html {
  const { inbox } = visit.text;
  const items = html`<ul class="causes">
    ${rows.map((row) => inboxItem(visit, row, editable))}
  </ul>`;
  const heading = html`<h2>${titleOf(visit, name)} <code class="dim">${rows[0]?.mend.file ?? ''}</code></h2>`;
  if (!editable || rows.every(({ mend }) => mend.fill === null))
    return html`<section>${heading} ${items}</section>`;
  return html`<section>
    ${heading}
    <form method="post" action="/inbox/preview" class="mend">
      ${csrfField(visit)}<input type="hidden" name="tenant" value="${name}" />
      ${items}
      <p><button type="submit" class="primary">${inbox.preview}</button></p>
    </form>
  </section>`;
}

function inboxItem(visit: Visit, row: InboxRow, editable: boolean): Html {
  const { inbox } = visit.text;
  const documents = link(visit, '/documents', { cause: row.id, tenant: row.tenantName });
  return html`<li class="cause" data-href="${documents}">
    <div>
      <h3>
        ${chip('needs-you', row.subject === '' ? row.sentence : row.subject)}
        <span class="code-name">${row.code}</span>
      </h3>
      ${row.subject !== '' && html`<p>${row.sentence}</p>`}
      <p class="facts">
        <a href="${documents}">${inbox.waiting(row.count)}</a>
        <span>${inbox.from} ${age(visit, row.firstSeenAt)}</span>
      </p>
      ${editable && row.mend.fill !== null ? fillField(visit, row, row.mend.fill) : byHand(visit, row)}
    </div>
  </li>`;
}

function fillField(visit: Visit, row: InboxRow, fill: NonNullable<InboxRow['mend']['fill']>): Html {
  const { inbox } = visit.text;
  return html`<input type="hidden" name="id" value="${row.id}" />
    <label class="fill"
      >${inbox.fills[fill]}<input
        name="value"
        maxlength="200"
        autocomplete="off"
        spellcheck="false"
        ${row.mend.suggestions.length > 0 && html`list="${listOf(row)}"`}
        ${fill === 'rate' && html`inputmode="decimal"`}
    /></label>
    ${suggestions(visit, row)}
    <details>
      <summary>${inbox.byHand}</summary>
      ${byHand(visit, row)}
    </details>`;
}

const listOf = (row: InboxRow) => `suggested-${row.tenantName}-${row.id}`.replaceAll(/[^\w-]/g, '-');

/** Offered by the field, with what they rest on beside it; nothing is filled in by itself. */
function suggestions(visit: Visit, row: InboxRow): Html {
  const { inbox } = visit.text;
  const { suggestions: known } = row.mend;
  if (known.length === 0) return html``;
  return html`<datalist id="${listOf(row)}">
      ${known.map(({ value }) => html`<option value="${value}"></option>`)}
    </datalist>
    <ul class="dim suggested">
      ${known.map((one) => html`<li><code>${one.value}</code> ${inbox.suggested(one)}</li>`)}
    </ul>`;
}

function byHand(visit: Visit, row: InboxRow): Html {
  const { inbox } = visit.text;
  return html`<p>
      ${inbox.addTo} <code>${row.mend.file}</code>
      ${row.mend.where !== 'tenant-file' && html`<span class="dim">${inbox.inErp}</span>`}
    </p>
    ${code(visit, row.mend.example)}`;
}

/** What was written, and what the file would be. */
function mendContent(
  visit: Visit,
  preview: MendPreview,
  fills: ReadonlyMap<string, string>,
  problem: string | null,
): Html {
  const { inbox, frame } = visit.text;
  const refused = preview.problems.length > 0;
  return html`<h1>${inbox.previewTitle(titleOf(visit, preview.tenantName))}</h1>
    ${problem !== null && note('error', problem)}
    <p><code>${preview.file}</code></p>
    ${difference(visit, preview)}
    ${refused && note('error', html`${inbox.invalid} ${preview.problems.map((one) => html`<br />${problemPlace(visit, one)} ${withCode(one.message)} ${withCode(one.remedy)}`)}`)}
    ${preview.erp.map((one) => html`<p>${chip('needs-you', one.message)} <small>${withCode(one.remedy)}</small></p>`)}
    <form method="post" action="/inbox/save" class="narrow">
      ${csrfField(visit)}<input type="hidden" name="tenant" value="${preview.tenantName}" />
      <input type="hidden" name="base" value="${preview.base}" />
      ${[...fills].map(
        ([id, value]) =>
          html`<input type="hidden" name="id" value="${id}" /><input
              type="hidden"
              name="value"
              value="${value}"
            />`,
      )}
      ${!refused && html`<p>${inbox.saveWhat}</p>`} ${!refused && reasonField(visit)}
      <p class="bar">
        ${!refused && html`<button type="submit" class="primary">${inbox.save}</button>`}
        <a class="button" href="/inbox?tenant=${preview.tenantName}">${frame.cancel}</a>
      </p>
    </form>`;
}

function problemPlace({ text }: Visit, { line, path }: FileProblem): Html {
  return html`${text.inbox.line(line)}${path !== '' && html`, <code>${path}</code>`}:`;
}

const NAMES = { ' ': 'same', '+': 'in', '-': 'out', '…': 'fold' } as const;

function difference(visit: Visit, { changes }: MendPreview): Html {
  return html`<div class="code">
    <pre tabindex="0" class="difference" aria-label="${visit.text.inbox.difference}">
${changes.map(({ sign, text }) => html`<span class="line-${NAMES[sign]}">${`${sign} ${text}`} </span>`)}</pre>
  </div>`;
}
