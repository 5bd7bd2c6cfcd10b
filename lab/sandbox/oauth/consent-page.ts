// What a person sees at the authorize endpoint: a sign-in form, then the scopes to consent to.
import { html, type Html } from '../html.js';
import type { Reply } from '../http/reply.js';
import type { OAuthClient } from './clients.js';
import type { SandboxClock } from '../clock.js';
import type { Random } from '../random.js';

/** "Unlocks" of Document 2's scope table. */
export const SCOPE_MEANINGS: Readonly<Record<string, string>> = {
  dashboard_data: 'See account status and invoice summaries',
  manage_customers: 'List, view, create and update customers',
  nav: 'Manage items; read invoices and update their accounting status',
  create_invoice: 'Issue invoices and quotes',
  recurring: 'Create recurring-invoice schedules',
  cost: 'List, view, create, update, delete and reopen costs',
  task: 'Manage tasks and time tracking',
  sell_product: 'See product sales and attendees',
  bookkeeper: 'Bookkeeper actions',
};

/** Chromium applies form-action to the redirect that follows the form, so the client's origin must be named. */
function page(title: string, body: Html, status = 200, redirectOrigin = ''): Reply {
  const markup = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="/_sandbox/icon.svg" />
        <link rel="stylesheet" href="/_sandbox/sandbox.css" />
      </head>
      <body class="sheet">
        <main class="card">${body}</main>
      </body>
    </html> `;
  return {
    status,
    body: markup.text,
    contentType: 'text/html; charset=utf-8',
    headers: {
      'content-security-policy': `default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' ${redirectOrigin}; frame-ancestors 'none'; base-uri 'none'`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  };
}

export function signInPage(
  client: OAuthClient,
  query: string,
  problem: string,
  redirectOrigin: string,
): Reply {
  const alert = problem === '' ? html`` : html`<p class="alert" role="alert">${problem}</p>`;
  return page(
    'Sign in',
    html`<p class="brand">Invoicing service <span class="tag">sandbox</span></p>
      <h1>Sign in</h1>
      <p>Sign in to let <strong>${client.name}</strong> act on your account.</p>
      ${alert}
      <form method="post" action="/strax/agent/authorize?${query}">
        <input type="hidden" name="step" value="sign-in" />
        <label>Username <input name="username" autocomplete="username" required autofocus /></label>
        <label
          >Password <input name="password" type="password" autocomplete="current-password" required
        /></label>
        <button type="submit" class="primary">Sign in</button>
      </form>`,
    problem === '' ? 200 : 401,
    redirectOrigin,
  );
}

export interface ConsentView {
  readonly client: OAuthClient;
  readonly company: string;
  readonly username: string;
  readonly offered: readonly string[];
  readonly missing: readonly string[];
  readonly query: string;
  readonly formToken: string;
  readonly redirectOrigin: string;
}

export function consentPage(view: ConsentView): Reply {
  const scopes = view.offered.map(
    (scope) =>
      html`<li>
        <label class="check"
          ><input type="checkbox" name="scope_${scope}" value="1" checked />
          <span><code>${scope}</code> ${SCOPE_MEANINGS[scope] ?? ''}</span></label
        >
      </li>`,
  );
  const missing =
    view.missing.length === 0
      ? html``
      : html`<p class="note">Not part of your plan, and not offered: ${view.missing.join(', ')}</p>`;
  return page(
    'Allow access',
    html`<p class="brand">Invoicing service <span class="tag">sandbox</span></p>
      <h1>Allow access?</h1>
      <p>
        <strong>${view.client.name}</strong> asks to act on <strong>${view.company}</strong> (signed in as
        ${view.username}).
      </p>
      <form method="post" action="/strax/agent/authorize?${view.query}">
        <input type="hidden" name="step" value="consent" />
        <input type="hidden" name="form_token" value="${view.formToken}" />
        <ul class="scopes">
          ${scopes}
        </ul>
        ${missing}
        <p class="note">You will return to ${view.client.redirect_uri}</p>
        <div class="buttons">
          <button type="submit" name="decision" value="allow" class="primary">Allow</button>
          <button type="submit" name="decision" value="deny">Deny</button>
        </div>
      </form>`,
    200,
    view.redirectOrigin,
  );
}

export function problemPage(message: string): Reply {
  return page(
    'Cannot continue',
    html`<p class="brand">Invoicing service <span class="tag">sandbox</span></p>
      <h1>Cannot continue</h1>
      <p class="alert" role="alert">${message}</p>
      <p>Go back to the application that sent you here and try again.</p>`,
    400,
  );
}

// Who is signed in, in which browser. The cookie also authenticates registration ("session cookie").

export interface Session {
  readonly username: string;
  /** Hidden in forms, so that no other site can consent in somebody's name. */
  readonly formToken: string;
  readonly expiresAtMs: number;
}

export const SESSION_COOKIE = 'sandbox_session';
const LIFETIME_MS = 3_600_000;
const SESSIONS_MAX = 1_000;

export class Sessions {
  readonly #clock: SandboxClock;
  readonly #random: Random;
  readonly #sessions = new Map<string, Session>();

  constructor(clock: SandboxClock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  open(username: string): string {
    if (this.#sessions.size >= SESSIONS_MAX) this.#sessions.clear();
    const id = this.#random.token(16);
    const expiresAtMs = this.#clock.nowMs() + LIFETIME_MS;
    this.#sessions.set(id, { username, formToken: this.#random.token(16), expiresAtMs });
    return id;
  }

  read(cookieHeader: string): Session | null {
    const id = new RegExp(`(?:^|;\\s*)${SESSION_COOKIE}=([0-9a-f]+)`).exec(cookieHeader)?.[1];
    const session = id === undefined ? undefined : this.#sessions.get(id);
    return session === undefined || session.expiresAtMs <= this.#clock.nowMs() ? null : session;
  }
}
