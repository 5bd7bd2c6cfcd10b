// Before an act: what exactly will happen, in the ERP and at the source, and a reason.
import { type Action, actNamed } from '../../operations/acts.js';
import type { Field } from '../../operations/fields.js';
import type { Story } from '../../operations/views/document.js';
import { html, type Html } from '../html.js';
import type { FieldLabel } from '../language/en/lists.js';
import type { Visit } from '../visit.js';
import { nameOf } from './document-page.js';
import { csrfField, reasonField } from './parts.js';

export function actForm(visit: Visit, story: Story, action: Action): Html {
  const { document, sentence } = story;
  const { actions, frame, kinds } = visit.text;
  const { name, what } = actions[action];
  const path = `/documents/${document.postingId}/act/${action}`;
  return html`<form
    method="post"
    action="${path}"
    hx-post="${path}"
    hx-disabled-elt="find button[type=submit]"
    class="narrow"
  >
    ${csrfField(visit)}
    <h2>${name}: ${kinds[document.kind]} ${nameOf(story)}</h2>
    <p class="dim">${sentence}</p>
    <p>${what}</p>
    ${askedFields(visit, story, action)} ${reasonField(visit)}
    <div class="bar">
      <button class="primary ${actNamed(action).dangerous && 'danger-act'}" type="submit">${name}</button>
      <a class="button" href="/documents/${document.postingId}" data-close>${frame.cancel}</a>
    </div>
  </form>`;
}

/** The declared fields that the dashboard offers for this document. */
function askedFields({ text }: Visit, story: Story, action: Action): readonly Html[] {
  const { input, asks } = actNamed(action);
  const labels: Readonly<Record<string, FieldLabel>> = text.actions[action].fields;
  return Object.entries(input)
    .filter(([key, { page }]) => page && asks?.[key]?.(story) !== false)
    .map(([key, field]) => fieldInput(key, field, labels[key] ?? { label: key }));
}

function fieldInput(
  name: string,
  { kind, required, charactersMax }: Field,
  { label, help }: FieldLabel,
): Html {
  if (kind === 'flag') return checkField(name, label);
  return html`<label class="field"
    >${label}<input
      name="${name}"
      type="${kind === 'day' ? 'date' : 'text'}"
      ${required && html`required`}
      maxlength="${charactersMax}"
      autocomplete="off"
    />${help !== undefined && html`<small>${help}</small>`}</label
  >`;
}

/** The same for an act on something else than a document. */
export function plainActForm(
  visit: Visit,
  form: {
    readonly title: string;
    readonly what: string;
    readonly path: string;
    readonly back: string;
    /** What has to be said on purpose. */
    readonly checks?: readonly { readonly name: string; readonly label: string }[];
    /** What it is about, as it was shown; and what else is asked. */
    readonly asks?: Html;
  },
): Html {
  return html`<form
    method="post"
    action="${form.path}"
    hx-post="${form.path}"
    hx-disabled-elt="find button[type=submit]"
    class="narrow"
  >
    ${csrfField(visit)}
    <h2>${form.title}</h2>
    <p>${form.what}</p>
    ${form.asks} ${form.checks?.map(({ name, label }) => checkField(name, label))} ${reasonField(visit)}
    <div class="bar">
      <button class="primary" type="submit">${form.title}</button>
      <a class="button" href="${form.back}" data-close>${visit.text.frame.cancel}</a>
    </div>
  </form>`;
}

function checkField(name: string, label: string): Html {
  return html`<label class="check"><input type="checkbox" name="${name}" value="yes" /> ${label}</label>`;
}
