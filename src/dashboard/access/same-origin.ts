// Two guards against requests that another site makes in somebody's name: where the request says it comes from, and a
// token that only our own pages know. The token is a function of the session, so there is nothing more to store.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

export function csrfToken(sessionId: string): string {
  return createHash('sha256').update(`form\n${sessionId}`).digest('base64url');
}

export function tokenFits(request: FastifyRequest, sessionId: string): boolean {
  const body = request.body as { _csrf?: unknown } | null | undefined;
  const given = request.headers['x-csrf-token'] ?? body?._csrf;
  if (typeof given !== 'string') return false;
  const [a, b] = [Buffer.from(given), Buffer.from(csrfToken(sessionId))];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Browsers send Origin with every POST; what has none and does not say same-origin otherwise did not come from us. */
export function comesFromUs(request: FastifyRequest, publicUrl: string | null): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return request.headers['sec-fetch-site'] === 'same-origin';
  if (publicUrl !== null && origin === new URL(publicUrl).origin) return true;
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}
