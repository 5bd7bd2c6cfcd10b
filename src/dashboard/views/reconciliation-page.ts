// Comparisons of the source, the bridge and the ERP.
import { say } from '../../language/say.js';
import type { PastReconciliation } from '../../operations/history.js';
import { html, type Html } from '../html.js';
import { differencesByCode } from './differences.js';
import { day } from '../language/format.js';
import { mayDo, type Visit } from '../visit.js';
import { ago, chip, csrfField, empty, titleOf } from './parts.js';

export function reconciliationContent(
  visit: Visit,
  past: readonly PastReconciliation[],
  period: { from: string; to: string },
): Html {
  const { reconciliation: text } = visit.text;
  return html`<h1>${text.title}</h1>
    <p class="dim">${text.intro}</p>
    ${mayDo(visit.user, 'operator') && startForm(visit, period)}
    ${
      past.length === 0
        ? empty(text.emptyTitle, text.empty)
        : html`<ul class="causes">
            ${past.map((one) => pastItem(visit, one))}
          </ul>`
    }`;
}

function startForm(visit: Visit, { from, to }: { from: string; to: string }): Html {
  const { reconciliation: text, overview } = visit.text;
  const tenants = visit.overview?.tenants ?? [];
  return html`<form
    class="filters"
    method="post"
    action="/reconciliation"
    hx-post="/reconciliation"
    hx-disabled-elt="find button"
  >
    ${csrfField(visit)}
    <label
      >${overview.tenant}<select name="tenant" required>
        ${tenants.map(({ name, title }) => html`<option value="${name}" ${name === visit.tenant && html`selected`}>${title}</option>`)}
      </select></label
    >
    <label>${text.from}<input type="date" name="from" value="${from}" required /></label>
    <label>${text.to}<input type="date" name="to" value="${to}" required /></label>
    <button class="primary" type="submit">${text.run}</button>
    <div class="act-error"></div>
  </form>`;
}

function pastItem(visit: Visit, past: PastReconciliation): Html {
  const { reconciliation: text } = visit.text;
  const differences = past.report?.differences ?? [];
  const result =
    past.clean === null
      ? chip('working', text.running)
      : past.clean
        ? chip('posted', text.clean)
        : chip('failed', text.notClean(differences.length));
  return html`<li class="cause">
    <div>
      <h3>${result} · ${titleOf(visit, past.tenantName)}</h3>
      <p class="facts">
        <span>${day(past.from)} – ${day(past.to)}</span><span>${ago(visit, past.startedAt)}</span>
        ${past.report && html`<span>${text.entries(past.report.entries.erp, past.report.entries.local)}</span>`}
      </p>
      ${
        differences.length > 0 &&
        html`<details>
          <summary>${text.differences}</summary>
          ${differencesByCode(visit, differences, ({ code, subject, sentence, params }) => html`${params === undefined ? sentence : say(visit.language, { code, params })} <span class="code-name">${code} ${subject}</span>`)}
        </details>`
      }
    </div>
  </li>`;
}
