// Signing in and out, the first account, and how somebody likes the pages.
import { errorText } from '../../language/coded.js';
import { remedyText } from '../../language/remedies.js';
import type { FastifyInstance } from 'fastify';
import { CodedError } from '../../domain/errors/coded-error.js';
import { Secret } from '../../domain/secret.js';
import { giveSession, keepPreference, readSession, takeSession, THEMES } from '../access/cookies.js';
import { Refusal } from '../access/guard.js';
import { createThrottle } from '../access/throttle.js';
import type { RouteContext } from '../route-context.js';
import { moment } from '../language/format.js';
import { LANGUAGES } from '../language/messages.js';
import type { SignIn } from '../../operations/users/sign-in.js';
import { codePage, setUpPage, signInPage } from '../views/sign-in.js';
import type { Visit } from '../visit.js';
import { field, ownPath, sendHtml } from './answer.js';
import { browserOf, doorOf, letIn } from './door.js';

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
