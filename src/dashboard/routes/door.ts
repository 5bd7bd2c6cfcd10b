// What every way in shares: who comes, what the page at the door offers, and the session that is handed out.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Browser, SignIn } from '../../operations/users/sign-in.js';
import { giveSession } from '../access/cookies.js';
import type { RouteContext } from '../route-context.js';
import type { Door } from '../views/sign-in.js';

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
