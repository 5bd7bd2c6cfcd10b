// Fields that an origin and the service have both changed: both values side by side, and whose holds.
import type { SubmissionRow } from '../../operations/views/outgoing.js';
import { html, type Html } from '../html.js';
import { mayDo, type Visit } from '../visit.js';
import { ago, note } from './parts.js';

type Conflict = SubmissionRow['conflicts'][number];
export type ConflictSide = 'origin' | 'service';

export function conflictsPart(visit: Visit, row: SubmissionRow): Html | null {
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
export function settleAsks(visit: Visit, conflict: Conflict, take: ConflictSide): Html {
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
export function useAsks(visit: Visit): Html {
  return html`<label
    >${visit.text.outgoing.customerGuid}
    <input name="guid" required maxlength="64" autocomplete="off" spellcheck="false"
  /></label>`;
}
