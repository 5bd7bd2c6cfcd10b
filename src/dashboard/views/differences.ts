// Differences with what to do about them, said once for all of a kind.
import { differenceCure } from '../../language/difference-cures.js';
import { html, type Html } from '../html.js';
import type { Visit } from '../visit.js';
import { withCode } from './parts.js';

export function differencesByCode<Difference extends { readonly code: string }>(
  { language }: Visit,
  differences: readonly Difference[],
  said: (difference: Difference) => Html,
): Html {
  const byCode = new Map<string, Difference[]>();
  for (const one of differences) byCode.set(one.code, [...(byCode.get(one.code) ?? []), one]);
  return html`${[...byCode].map(
    ([code, alike]) =>
      html`<ul class="plain-list">
          ${alike.map((one) => html`<li>${said(one)}</li>`)}
        </ul>
        <p class="dim remedy">${withCode(differenceCure(language, code))}</p>`,
  )}`;
}
