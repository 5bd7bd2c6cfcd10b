// What concerns who may come in, on the page of people and tokens.
import { securityText } from '../../language/security-text.js';
import type { SecurityRow } from '../../operations/records.js';
import { html, type Html } from '../html.js';
import type { Visit } from '../visit.js';
import { ago } from './parts.js';

export function securityPart(visit: Visit, rows: readonly SecurityRow[]): Html {
  const { users: text, nav } = visit.text;
  return html`<section id="security">
    <h2>${text.lately}</h2>
    <table class="rows">
      <tbody>
        ${rows.map(({ at, news }) => {
          const { title, details } = securityText(visit.language, news);
          return html`<tr>
            <td class="at-b nowrap">${ago(visit, at.toISOString())}</td>
            <td class="at-a">${title}</td>
            <td class="at-c">${details}</td>
          </tr>`;
        })}
      </tbody>
    </table>
    <p><a href="/audit">${nav.audit}</a></p>
  </section>`;
}
