// What lies behind a document: the record at the source, every attempt, what was written back, who did what.
import type { Story } from '../../operations/views/document.js';
import { html, type Html, type Part } from '../html.js';
import { exactMoment, moment } from '../language/format.js';
import type { Visit } from '../visit.js';
import { ago, chip, code, note, withCode } from './parts.js';

export function incidentNotes(visit: Visit, { incidents }: Story): Html[] {
  return incidents
    .filter(({ state }) => state !== 'resolved')
    .map(({ title, details, nextStep }) =>
      note(
        'error',
        html`<strong>${title}</strong> ${details} ${withCode(nextStep)}
          <a href="/incidents">${visit.text.document.incidents}</a>`,
      ),
    );
}

const SHOWN_CHARACTERS_MAX = 2_000;

export function sourceRecord(visit: Visit, story: Story): Html {
  const { document: text } = visit.text;
  const { snapshot, snapshotAt, document } = story;
  return html`<section>
    <h2>${text.source} <span class="dim">${document.sourceStatus}</span></h2>
    <div id="source-now">
      <button class="small" hx-get="/documents/${document.postingId}/source" hx-target="#source-now">
        ${text.sourceNow}
      </button>
    </div>
    ${
      snapshot !== null &&
      html`<details>
        <summary>${text.record} ${snapshotAt === null ? '' : moment(snapshotAt)}</summary>
        <table class="values">
          <tbody>
            ${Object.entries(snapshot).map(
              ([name, value]) =>
                html`<tr>
                  <th scope="row">${name}</th>
                  <td>${shown(value)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </details>`
    }
  </section>`;
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX)} …` : text;
}

/** What the source shows at this moment, beside what the bridge read. */
export function sourceNow(visit: Visit, { sourceNow: now }: Story): Html {
  const { document: text } = visit.text;
  if (now === null || now.changes.length === 0)
    return html`<p>${chip('posted', text.sourceSame)} <span class="dim">${now?.status ?? ''}</span></p>`;
  return html`<p>${chip('needs-you', text.sourceChanged)} <span class="dim">${now.status}</span></p>
    <table class="values rows">
      <thead>
        <tr>
          <th>${text.field}</th>
          <th>${text.before}</th>
          <th>${text.now}</th>
        </tr>
      </thead>
      <tbody>
        ${now.changes.map(
          ({ field, before, now: current }) =>
            html`<tr>
              <td class="at-a">${field}</td>
              <td class="at-c" data-label="${text.before}:">${before}</td>
              <td class="at-c" data-label="${text.now}:">${current}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
}

export function attempts(visit: Visit, story: Story): Html {
  const { document: text } = visit.text;
  if (story.attempts.length === 0)
    return html`<section>
      <h2>${text.attempts}</h2>
      <p class="dim">${text.noAttempts}</p>
    </section>`;
  return html`<section>
    <h2>${text.attempts}</h2>
    ${story.attempts.map(
      (attempt) =>
        html`<details>
          <summary>
            ${attempt.number}. ${text.parts[attempt.part] ?? attempt.part} · ${exactMoment(attempt.startedAt)}
            ·
            ${attempt.outcome === null ? text.underWay : (text.outcomes[attempt.outcome] ?? attempt.outcome)}
            · ${text.sends} ${attempt.sends}×
          </summary>
          ${attempt.message !== null && attempt.message !== '' && html`<p>${text.answer}: ${attempt.message}</p>`}
          <h3>${text.request}</h3>
          ${code(visit, pretty(attempt.request))}
        </details>`,
    )}
  </section>`;
}

function pretty(request: string): string {
  // Only for reading: what cannot be parsed is shown as it is.
  try {
    return JSON.stringify(JSON.parse(request), null, 2);
  } catch {
    return request;
  }
}

export function writeBacks(visit: Visit, story: Story): Html {
  const { document: text } = visit.text;
  const rows = story.writeBacks.map(
    (one) =>
      html`<tr>
        <td class="at-a">${one.wanted}</td>
        <td class="at-d">${text.writeBackStates[one.state] ?? one.state}</td>
        <td class="at-c">${one.message !== '' && html`<q lang="en">${one.message}</q>`}</td>
        <td class="at-c">${one.answer ?? ''}</td>
        <td class="at-b nowrap">${ago(visit, one.acknowledgedAt ?? one.sentAt ?? one.decidedAt)}</td>
      </tr>`,
  );
  return html`<section>
    <h2>${text.writeBacks}</h2>
    ${
      rows.length === 0
        ? html`<p class="dim">${text.noWriteBacks}</p>`
        : html`<table class="values rows">
            <tbody>
              ${rows}
            </tbody>
          </table>`
    }
  </section>`;
}

export function auditTrail(visit: Visit, story: Story): Html {
  const { audit, frame, document } = visit.text;
  return html`<section>
    <h2>${document.audit}</h2>
    <table class="values rows">
      <thead>
        <tr>
          <th>${audit.when}</th>
          <th>${audit.who}</th>
          <th>${audit.what}</th>
          <th>${frame.reason}</th>
        </tr>
      </thead>
      <tbody>
        ${story.audit.map(
          (entry) =>
            html`<tr>
              <td class="at-b nowrap">${exactMoment(entry.at)}</td>
              <td class="at-d">${entry.actor}</td>
              <td class="at-a">${entry.action} ${moveOf(visit, entry.details)}</td>
              <td class="at-c">${entry.reason ?? ''}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

function moveOf({ text: { states } }: Visit, { from, to }: Readonly<Record<string, unknown>>): Part {
  const named = (state: string) => (states as Readonly<Record<string, string>>)[state] ?? state;
  return (
    typeof from === 'string' && typeof to === 'string' && html`<small>${named(from)} → ${named(to)}</small>`
  );
}
