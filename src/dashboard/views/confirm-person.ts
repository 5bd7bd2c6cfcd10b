// Asks somebody who is signed in for their password or code again.
import { html, type Html } from '../html.js';
import type { Visit } from '../visit.js';
import { csrfField, note } from './parts.js';

export interface ConfirmForm {
  readonly next: string;
  readonly problem: string | null;
  readonly wantsCode: boolean;
  /** Name of the identity provider of somebody who signs in there; null: they have a password here. */
  readonly elsewhere: string | null;
}

export function confirmContent(visit: Visit, form: ConfirmForm): Html {
  const { confirmPerson: text, signIn } = visit.text;
  return html`<h1>${text.title}</h1>
    ${form.problem !== null && note('error', form.problem)}
    <p>${text.what}</p>
    ${
      form.elsewhere === null
        ? proofForm(visit, form)
        : html`<p>
            <a class="button primary" href="/login/openid?next=${encodeURIComponent(form.next)}"
              >${signIn.elsewhere(form.elsewhere)}</a
            >
          </p>`
    }`;
}

function proofForm(visit: Visit, { next, wantsCode }: ConfirmForm): Html {
  const { confirmPerson: text, signIn, users } = visit.text;
  return html`<form method="post" action="/account/confirm" class="narrow">
    ${csrfField(visit)}
    <input type="hidden" name="next" value="${next}" />
    <label class="field"
      >${wantsCode ? signIn.code : users.currentPassword}<input
        name="proof"
        type="${wantsCode ? 'text' : 'password'}"
        autocomplete="${wantsCode ? 'one-time-code' : 'current-password'}"
        autocapitalize="none"
        spellcheck="false"
        required
        maxlength="200"
        autofocus
      />${wantsCode && html`<small>${signIn.codeHelp}</small>`}</label
    >
    <button type="submit" class="primary">${text.submit}</button>
  </form>`;
}
