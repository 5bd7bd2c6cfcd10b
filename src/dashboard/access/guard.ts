// The one door. Every request passes here before any handler: who is it, may they, and did it come from our own pages?
// A route that does not say who may come is refused to everybody, so forgetting it opens nothing.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DashboardDeps } from '../deps.js';
import type { Pulses } from '../live/events.js';
import { type Access, makeVisit, mayDo } from '../visit.js';
import { type CookieRules, readSession } from './cookies.js';
import { secureHeaders } from './security-headers.js';
import { createThrottle, withinReach } from './throttle.js';

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: 401 | 403 | 429;
  readonly why: 'anonymous' | 'role' | 'reach' | 'foreign' | 'too-many' | 'enrol';
  readonly needs: Access | null;

  constructor(status: 401 | 403 | 429, why: Refusal['why'], needs: Access | null = null) {
    super(why);
    this.status = status;
    this.why = why;
    this.needs = needs;
  }
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Requests without a valid session, from one address. */
const STRANGERS = { max: 300, windowMs: 60_000 };

/** Answers the one who is refused. Not left to an error handler: the queue board brings one of its own. */
export type Refuse = (request: FastifyRequest, reply: FastifyReply, refusal: Refusal) => FastifyReply;

export function addGuard(
  app: FastifyInstance,
  deps: DashboardDeps,
  { pulses, cookies, refuse }: { pulses: Pulses; cookies: CookieRules; refuse: Refuse },
): void {
  const strangers = createThrottle(STRANGERS);
  app.addHook('onRequest', async (request, reply) => {
    secureHeaders(reply, cookies.secure);
    const now = deps.clock.now();
    const sessionId = readSession(request, cookies);
    const user = sessionId === null ? null : await deps.users.whoIs(sessionId);
    const csrf = user && sessionId !== null ? csrfToken(sessionId) : '';
    request.visit = makeVisit(request, { user, csrf, now, overview: null });
    if (!user && !strangers.allows(request.ip, now.getTime()))
      return refuse(request, reply, new Refusal(429, 'too-many'));
    const access = request.routeOptions.config.access;
    if (access === 'anyone') return;
    noStore(reply);
    if (!user) return refuse(request, reply, new Refusal(401, 'anonymous'));
    if (user.mustEnrol && request.routeOptions.config.enrolling !== true)
      return refuse(request, reply, new Refusal(403, 'enrol'));
    // What does not exist is nobody's: whoever is signed in may know that.
    if (request.is404) return;
    if (!access || !mayDo(user, access))
      return refuse(request, reply, new Refusal(403, 'role', access ?? null));
    if (request.routeOptions.config.everywhere === true && user.reach !== null)
      return refuse(request, reply, new Refusal(403, 'reach'));
    request.within = withinReach(deps, pulses, user, request.visit.language);
    if (wantsFrame(request) && !user.mustEnrol)
      request.visit = { ...request.visit, overview: await request.within.pulse.latest() };
  });
  // The body is read by now, and the token may stand in it.
  app.addHook('preHandler', async (request, reply) => {
    if (READING.has(request.method)) return;
    const sessionId = readSession(request, cookies);
    const own = comesFromUs(request, deps.publicUrl);
    const fits = !request.visit.user || (sessionId !== null && tokenFits(request, sessionId));
    if (!own || !fits) return refuse(request, reply, new Refusal(403, 'foreign'));
    const { proven } = request.routeOptions.config;
    if (proven !== undefined && request.visit.user?.proven !== true)
      return reply.redirect(`/account/confirm?next=${encodeURIComponent(proven)}`, 303);
  });
}

function noStore(reply: FastifyReply): void {
  void reply.header('cache-control', 'no-store');
}

function wantsFrame(request: FastifyRequest): boolean {
  return request.url.startsWith('/events') || request.url.startsWith('/queues/board')
    ? false
    : !request.visit.partial;
}

// Two guards against requests that another site makes in somebody's name: where the request says it comes from, and a
// token that only our own pages know. The token is a function of the session, so there is nothing more to store.

function csrfToken(sessionId: string): string {
  return createHash('sha256').update(`form\n${sessionId}`).digest('base64url');
}

function tokenFits(request: FastifyRequest, sessionId: string): boolean {
  const body = request.body as { _csrf?: unknown } | null | undefined;
  const given = request.headers['x-csrf-token'] ?? body?._csrf;
  if (typeof given !== 'string') return false;
  const [a, b] = [Buffer.from(given), Buffer.from(csrfToken(sessionId))];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Browsers send Origin with every POST; what has none and does not say same-origin otherwise did not come from us. */
function comesFromUs(request: FastifyRequest, publicUrl: string | null): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return request.headers['sec-fetch-site'] === 'same-origin';
  if (publicUrl !== null && origin === new URL(publicUrl).origin) return true;
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}
