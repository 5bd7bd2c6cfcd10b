// The two pages that anybody may see: signing in, and making the first account.
import { html, type Html } from '../html.js';
import type { Visit } from '../visit.js';
import { document, preferences } from './layout.js';
import { csrfField, note } from './parts.js';
import { factorContent, type FactorPart } from './second-factor.js';

function doorPage(visit: Visit, assets: string, title: string, content: Html): Html {
  const body = html`<main class="door" id="content">
    <p class="brand"><img src="/assets/icon.svg" alt="" width="24" height="24" /> ledgerbridge</p>
    <h1>${title}</h1>
    ${content}
    <div class="door-end">${preferences(visit)}</div>
  </main>`;
  return document(visit, assets, { title }, body);
}

/** What there is to come in by. */
export interface Door {
  /** Name of the identity provider; null: there is none. */
  readonly elsewhere: string | null;
  readonly passwords: boolean;
}

export interface SignInForm {
  readonly login: string;
  readonly next: string;
  readonly problem: string | null;
  readonly hint: string | null;
  readonly door: Door;
}

export function signInPage(visit: Visit, assets: string, form: SignInForm): Html {
  const { signIn } = visit.text;
  const { elsewhere, passwords } = form.door;
  const address = `/login/openid?next=${encodeURIComponent(form.next)}`;
  return doorPage(
    visit,
    assets,
    signIn.title,
    html`${form.hint !== null && note('info', form.hint)}
    ${form.problem !== null && note('error', form.problem)}
    ${
      elsewhere !== null &&
      html`<p>
        <a class="button ${!passwords && 'primary'} wide-button" href="${address}"
          >${signIn.elsewhere(elsewhere)}</a
        >
      </p>`
    }
    ${elsewhere !== null && passwords && html`<p class="or"><span>${signIn.or}</span></p>`}
    ${passwords && passwordForm(visit, form)}`,
  );
}

function passwordForm({ text: { signIn } }: Visit, form: SignInForm): Html {
  return html`<form method="post" action="/login">
      <input type="hidden" name="next" value="${form.next}" />
      <label class="field"
        >${signIn.login}<input
          name="login"
          value="${form.login}"
          autocomplete="username"
          autocapitalize="none"
          required
          maxlength="60"
          autofocus
      /></label>
      <label class="field"
        >${signIn.password}<input
          name="password"
          type="password"
          autocomplete="current-password"
          required
          maxlength="200"
      /></label>
      <button class="primary" type="submit">${signIn.submit}</button>
    </form>
    <p class="dim small-print">${signIn.forgotten}</p>`;
}

/** After the right password, where a second factor is on. */
export function codePage(
  visit: Visit,
  assets: string,
  form: { ticket: string; next: string; problem: string | null },
): Html {
  const { signIn } = visit.text;
  return doorPage(
    visit,
    assets,
    signIn.codeTitle,
    html`<p>${signIn.codeWhat}</p>
      ${form.problem !== null && note('error', form.problem)}
      <form method="post" action="/login/code">
        <input type="hidden" name="ticket" value="${form.ticket}" />
        <input type="hidden" name="next" value="${form.next}" />
        <label class="field"
          >${signIn.code}<input
            name="code"
            autocomplete="one-time-code"
            autocapitalize="none"
            spellcheck="false"
            required
            maxlength="40"
            autofocus
          /><small>${signIn.codeHelp}</small></label
        >
        <button class="primary" type="submit">${signIn.submit}</button>
      </form>
      <p class="dim small-print">${signIn.codeLost}</p>`,
  );
}

export function setUpPage(
  visit: Visit,
  assets: string,
  form: { code: string; login: string; problem: string | null },
): Html {
  const { setUp, signIn } = visit.text;
  return doorPage(
    visit,
    assets,
    setUp.title,
    html`<p>${setUp.intro}</p>
      ${form.problem !== null && note('error', form.problem)}
      <form method="post" action="/setup">
        <label class="field"
          >${setUp.code}<input
            name="code"
            value="${form.code}"
            autocomplete="off"
            spellcheck="false"
            required
            maxlength="60"
        /></label>
        <label class="field"
          >${signIn.login}<input
            name="login"
            value="${form.login}"
            autocomplete="username"
            autocapitalize="none"
            required
            maxlength="60"
        /></label>
        <label class="field"
          >${signIn.password}<input
            name="password"
            type="password"
            autocomplete="new-password"
            required
            minlength="12"
            maxlength="200"
          /><small>${setUp.passwordHelp}</small></label
        >
        <label class="field"
          >${setUp.passwordAgain}<input
            name="again"
            type="password"
            autocomplete="new-password"
            required
            maxlength="200"
        /></label>
        <button class="primary" type="submit">${setUp.submit}</button>
      </form>`,
  );
}

/** For somebody whose role needs a second factor and who has none: there is nothing else for them yet. */
export function enrolPage(visit: Visit, assets: string, problem: string | null, part: FactorPart): Html {
  const { secondFactor: text, frame } = visit.text;
  return doorPage(
    visit,
    assets,
    text.title,
    html`${problem !== null && note('error', problem)} ${factorContent(visit, part)}
      ${part.codes !== null && html`<p><a class="button primary" href="/">${text.goOn}</a></p>`}
      <form method="post" action="/logout">
        ${csrfField(visit)}<button class="plain" type="submit">${frame.signOut}</button>
      </form>`,
  );
}

export function errorPage(
  visit: Visit,
  assets: string,
  title: string,
  more: string,
  number: string | null,
): Html {
  return doorPage(
    visit,
    assets,
    title,
    html`<p>${more}</p>
      ${number !== null && html`<p><code>${number}</code></p>`}
      <p><a class="button" href="/">${visit.text.errors.home}</a></p>`,
  );
}
