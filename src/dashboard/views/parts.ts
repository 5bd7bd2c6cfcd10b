// The small things that every page is made of: states, moments, amounts, empty lists, forms.
import { isOutcomeUncertain } from '../../domain/posting.js';
import { isMendedByHand } from '../../operations/mending.js';
import type { DocumentRow } from '../../operations/views/document.js';
import type { TenantOverview } from '../../operations/views/overview.js';
import { html, type Html, type Part } from '../html.js';
import { count, exactMoment, money, relative, span } from '../language/format.js';
import type { Visit } from '../visit.js';

/** Colour and sign together carry a meaning; neither does alone. */
const LOOKS = {
  posted: '✓',
  waiting: '○',
  working: '◐',
  'needs-you': '▲',
  failed: '✕',
  unknown: '?',
  quiet: '–',
  paused: '‖',
  held: '■',
} as const;
export type Look = keyof typeof LOOKS;

export function chip(look: Look, name: Part, extra: Part = null): Html {
  return html`<span class="state s-${look}"
    ><span class="sign" aria-hidden="true">${LOOKS[look]}</span><span>${name}</span>${extra}</span
  >`;
}

const STATE_LOOKS: Readonly<Record<DocumentRow['state'], Look>> = {
  discovered: 'waiting',
  mapped: 'waiting',
  posting: 'working',
  posted: 'posted',
  writing_back: 'working',
  acknowledged: 'posted',
  deferred: 'waiting',
  held: 'held',
  parked: 'needs-you',
  skipped: 'quiet',
  rejected: 'failed',
  orphaned: 'needs-you',
  reversed: 'quiet',
};

/** Sent, and no answer is on record: nobody may call that posted or failed. */
/** Held until somebody mends the tenant file or the ERP; those that a person or a closed period holds only wait. */
export function needsMending({ state, reason }: Pick<DocumentRow, 'state' | 'reason'>): boolean {
  return state === 'held' && reason !== null && isMendedByHand(reason.code);
}

export function stateChip(visit: Visit, row: Pick<DocumentRow, 'state' | 'tries' | 'reason'>): Html {
  if (isOutcomeUncertain(row)) return chip('unknown', visit.text.unknownOutcome);
  if (needsMending(row)) return chip('needs-you', visit.text.needsMending);
  return chip(STATE_LOOKS[row.state], visit.text.states[row.state]);
}

const HEALTH_LOOKS: Readonly<Record<TenantOverview['health'], Look>> = {
  ok: 'posted',
  working: 'working',
  waiting: 'waiting',
  'needs-you': 'needs-you',
  down: 'failed',
  paused: 'paused',
  unconfirmed: 'needs-you',
};

export function healthChip(visit: Visit, health: TenantOverview['health']): Html {
  return chip(HEALTH_LOOKS[health], visit.text.health[health]);
}

/** Relative, counting on by itself; the exact moment on hover. */
export function ago(visit: Visit, iso: string | null, otherwise = '–'): Html {
  if (iso === null) return html`<span class="dim">${otherwise}</span>`;
  const shown = relative(iso, visit.now, visit.text.units);
  return html`<time datetime="${iso}" title="${exactMoment(iso)}" data-relative>${shown}</time>`;
}

/** How long it has lasted, without "ago". */
export function age(visit: Visit, iso: string | null): Html {
  if (iso === null) return html`<span class="dim">–</span>`;
  const shown = span(Math.max(0, visit.now.getTime() - Date.parse(iso)), visit.text.units);
  return html`<time datetime="${iso}" title="${exactMoment(iso)}" data-age>${shown}</time>`;
}

export function amount(text: string, currency: string): Html {
  return html`<span class="num">${money(text, currency)}</span>`;
}

/** A number that live updates may change in place. */
export function live(key: string, value: number): Html {
  return html`<span class="num" data-live="${key}">${count(value)}</span>`;
}

export function empty(title: string, text: Part, more: Part = null): Html {
  return html`<div class="empty">
    <p class="empty-title">${title}</p>
    <p>${text}</p>
    ${more}
  </div>`;
}

export function csrfField(visit: Visit): Html {
  return html`<input type="hidden" name="_csrf" value="${visit.csrf}" />`;
}

/** A path with the chosen tenant kept. */
export function link(
  visit: Visit,
  path: string,
  query: Readonly<Record<string, string | null>> = {},
): string {
  const kept = new URLSearchParams();
  for (const [name, value] of Object.entries({ tenant: visit.tenant, ...query }))
    if (value !== null && value !== '') kept.set(name, value);
  const text = kept.toString();
  return text === '' ? path : `${path}?${text}`;
}

export function titleOf(visit: Visit, tenantName: string | null): string {
  if (tenantName === null) return '';
  return visit.overview?.tenants.find(({ name }) => name === tenantName)?.title ?? tenantName;
}

/** What to do, in a sentence of ours: what stands in backticks is a command or a setting. */
export function withCode(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

export function note(kind: 'error' | 'ok' | 'info', text: Part): Html {
  return html`<p class="note note-${kind}" role="${kind === 'error' ? 'alert' : 'status'}">${text}</p>`;
}

export function reasonField(visit: Visit): Html {
  const { reason, reasonHelp } = visit.text.frame;
  return html`<div class="act-error"></div>
    <label class="field"
      >${reason}<textarea name="reason" rows="2" maxlength="500" required></textarea
      ><small>${reasonHelp}</small></label
    >`;
}

/** YAML and JSON, to read and to copy. */
export function code(visit: Visit, text: string): Html {
  const { copy, copied } = visit.text.frame;
  return html`<div class="code">
    <pre tabindex="0">${text}</pre>
    <button type="button" class="small" data-copy="${text}" data-copied="${copied}">${copy}</button>
  </div>`;
}
