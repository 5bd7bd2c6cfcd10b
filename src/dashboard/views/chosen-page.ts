// One act on many documents: how many were chosen and why it is done; then what came of each.
import type { ActResult } from '../../operations/views/act.js';
import { html, type Html } from '../html.js';
import type { Visit } from '../visit.js';
import type { ChosenAct } from './documents-page.js';
import { csrfField, note, reasonField } from './parts.js';

export function chosenContent(visit: Visit, act: ChosenAct, ids: readonly string[]): Html {
  const { documents, actions, frame } = visit.text;
  return html`<h1>${documents[`${act}Chosen`]}</h1>
    <p>${documents.chosenWhat(ids.length)} ${actions[act].what}</p>
    <form method="post" action="/documents/chosen/${act}/done" class="narrow">
      ${csrfField(visit)} ${ids.map((id) => html`<input type="hidden" name="id" value="${id}" />`)}
      ${reasonField(visit)}
      <div class="bar">
        <button class="primary" type="submit">${documents[`${act}Chosen`]}</button>
        <a class="button" href="/documents">${frame.cancel}</a>
      </div>
    </form>`;
}

export function chosenDone(visit: Visit, act: ChosenAct, { done, refused }: ActResult): Html {
  const { documents } = visit.text;
  return html`<h1>${documents[`${act}Chosen`]}</h1>
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
