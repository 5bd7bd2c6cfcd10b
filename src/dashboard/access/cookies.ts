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

export function giveSession(reply: FastifyReply, rules: CookieRules, sessionId: string, expires: Date): void {
  void reply.setCookie(sessionCookie(rules), sessionId, {
    httpOnly: true,
    secure: rules.secure,
    sameSite: 'lax',
    path: '/',
    expires,
  });
}

export function takeSession(reply: FastifyReply, rules: CookieRules): void {
  void reply.clearCookie(sessionCookie(rules), {
    httpOnly: true,
    secure: rules.secure,
    sameSite: 'lax',
    path: '/',
  });
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
  void reply.setCookie(name, value, {
    httpOnly: true,
    secure: rules.secure,
    sameSite: 'lax',
    path: '/',
    maxAge: YEAR_S,
  });
}
