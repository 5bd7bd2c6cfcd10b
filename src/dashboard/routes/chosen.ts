// What is done with many documents at once: hold, release, skip; and the list as a file.
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import { type Action, actNamed } from '../../operations/acts.js';
import { DOCUMENTS } from '../../operations/document-list.js';
import { csvLine } from '../../operations/export.js';
import { allThatFit } from '../../operations/find-documents.js';
import { csvColumns } from '../../operations/list.js';
import type { DocumentRow } from '../../operations/views/document.js';
import type { RouteContext } from '../route-context.js';
import { CHOSEN_ACTS } from '../views/documents-page.js';
import { fields, sendPage } from './answer.js';
import { actOf } from './document.js';
import { filtersOf, queryOf } from './lists.js';
import type { ActResult } from '../../operations/views/act.js';
import { html, type Html } from '../html.js';
import type { Visit } from '../visit.js';
import { csrfField, note, reasonField } from '../views/parts.js';

const OPERATOR = { config: { access: 'operator' } } as const;
/** Names as in the API, so that a spreadsheet and a program call the same thing the same. */
const CSV = csvColumns(DOCUMENTS.columns);

interface OneAct {
  Params: { what: string };
}

export function addChosen(app: FastifyInstance, context: RouteContext): void {
  app.post<OneAct>('/documents/chosen/:what', OPERATOR, (request, reply) => {
    const act = actName(request.params.what);
    const content = chosenContent(request.visit, act, fields(request.body, 'id', actNamed(act).atOnce));
    const title = request.visit.text.actions[act].name;
    return sendPage(request, reply, context, { title, here: 'documents', content });
  });

  app.post<OneAct>('/documents/chosen/:what/done', OPERATOR, async (request, reply) => {
    const act = actName(request.params.what);
    const ids = fields(request.body, 'id', actNamed(act).atOnce);
    const result = await request.within.operations.act(act, ids, {}, actOf(request));
    context.pulse.touch();
    const content = chosenDone(request.visit, act, result as ActResult);
    const title = request.visit.text.actions[act].name;
    return sendPage(request, reply, context, { title, here: 'documents', content });
  });

  app.get(
    '/documents/csv',
    { config: { access: 'viewer', exports: 'documents' } },
    async (request, reply) => {
      const { operations } = request.within;
      const { after: _, ...query } = queryOf(filtersOf(request.query), request.visit.tenant);
      const pages = allThatFit((asked) => operations.documents(asked), query);
      // A question that cannot be answered is answered with a page; from the first rows on there is a file.
      const first = await pages.next();
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="documents.csv"')
        .send(Readable.from(csvOf(first.done ? [] : first.value, pages)));
    },
  );
}

async function* csvOf(
  first: readonly DocumentRow[],
  others: AsyncIterable<readonly DocumentRow[]>,
): AsyncGenerator<string> {
  const lines = (rows: readonly DocumentRow[]) =>
    rows.map((row) => csvLine(CSV.map(([, { value }]) => value(row)))).join('');
  yield csvLine(CSV.map(([name]) => name)) + lines(first);
  for await (const rows of others) yield lines(rows);
}

function actName(text: string): Action {
  const act = CHOSEN_ACTS.find((known) => known === text);
  if (act) return act;
  throw coded('ACT_NOT_POSSIBLE', message('NO_SUCH_ACT', { act: text.slice(0, 40) }));
}

// One act on many documents: how many were chosen and why it is done; then what came of each.

function chosenContent(visit: Visit, act: Action, ids: readonly string[]): Html {
  const { documents, actions, frame } = visit.text;
  return html`<h1>${actions[act].name}</h1>
    <p>${documents.chosenWhat(ids.length)} ${actions[act].what}</p>
    <form method="post" action="/documents/chosen/${act}/done" class="narrow">
      ${csrfField(visit)} ${ids.map((id) => html`<input type="hidden" name="id" value="${id}" />`)}
      ${reasonField(visit)}
      <div class="bar">
        <button class="primary" type="submit">${actions[act].name}</button>
        <a class="button" href="/documents">${frame.cancel}</a>
      </div>
    </form>`;
}

function chosenDone(visit: Visit, act: Action, { done, refused }: ActResult): Html {
  const { actions, documents } = visit.text;
  return html`<h1>${actions[act].name}</h1>
    ${note('ok', documents.chosenDone(done.length))}
    ${refused.length > 0 && html`<p>${done.map((id) => html`<a href="/documents/${id}">${id.slice(0, 8)}</a> `)}</p>`}
    ${
      refused.length > 0 &&
      html`<section>
        <h2>${documents.chosenRefused}</h2>
        <ul>
          ${refused.map(
            ({ postingId, why }) =>
              html`<li><a href="/documents/${postingId}">${postingId.slice(0, 8)}</a>: ${why}</li>`,
          )}
        </ul>
      </section>`
    }
    <p><a href="/documents">${documents.back}</a></p>`;
}
