// The originals of a document beside its journal: which there are, where they are, and the PDF or picture itself.
import { ORIGINAL_WORDS } from '../../language/originals.js';
import type { OriginalRow } from '../../operations/originals-view.js';
import { html, type Html } from '../html.js';
import type { Visit } from '../visit.js';
import { ago } from './parts.js';

const SHOWN = ['application/pdf', 'image/jpeg', 'image/png', 'image/gif'];

export function originalsPart(visit: Visit, postingId: string, rows: readonly OriginalRow[]): Html | null {
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
