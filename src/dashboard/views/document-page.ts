// One document: why it is here and what would move it; then its way, its journal, and everything behind.
import type { OriginalRow } from '../../operations/originals-view.js';
import type { Story } from '../../operations/views/document.js';
import { html, type Html } from '../html.js';
import { day, exactMoment, kennitala, span } from '../language/format.js';
import { mayDoIn, type Visit } from '../visit.js';
import { attempts, auditTrail, incidentNotes, sourceRecord, writeBacks } from './document-parts.js';
import { type AccountNames, besideSource, journalTable } from './journal-table.js';
import { actNamed } from '../../operations/acts.js';
import { ago, amount, needsMending, stateChip, titleOf } from './parts.js';
import { ORIGINAL_WORDS } from '../../language/originals.js';

export function documentContent(
  visit: Visit,
  story: Story,
  originals: readonly OriginalRow[],
  names: AccountNames,
): Html {
  const { text } = visit;
  const { document } = story;
  return html`<header class="doc-head">
      <h1>${text.kinds[document.kind]} ${nameOf(story)}</h1>
      <span class="total">${amount(document.amount, document.currency)}</span>
    </header>
    <p class="dim">
      ${titleOf(visit, document.tenantName)} · ${day(document.issueDate)} ·
      ${kennitala(document.counterpartyKennitala)} · ${stateChip(visit, document)}
    </p>
    <div class="why ${lookOf(story)}">
      <p>${story.sentence}</p>
      ${document.reason && html`<p class="code-name">${document.reason.code} ${document.reason.subject}</p>`}
      ${actionBar(visit, story)}
    </div>
    ${incidentNotes(visit, story)}
    <div class="doc">
      <div>${timeline(visit, story)} ${facts(visit, story)}</div>
      <div>
        ${journals(visit, story, names)} ${membersPart(visit, story)}
        ${originalsPart(visit, story.document.postingId, originals)} ${sourceRecord(visit, story)}
        ${attempts(visit, story)} ${writeBacks(visit, story)} ${auditTrail(visit, story)}
      </div>
    </div>`;
}

/** The source may number and name nothing; the journal then says what it is about. */
export function nameOf({ document }: Story): string {
  const { number, documentNo, counterpartyName, guid } = document;
  const names = [number === '' ? (documentNo ?? guid.slice(0, 8)) : number, counterpartyName];
  return names.filter((name) => name !== '').join(' · ');
}

function lookOf({ document }: Story): string {
  const { state } = document;
  if (state === 'rejected') return 'failed';
  return state === 'parked' || state === 'orphaned' || needsMending(document) ? 'needs-you' : '';
}

function actionBar(visit: Visit, { document, actions }: Story): Html | null {
  if (!mayDoIn(visit.user, document.tenantName, 'operator')) return null;
  const { text } = visit;
  return html`<div class="bar">
    ${actions.map((action, index) => {
      const path = `/documents/${document.postingId}/act/${action}`;
      return html`<a
        class="button ${index === 0 && !actNamed(action).dangerous && 'primary'}"
        href="${path}"
        hx-get="${path}"
        hx-target="#dialog"
        ${action === 'replay' && html`data-key-r-page`}
        >${text.actions[action].name}</a
      >`;
    })}
    ${actions.length === 0 && html`<span class="dim">${text.acts.notNow}</span>`}
    <button type="button" class="plain" data-copy="@url" data-copied="${text.frame.copied}">
      ${text.document.copyLink}
    </button>
  </div>`;
}

const SIGNS = { done: '✓', now: '◐', failed: '✕', ahead: '○' } as const;

function timeline(visit: Visit, { timeline: steps, document }: Story): Html {
  const { text } = visit;
  return html`<section>
    <h2>${text.document.timeline}</h2>
    <ol class="timeline">
      ${steps.map(({ step, at, state }, index) => {
        const before = steps[index - 1]?.at ?? null;
        const took = at !== null && before !== null ? Date.parse(at) - Date.parse(before) : null;
        return html`<li class="${state}">
          <span class="sign" aria-hidden="true">${SIGNS[state]}</span>${text.document.steps[step]}
          ${
            at !== null &&
            html`<small title="${exactMoment(at)}"
              >${ago(visit, at)}${took !== null && took > 0 && ` · +${span(took, text.units)}`}</small
            >`
          }
          ${state === 'failed' && document.reason && html`<small>${document.reason.sentence}</small>`}
        </li>`;
      })}
    </ol>
  </section>`;
}

