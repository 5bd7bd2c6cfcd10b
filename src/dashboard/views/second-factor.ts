// The second factor of one's own account: off, being turned on, on.
import { encode } from 'uqr';
import type { FactorState, NewFactor } from '../../operations/users/second-factor.js';
import { html, type Html } from '../html.js';
import type { Visit } from '../visit.js';
import { code, csrfField } from './parts.js';

export interface FactorPart {
  readonly state: FactorState;
  /** Begun, and waiting for its first code. */
  readonly begun: NewFactor | null;
  /** Shown this once. */
  readonly codes: readonly string[] | null;
  readonly external: boolean;
}

export function secondFactorPart(visit: Visit, part: FactorPart): Html {
  const { secondFactor: text } = visit.text;
  return html`<section id="second-factor">
    <h2>${text.title}</h2>
    ${factorContent(visit, part)}
  </section>`;
}

export function factorContent(visit: Visit, { state, begun, codes, external }: FactorPart): Html {
  const { secondFactor: text } = visit.text;
  if (external) return html`<p>${text.external}</p>`;
  if (codes !== null) return recoveryCodes(visit, codes);
  if (state.on)
    return html`<p>${text.on(state.codesLeft)}</p>
      ${form(visit, 'off', text.turnOff, html`${passwordField(visit)} ${codeField(visit)}`)}`;
  if (begun !== null) return scanning(visit, begun);
  return html`<p>${visit.user?.mustEnrol === true ? text.mustTurnOn : text.off}</p>
    ${form(visit, 'begin', text.begin, isKnown(visit) ? null : passwordField(visit))}`;
}

/** They gave their password a short time ago, and were sent here. */
const isKnown = ({ user }: Visit) => user?.mustEnrol === true && user.proven;

function scanning(visit: Visit, { secret, address }: NewFactor): Html {
  const { secondFactor: text } = visit.text;
  const grouped = (secret.reveal().match(/.{1,4}/g) ?? []).join(' ');
  return html`<p>${text.scan}</p>
    ${picture(address, text.picture)}
    <p><span class="dim">${text.key}:</span> <code>${grouped}</code></p>
    ${form(visit, 'confirm', text.confirm, codeField(visit))}`;
}

function recoveryCodes(visit: Visit, codes: readonly string[]): Html {
  const { secondFactor: text } = visit.text;
  return html`<div class="note note-ok" role="status">
    <p><strong>${text.codes}</strong></p>
    <p>${text.codesWhat}</p>
    ${code(visit, codes.join('\n'))}
  </div>`;
}

function form(visit: Visit, act: 'begin' | 'confirm' | 'off', name: string, fields: Html | null): Html {
  return html`<form method="post" action="/account/second-factor/${act}" class="narrow">
    ${csrfField(visit)} ${fields}
    <button type="submit" class="${act === 'confirm' && 'primary'}">${name}</button>
  </form>`;
}

function passwordField({ text: { users } }: Visit): Html {
  return html`<label class="field"
    >${users.currentPassword}<input
      name="current"
      type="password"
      autocomplete="current-password"
      required
      maxlength="200"
  /></label>`;
}

function codeField({ text: { signIn } }: Visit): Html {
  return html`<label class="field"
    >${signIn.code}<input
      name="code"
      autocomplete="one-time-code"
      autocapitalize="none"
      spellcheck="false"
      required
      maxlength="40"
  /></label>`;
}

const QUIET_ZONE = 4;

/** Dark squares as one path; black on white in either theme, or phones would not read it. */
function picture(text: string, label: string): Html {
  const { data, size } = encode(text, { border: 0 });
  const squares = data.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? [`M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`] : [])),
  );
  const side = size + 2 * QUIET_ZONE;
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${side} ${side}">
    <rect width="${side}" height="${side}" fill="#fff" />
    <path d="${squares.join('')}" fill="#000" shape-rendering="crispEdges" />
  </svg>`;
}
