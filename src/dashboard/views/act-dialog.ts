// Before an act: what exactly will happen, in the ERP and at the source, and a reason.
import { isUncertain } from '../../domain/posting.js';
import type { Action, Story } from '../../operations/views/document.js';
import { html, type Html } from '../html.js';
import type { Visit } from '../visit.js';
import { nameOf } from './document-page.js';
import { csrfField, DANGEROUS, reasonField } from './parts.js';

export function actForm(visit: Visit, story: Story, action: Action): Html {
  const { document, sentence } = story;
  const { actions, acts, frame, kinds } = visit.text;
  const path = `/documents/${document.postingId}/act/${action}`;
  const absent = whatMayBeAbsent(story, action);
  return html`<form
    method="post"
    action="${path}"
    hx-post="${path}"
    hx-disabled-elt="find button[type=submit]"
    class="narrow"
  >
    ${csrfField(visit)}
    <h2>${actions[action].name}: ${kinds[document.kind]} ${nameOf(story)}</h2>
    <p class="dim">${sentence}</p>
    <p>${actions[action].what}</p>
    ${
      action === 'mark-posted' &&
      html`<label class="field"
          >${acts.erpReference}<input name="reference" required maxlength="200" autocomplete="off" /><small
            >${acts.erpReferenceHelp}</small
          ></label
        >
        ${checkField('acceptDifferences', acts.acceptDifferences)}`
    }
    ${absent !== null && checkField('surelyAbsent', acts[absent])} ${reasonField(visit)}
    <div class="bar">
      <button class="primary ${DANGEROUS.includes(action) && 'danger-act'}" type="submit">
        ${actions[action].name}
      </button>
      <a class="button" href="/documents/${document.postingId}" data-close>${frame.cancel}</a>
    </div>
  </form>`;
}

/** What may have been sent and is not known to be in the ERP: only somebody who looked there can say that it is absent. */
function whatMayBeAbsent(
  { document, attempts }: Story,
  action: Action,
): 'surelyAbsent' | 'reversalAbsent' | null {
  if (action === 'replay') return document.state === 'parked' && document.tries > 0 ? 'surelyAbsent' : null;
  if (action !== 'reverse') return null;
  const uncertain = attempts.filter((attempt) => isUncertain(attempt));
  if (uncertain.some(({ part }) => part === 'settlement')) return 'surelyAbsent';
  return uncertain.some(({ part }) => part === 'reversal') ? 'reversalAbsent' : null;
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
