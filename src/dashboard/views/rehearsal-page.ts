// A rehearsal: rules that are not in force, over every document on record.
import type { Rehearsal } from '../../operations/rehearsal/rehearsal.js';
import { html, type Html } from '../html.js';
import type { Visit } from '../visit.js';
import { csrfField, note } from './parts.js';

export interface RehearsalAsked {
  readonly tenant: string;
  readonly rules: string;
  readonly since: string;
}

const DOCUMENTS_SHOWN_MAX = 100;

export function rehearsalContent(visit: Visit, asked: RehearsalAsked, made: Rehearsal | null): Html {
  const { rehearsal: text, overview } = visit.text;
  return html`<h1>${text.title}</h1>
    <p class="dim">${text.intro}</p>
    <form method="post" action="/rehearsal" class="narrow">
      ${csrfField(visit)}
      <label class="field"
        >${overview.tenant}<select name="tenant" required>
          ${(visit.overview?.tenants ?? []).map(
            ({ name, title }) =>
              html`<option value="${name}" ${name === asked.tenant && html`selected`}>${title}</option>`,
          )}
        </select></label
      >
      <label class="field">${text.since}<input type="date" name="since" value="${asked.since}" /></label>
      <label class="field"
        >${text.rules}<textarea name="rules" rows="12" maxlength="60000">${asked.rules}</textarea>
      </label>
      <button class="primary" type="submit">${text.run}</button>
    </form>
    ${made !== null && resultPart(visit, made)}`;
}

function resultPart(visit: Visit, made: Rehearsal): Html {
  const { rehearsal: text, kinds } = visit.text;
  const more = made.changed - Math.min(made.documents.length, DOCUMENTS_SHOWN_MAX);
  return html`<section id="result">
    ${note(made.changed === 0 ? 'ok' : 'info', `${text.result(made.examined, made.changed)} ${made.changed === 0 ? text.nothing : ''}`)}
    ${made.withoutLookUps > 0 && html`<p class="dim">${text.withoutLookUps(made.withoutLookUps)}</p>`}
    ${
      made.accounts.length > 0 &&
      html`<table class="journal rows">
        <thead>
          <tr>
            <th>${text.account}</th>
            <th class="num">${text.before}</th>
            <th class="num">${text.after}</th>
          </tr>
        </thead>
        <tbody>
          ${made.accounts.map(
            ({ account, before, after }) =>
              html`<tr>
                <td class="at-a">${account}</td>
                <td class="num">${before}</td>
                <td class="num">${after}</td>
              </tr>`,
          )}
        </tbody>
      </table>`
    }
    ${
      made.documents.length > 0 &&
      html`<h2>${text.documents}</h2>
        <ul class="plain-list">
          ${made.documents
            .slice(0, DOCUMENTS_SHOWN_MAX)
            .map(
              (one) =>
                html`<li>
                  ${kinds[one.kind]} ${one.number || one.guid.slice(0, 8)}:
                  ${one.accounts.map(({ account, before, after }) => `${account} ${before} → ${after}`).join(', ') || `${one.before} → ${one.after}`}
                </li>`,
            )}
          ${more > 0 && html`<li>${text.more(more)}</li>`}
        </ul>`
    }
  </section>`;
}
