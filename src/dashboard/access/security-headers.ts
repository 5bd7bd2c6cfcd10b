// What a browser may do with our pages: load from us, run our files, send forms to us, and nothing else.
import type { FastifyReply } from 'fastify';

const OWN_PAGES = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** The queue board is somebody else's page: it sets styles of its own and stands in a frame of ours. */
export const BOARD_PAGES = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'self'",
  "base-uri 'self'",
].join('; ');

/** Somebody's PDF or picture in a frame of ours: drawn, and nothing else. */
export const FILES = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "object-src 'self'",
  "frame-ancestors 'self'",
].join('; ');

export function secureHeaders(reply: FastifyReply, secure: boolean, policy: string = OWN_PAGES): void {
  void reply.headers({
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'x-frame-options': policy === OWN_PAGES ? 'DENY' : 'SAMEORIGIN',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  });
}
