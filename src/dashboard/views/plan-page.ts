// The plan of one tenant: what would be posted now, whether the ERP is ready for it, and the confirmation.
import type { PlanView } from '../../operations/views/act.js';
import type { TenantOverview } from '../../operations/views/overview.js';
import { html, type Html } from '../html.js';
import { count, day, money } from '../language/format.js';
import { mayDoIn, type Visit } from '../visit.js';
import { chip, empty, link, withCode } from './parts.js';
import { journalTable, total } from './journal-table.js';

export function planStart(visit: Visit, tenants: readonly TenantOverview[]): Html {
  const { plan } = visit.text;
  const chosen = tenants.find(({ name }) => name === visit.tenant);
  if (!chosen)
    return html`<h1>${plan.title}</h1>
      <p class="dim">${plan.intro}</p>
      ${tenants.length === 0 ? empty(visit.text.overview.noTenants, visit.text.overview.noTenantsMore) : html`<p>${plan.choose}</p>`}
      <ul class="plain-list">
        ${tenants.map(
          ({ name, title, planConfirmed }) =>
            html`<li>
              <a href="/plan?tenant=${name}">${title}</a>
              ${planConfirmed === null ? chip('needs-you', visit.text.health.unconfirmed) : chip('posted', plan.confirmed)}
            </li>`,
        )}
      </ul>`;
  return html`<h1>${plan.title}: ${chosen.title}</h1>
    <p class="dim">${plan.intro}</p>
    ${chosen.planConfirmed === null && html`<p>${chip('needs-you', plan.notConfirmed)}</p>`}
    <div id="plan" hx-get="${link(visit, '/plan/made')}" hx-trigger="load">
      <p class="dim" role="status">${plan.making}</p>
    </div>`;
}

/** From then on money moves by itself: an admin's decision, as in the API. */
function confirmation(visit: Visit, { tenantName }: PlanView): Html {
  const { plan } = visit.text;
  if (!mayDoIn(visit.user, tenantName, 'admin')) return html`<p class="dim">${plan.adminConfirms}</p>`;
  const path = `/plan/confirm?tenant=${tenantName}`;
  return html`<p>
    <a class="button primary" href="${path}" hx-get="${path}" hx-target="#dialog">${plan.confirm}</a>
  </p>`;
}

const FINDING_LOOKS = { ok: 'posted', warning: 'needs-you', error: 'failed' } as const;

/** For whoever confirms it: what it sets going, and what speaks against it. */
export function planInShort({ sentence, findings }: PlanView): Html {
  return html`<p class="said">${sentence}</p>
    ${findings
      .filter(({ severity }) => severity === 'error')
      .map(({ message }) => html`<p>${chip(FINDING_LOOKS.error, message)}</p>`)}`;
}

export function planContent(visit: Visit, made: PlanView): Html {
  const { plan, document } = visit.text;
  const { post, reject, skip, gone } = made.outcomes;
  const figure = (name: string, value: string) =>
    html`<div class="figure"><span>${name}</span><strong class="num">${value}</strong></div>`;
  return html`<div class="figures">
      ${figure(plan.wouldPost, count(post))} ${figure(document.total, money(made.totalIsk, 'ISK'))}
      ${figure(plan.becomes.reject, count(reject))} ${skip > 0 && figure(plan.becomes.skip, count(skip))}
      ${figure(plan.becomes.waits, count(made.examined - post - reject - skip - gone))}
    </div>
    <p class="said">${made.sentence}</p>
    ${made.findings.length === 0 && html`<p>${chip('posted', plan.ready)}</p>`}
    ${made.findings.map(({ severity, message, remedy }) => html`<p>${chip(FINDING_LOOKS[severity], message)} <small>${withCode(remedy ?? '')}</small></p>`)}
    ${!made.confirmed && confirmation(visit, made)}
    ${
      made.reasons.length > 0 &&
      html`<section>
        <h2>${plan.wouldNot}</h2>
        <ul class="plain-list">
          ${made.reasons.map(
            (reason) =>
              html`<li>
                <strong class="num">${count(reason.count)}</strong>
                ${chip(reason.outcome === 'reject' ? 'failed' : 'needs-you', becomesOf(visit, reason.outcome))}
                ${reason.sentence}
                <span class="code-name">${reason.code} ${reason.subject}</span>
              </li>`,
          )}
        </ul>
      </section>`
    }
    ${accounts(visit, made)} ${journals(visit, made)}`;
}

function becomesOf(visit: Visit, outcome: string): string {
  const { becomes } = visit.text.plan;
  return outcome === 'reject' || outcome === 'skip' ? becomes[outcome] : becomes.waits;
}

function accounts(visit: Visit, { accounts: rows }: PlanView): Html | null {
  const { plan, document } = visit.text;
  if (rows.length === 0) return null;
  return html`<section>
    <h2>${plan.perAccount}</h2>
    <div class="scroll" tabindex="0">
      <table>
        <thead>
          <tr>
            <th>${document.account}</th>
            <th class="num">${document.debit}</th>
            <th class="num">${document.credit}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ account, name, debit, credit }) =>
              html`<tr>
                <td>${account} ${name !== null && html`<small class="dim">${name}</small>`}</td>
                <td class="num">${money(debit, 'ISK')}</td>
                <td class="num">${money(credit, 'ISK')}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

function journals(visit: Visit, made: PlanView): Html | null {
  if (made.journals.length === 0) return null;
  return html`<section>
    <h2>${visit.text.document.journal}</h2>
    ${made.journals.map(
      ({ journal, postingId }) =>
        html`<details>
          <summary>
            ${day(journal.postingDate)} · ${journal.description} ·
            <span class="num">${money(total(journal, 'debit'), 'ISK')}</span> ·
            <a href="/documents/${postingId}">${visit.text.frame.show}</a>
          </summary>
          ${journalTable(visit, journal, [])}
        </details>`,
    )}
    ${made.journalsLeftOut > 0 && html`<p class="dim">+ ${count(made.journalsLeftOut)}</p>`}
  </section>`;
}
