// The cookies of the dashboard. Over https (of its own, or of the proxy that the public address names) the session's name
// begins with __Host-, so that no other host and no plain connection can set it.
import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface CookieRules {
  readonly secure: boolean;
}

export function sessionCookie({ secure }: CookieRules): string {
  return secure ? '__Host-ledgerbridge' : 'ledgerbridge';
}

export function readSession(request: FastifyRequest, rules: CookieRules): string | null {
  const value = request.cookies[sessionCookie(rules)];
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : null;
}

const cookieOf = ({ secure }: CookieRules) =>
  ({ httpOnly: true, secure, sameSite: 'lax', path: '/' }) as const;

export function giveSession(reply: FastifyReply, rules: CookieRules, sessionId: string, expires: Date): void {
  void reply.setCookie(sessionCookie(rules), sessionId, { ...cookieOf(rules), expires });
}

export function takeSession(reply: FastifyReply, rules: CookieRules): void {
  void reply.clearCookie(sessionCookie(rules), cookieOf(rules));
}

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
const YEAR_S = 365 * 24 * 3600;

/** How somebody likes to see it: no secret, and known before anybody signed in. */
export function keepPreference(
  reply: FastifyReply,
  rules: CookieRules,
  name: 'language' | 'theme',
  value: string,
): void {
  void reply.setCookie(name, value, { ...cookieOf(rules), maxAge: YEAR_S });
}

/** Between leaving for an identity provider and coming back; only this browser has it, and only for so long. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly next: string;
}

const PENDING_S = 10 * 60;

function pendingCookie({ secure }: CookieRules): string {
  return secure ? '__Host-ledgerbridge-openid' : 'ledgerbridge-openid';
}

export function keepPending(reply: FastifyReply, rules: CookieRules, pending: PendingSignIn): void {
  const value = Buffer.from(JSON.stringify(pending)).toString('base64url');
  void reply.setCookie(pendingCookie(rules), value, { ...cookieOf(rules), maxAge: PENDING_S });
}

export function readPending(request: FastifyRequest, rules: CookieRules): PendingSignIn | null {
  const value = request.cookies[pendingCookie(rules)];
  if (value === undefined) return null;
  // A browser may send anything.
  try {
    const read = JSON.parse(Buffer.from(value, 'base64url').toString('utf8')) as Record<string, unknown>;
    const { state, nonce, verifier, next } = read;
    if (typeof state !== 'string' || typeof nonce !== 'string' || typeof verifier !== 'string') return null;
    return { state, nonce, verifier, next: typeof next === 'string' ? next : '/' };
  } catch {
    return null;
  }
}

export function takePending(reply: FastifyReply, rules: CookieRules): void {
  void reply.clearCookie(pendingCookie(rules), cookieOf(rules));
}
