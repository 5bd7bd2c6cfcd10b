// Signing in at an identity provider: off to it, and back. What belongs to this one try is in a cookie of this browser, so
// that an answer made for somebody else's browser is worth nothing here.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CodedError } from '../../domain/errors/coded-error.js';
import type { Pending } from '../../identity/identity-provider.js';
import { rightsOf } from '../../operations/users/external-sign-in.js';
import { keepPending, readPending, takePending } from '../access/cookies.js';
import { Refusal } from '../access/guard.js';
import { createThrottle } from '../access/throttle.js';
import type { IdentityDoor } from '../deps.js';
import type { RouteContext } from '../route-context.js';
import { signInPage, browserOf, doorOf, letIn } from './sign-in.js';
import { field, ownPath, sendHtml } from './answer.js';

const TRIES = { max: 60, windowMs: 5 * 60_000 };
const ANYONE = { config: { access: 'anyone' } } as const;
const BACK = '/login/openid/back';

export function addIdentity(app: FastifyInstance, context: RouteContext): void {
  const { identity } = context;
  if (identity === null) return;
  const tries = createThrottle(TRIES);
  const check = (request: FastifyRequest) => {
    if (!tries.allows(request.ip, context.clock.now().getTime())) throw new Refusal(429, 'too-many');
  };
  app.get('/login/openid', ANYONE, async (request, reply) => {
    check(request);
    const next = ownPath(field(request.query, 'next', 2_000));
    try {
      const { url, pending } = await identity.provider.begin(ourAddress(context, request) + BACK);
      keepPending(reply, context.cookies, { ...pending, next });
      return await reply.redirect(url, 303);
    } catch (error) {
      return explain(context, request, reply, error, next);
    }
  });
  app.get(BACK, ANYONE, async (request, reply) => {
    check(request);
    const pending = readPending(request, context.cookies);
    takePending(reply, context.cookies);
    if (pending === null) return atTheDoor(context, request, reply, request.visit.text.signIn.notBegun, '/');
    try {
      return await comeBack(context, identity, request, reply, pending);
    } catch (error) {
      await context.users.failedExternal(null, request.ip);
      return explain(context, request, reply, error, pending.next);
    }
  });
}

async function comeBack(
  context: RouteContext,
  { provider, rules, secondFactor }: IdentityDoor,
  request: FastifyRequest,
  reply: FastifyReply,
  pending: Pending & { readonly next: string },
): Promise<FastifyReply> {
  const { signIn } = request.visit.text;
  const next = ownPath(pending.next);
  const person = await provider.finish(ourAddress(context, request) + request.url, pending);
  const rights = rightsOf(rules, person.groups);
  const vouched = { ...person, secondFactor: person.secondFactor || secondFactor };
  const answer =
    rights && (await context.users.signInExternal({ ...vouched, ...rights }, browserOf(request)));
  if (answer?.outcome === 'signed-in') return letIn(reply, context, answer, next);
  await context.users.failedExternal(person.login, request.ip);
  const problems: Readonly<Record<string, string>> = {
    'login-taken': signIn.nameTaken(person.login),
    'factor-missing': signIn.factorElsewhere(context.identity?.name ?? ''),
  };
  const problem =
    answer === null ? signIn.noGroup(person.login) : (problems[answer.outcome] ?? signIn.disabled);
  return atTheDoor(context, request, reply, problem, next);
}

function explain(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  next: string,
) {
  if (!(error instanceof CodedError)) throw error;
  context.log.warn({ err: error }, 'signing in elsewhere did not work');
  const name = context.identity?.name ?? '';
  return atTheDoor(context, request, reply, request.visit.text.signIn.elsewhereFailed(name), next);
}

function atTheDoor(
  context: RouteContext,
  { visit }: FastifyRequest,
  reply: FastifyReply,
  problem: string,
  next: string,
): FastifyReply {
  const form = { login: '', next, problem, hint: null, door: doorOf(context) };
  return sendHtml(reply, signInPage(visit, context.assets, form), 401);
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** As the provider knows it. The header `Host` is what the sender writes, so without a public address only this machine is believed. */
function ourAddress({ publicUrl }: RouteContext, { headers: { host = '' } }: FastifyRequest): string {
  if (publicUrl !== null) return publicUrl;
  if (LOOPBACK.test(host)) return `http://${host}`;
  throw new CodedError('PUBLIC_ADDRESS_MISSING', 'LEDGERBRIDGE_PUBLIC_URL is not set.');
}