/** Of the journal of a day: the documents in it, each with a page of its own. */
function membersPart(visit: Visit, { members }: Story): Html | null {
  if (members.length === 0) return null;
  const { text } = visit;
  return html`<section>
    <h2>${text.document.members}</h2>
    <table>
      <tbody>
        ${members.map(
          ({ postingId, number, counterpartyName, totalIsk, state }) =>
            html`<tr>
              <td><a href="/documents/${postingId}">${number}</a></td>
              <td>${counterpartyName}</td>
              <td class="num">${amount(totalIsk, 'ISK')}</td>
              <td>${text.states[state]}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

function facts(visit: Visit, { document, rulesVersion, erpReference, entryUrl, summary }: Story): Html {
  const { text } = visit;
  const row = (name: string, value: Html | string | null) =>
    value !== null &&
    value !== '' &&
    html`<dt>${name}</dt>
      <dd>${value}</dd>`;
  const entry = document.erpNumber ?? referenceOf(erpReference);
  const linked =
    entryUrl === null || entry === null
      ? entry
      : html`<a href="${entryUrl}" target="_blank" rel="noopener noreferrer">${entry} ↗</a>`;
  return html`<dl class="facts-list">
    ${row(text.document.reference, linked)}
    ${row(
      text.document.summary,
      summary === null ? null : html`<a href="/documents/${summary.postingId}">${summary.number}</a>`,
    )}
    ${row(text.document.due, document.dueAt === null ? null : ago(visit, document.dueAt))}
    ${row(text.document.key, html`<code>${document.key}</code>`)}
    ${row('guid', html`<code>${document.guid}</code>`)}
    ${row(text.document.rulesVersion, rulesVersion === null ? null : html`<code>${rulesVersion.slice(0, 12)}</code>`)}
    ${document.generation > 0 && row(text.document.generation, String(document.generation))}
  </dl>`;
}

function referenceOf(reference: Story['erpReference']): string | null {
  return typeof reference === 'object' && reference !== null ? (reference.number ?? reference.id) : reference;
}

function journals(visit: Visit, story: Story, names: AccountNames): Html {
  const { text } = visit;
  const { journal, settlement, trace, warnings } = story;
  return html`<section>
      <h2>${text.document.journal}</h2>
      ${
        journal === null
          ? html`<p class="dim">${text.document.noJournal}</p>`
          : journalTable(
              visit,
              journal,
              trace.filter((entry) => entry.journal === 'document'),
              names,
            )
      }
      ${journal !== null && besideSource(visit, journal, story.document)}
      ${warnings.map(({ code, sentence }) => html`<p><span class="dim">${text.document.warnings}:</span> ${sentence} <span class="code-name">${code}</span></p>`)}
    </section>
    ${
      settlement !== null &&
      html`<section>
        <h2>${text.document.settlement}</h2>
        ${journalTable(
          visit,
          settlement,
          trace.filter((entry) => entry.journal === 'settlement'),
          names,
        )}
      </section>`
    }`;
}

// The originals of a document beside its journal: which there are, where they are, and the PDF or picture itself.

const SHOWN = ['application/pdf', 'image/jpeg', 'image/png', 'image/gif'];

function originalsPart(visit: Visit, postingId: string, rows: readonly OriginalRow[]): Html | null {
  if (rows.length === 0) return null;
  const words = { ...visit.text.originals, ...ORIGINAL_WORDS[visit.language] };
  const pathOf = ({ id }: OriginalRow) => `/documents/${postingId}/originals/${id}`;
  const [shown] = rows.filter(
    (row) => row.contentType !== null && row.expiredAt === null && SHOWN.includes(row.contentType),
  );
  return html`<section>
    <h2>${words.title}</h2>
    <ul class="originals">
      ${rows.map((row) => {
        const name = words.roles[row.role];
        return html`<li>
          ${row.sha256 === null || row.expiredAt !== null ? name : html`<a href="${pathOf(row)}">${name}</a>`}
          <span class="dim">
            ${words.states[row.expiredAt === null ? row.state : 'expired']} ·
            ${ago(visit, row.expiredAt ?? row.since)}
            ${row.reason !== null && ` · ${words.reasons[row.reason]}`}
          </span>
          ${row.sha256 !== null && html`<code title="SHA-256">${row.sha256.slice(0, 12)}</code>`}
        </li>`;
      })}
    </ul>
    ${
      shown &&
      html`<details>
        <summary>${words.show}</summary>
        <iframe class="original" loading="lazy" title="${words.title}" src="${pathOf(shown)}"></iframe>
      </details>`
    }
  </section>`;
}
