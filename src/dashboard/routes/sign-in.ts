// Signing in and out, the first account, and how somebody likes the pages.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorText } from '../../language/coded.js';
import { remedyText } from '../../language/remedies.js';
import { CodedError } from '../../domain/errors/coded-error.js';
import { Secret } from '../../domain/secret.js';
import { giveSession, keepPreference, readSession, takeSession, THEMES } from '../access/cookies.js';
import { Refusal } from '../access/guard.js';
import { createThrottle } from '../access/throttle.js';
import type { RouteContext } from '../route-context.js';
import { moment } from '../language/format.js';
import { LANGUAGES } from '../language/messages.js';
import type { SignIn, Browser } from '../../operations/users/sign-in.js';
import type { Visit } from '../visit.js';
import { field, ownPath, sendHtml } from './answer.js';
import { html, type Html } from '../html.js';
import { document, preferences } from '../views/layout.js';
import { csrfField, note } from '../views/parts.js';
import { factorContent, type FactorPart } from '../views/second-factor.js';

/** Tries at a password or a code, from one address. */
const TRIES = { max: 30, windowMs: 5 * 60_000 };
const ANYONE = { config: { access: 'anyone' } } as const;

export function addSignIn(app: FastifyInstance, context: RouteContext): void {
  const tries = createThrottle(TRIES);
  addLogin(app, context, (address) => tries.allows(address, context.clock.now().getTime()));
  addSetUp(app, context, (address) => tries.allows(address, context.clock.now().getTime()));

  app.post('/logout', { config: { access: 'viewer', enrolling: true } }, async (request, reply) => {
    const sessionId = readSession(request, context.cookies);
    if (sessionId !== null) await context.users.signOut(sessionId);
    takeSession(reply, context.cookies);
    return reply.redirect('/login', 303);
  });

  app.post('/preferences', ANYONE, (request, reply) => {
    const language = LANGUAGES.find((one) => one === field(request.body, 'language'));
    const theme = THEMES.find((one) => one === field(request.body, 'theme'));
    if (language) keepPreference(reply, context.cookies, 'language', language);
    if (theme) keepPreference(reply, context.cookies, 'theme', theme);
    return reply.redirect(ownPath(field(request.body, 'back', 2_000)), 303);
  });
}

function addLogin(app: FastifyInstance, context: RouteContext, allows: (address: string) => boolean): void {
  const door = doorOf(context);
  app.get('/login', ANYONE, async (request, reply) => {
    const next = ownPath(field(request.query, 'next', 2_000));
    if (request.visit.user) return reply.redirect(next, 303);
    if (context.identity === null && (await context.users.needsSetUp())) return reply.redirect('/setup', 303);
    const hint = readSession(request, context.cookies) === null ? null : request.visit.text.signIn.over;
    const form = { login: '', next, problem: null, hint, door };
    return sendHtml(reply, signInPage(request.visit, context.assets, form));
  });

  app.post('/login', ANYONE, async (request, reply) => {
    const { visit, body } = request;
    if (!allows(request.ip)) throw new Refusal(429, 'too-many');
    if (!door.passwords) throw new Refusal(403, 'foreign');
    const [login, next] = [field(body, 'login', 60), ownPath(field(body, 'next', 2_000))];
    const password = new Secret(field(body, 'password', 200));
    const answer = await context.users.signIn(login, password, browserOf(request));
    if (answer.outcome === 'code-needed')
      return sendHtml(reply, codePage(visit, context.assets, { ticket: answer.ticket, next, problem: null }));
    if (answer.outcome === 'signed-in') return letIn(reply, context, answer, next);
    const form = { login, next, problem: problemOf(visit, answer), hint: null, door };
    return sendHtml(reply, signInPage(visit, context.assets, form), 401);
  });

  app.post('/login/code', ANYONE, async (request, reply) => {
    const { visit, body } = request;
    if (!allows(request.ip)) throw new Refusal(429, 'too-many');
    const [ticket, next] = [field(body, 'ticket', 60), ownPath(field(body, 'next', 2_000))];
    const answer = await context.users.signInWithCode(ticket, field(body, 'code', 40), browserOf(request));
    if (answer.outcome === 'signed-in') return letIn(reply, context, answer, next);
    const problem = problemOf(visit, answer, visit.text.signIn.wrongCode);
    // Without a ticket that counts, it begins at the password again.
    const page =
      answer.outcome === 'refused'
        ? codePage(visit, context.assets, { ticket, next, problem })
        : signInPage(visit, context.assets, { login: '', next, problem, hint: null, door });
    return sendHtml(reply, page, 401);
  });
}

function problemOf({ text: { signIn } }: Visit, answer: SignIn, wrong: string = signIn.refused): string {
  if (answer.outcome === 'locked') return signIn.locked(moment(answer.until.toISOString()));
  return answer.outcome === 'ticket-over' ? signIn.codeLate : wrong;
}

function addSetUp(app: FastifyInstance, context: RouteContext, allows: (address: string) => boolean): void {
  app.get('/setup', ANYONE, async (request, reply) => {
    if (!(await context.users.needsSetUp())) return reply.redirect('/login', 303);
    const code = field(request.query, 'code', 60);
    return sendHtml(reply, setUpPage(request.visit, context.assets, { code, login: '', problem: null }));
  });

  app.post('/setup', ANYONE, async (request, reply) => {
    const { visit, body } = request;
    if (!allows(request.ip)) throw new Refusal(429, 'too-many');
    const [code, login] = [field(body, 'code', 60), field(body, 'login', 60)];
    const again = (problem: string) =>
      sendHtml(reply, setUpPage(visit, context.assets, { code, login, problem }), 400);
    const password = field(body, 'password', 201);
    if (password !== field(body, 'again', 201)) return again(visit.text.setUp.mismatch);
    try {
      await context.users.setUp(code, login, new Secret(password));
    } catch (error) {
      if (error instanceof CodedError)
        return again(`${errorText(visit.language, error)} ${remedyText(visit.language, error)}`);
      throw error;
    }
    const signedIn = await context.users.signIn(login, new Secret(password), browserOf(request));
    if (signedIn.outcome === 'signed-in')
      giveSession(reply, context.cookies, signedIn.sessionId, signedIn.expiresAt);
    return reply.redirect('/', 303);
  });
}

// The two pages that anybody may see: signing in, and making the first account.

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
interface Door {
  /** Name of the identity provider; null: there is none. */
  readonly elsewhere: string | null;
  readonly passwords: boolean;
}

interface SignInForm {
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
function codePage(
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

function setUpPage(
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

// What every way in shares: who comes, what the page at the door offers, and the session that is handed out.

const BROWSER_CHARACTERS_MAX = 200;

export function browserOf(request: FastifyRequest): Browser {
  const browser = (request.headers['user-agent'] ?? '').slice(0, BROWSER_CHARACTERS_MAX);
  return { browser, address: request.ip };
}

export function doorOf({ identity }: Pick<RouteContext, 'identity'>): Door {
  return { elsewhere: identity?.name ?? null, passwords: identity?.passwords ?? true };
}

export function letIn(
  reply: FastifyReply,
  { cookies }: RouteContext,
  { sessionId, expiresAt }: Extract<SignIn, { outcome: 'signed-in' }>,
  next: string,
): FastifyReply {
  giveSession(reply, cookies, sessionId, expiresAt);
  return reply.redirect(next, 303);
}
