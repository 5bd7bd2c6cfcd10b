// Live numbers over server-sent events: one reader of the records for all browsers, values already written the way the page
// writes them, and the end of a session ends its stream.
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Overview } from '../../operations/views/overview.js';
import { seldom } from '../../telemetry/seldom.js';
import { readSession, type CookieRules } from '../access/cookies.js';
import type { DashboardDeps } from '../deps.js';
import { count } from '../language/format.js';
import { outgoingNeedsYou } from './outgoing-total.js';

const BEAT_MS = 2_000;
/** A stream says at least this often that it is alive. */
const SILENT_BEATS_MAX = 5;
const SESSION_BEATS = 10;
const STREAMS_MAX = 200;

export function addEvents(app: FastifyInstance, deps: DashboardDeps, cookies: CookieRules): void {
  let streams = 0;
  const warn = seldom((facts, message) => deps.log.warn(facts, message));
  const closing = new AbortController();
  app.addHook('preClose', (done) => {
    closing.abort();
    done();
  });
  app.get('/events', { config: { access: 'viewer' } }, (request, reply) => {
    if (streams >= STREAMS_MAX) return reply.code(503).send();
    const sessionId = readSession(request, cookies) ?? '';
    const { pulse } = request.within;
    reply.hijack();
    streams += 1;
    const { raw } = reply;
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    raw.write('retry: 2000\n\n');
    let last: Readonly<Record<string, string>> = {};
    let lastMark = '';
    let beats = 0;
    let silent = 0;
    let busy = false;
    const beat = async () => {
      beats += 1;
      if (beats % SESSION_BEATS === 0 && !(await deps.users.whoIs(sessionId))) {
        raw.end('event: signed-out\ndata: {}\n\n');
        return;
      }
      const { values, mark } = numbersOf(await pulse.latest());
      // A thousand companies have five thousand numbers; what stands there already is not sent again.
      const news = Object.fromEntries(Object.entries(values).filter(([name, value]) => last[name] !== value));
      silent += 1;
      if (mark === lastMark && Object.keys(news).length === 0 && silent < SILENT_BEATS_MAX) return;
      silent = 0;
      last = values;
      lastMark = mark;
      const data = JSON.stringify({ values: news, mark });
      // A browser that does not read is let go rather than remembered.
      if (raw.writableNeedDrain) raw.destroy();
      else raw.write(`event: numbers\ndata: ${data}\n\n`);
    };
    const tick = () => {
      if (busy || raw.destroyed) return;
      busy = true;
      beat()
        .catch((error: unknown) => {
          warn({ err: error }, 'live numbers could not be read');
          raw.destroy();
        })
        .finally(() => {
          busy = false;
        });
    };
    const timer = setInterval(tick, BEAT_MS);
    const stop = () => raw.end();
    closing.signal.addEventListener('abort', stop, { once: true });
    raw.on('close', () => {
      streams -= 1;
      clearInterval(timer);
      closing.signal.removeEventListener('abort', stop);
    });
    tick();
    return reply;
  });
}

/** Name of the place on the page → what stands there. The mark changes when a list would look different. */
export function numbersOf(overview: Overview): { values: Record<string, string>; mark: string } {
  const { totals, tenants } = overview;
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(totals))
    if (typeof value === 'number') values[`totals.${name}`] = count(value);
  values['totals.outgoing'] = count(outgoingNeedsYou(overview));
  for (const tenant of tenants) {
    for (const name of ['waiting', 'needsYou', 'inBooks', 'postedToday', 'openIncidents'] as const)
      values[`tenants.${tenant.name}.${name}`] = count(tenant[name]);
    for (const name of ['waiting', 'underWay', 'needsYou'] as const)
      values[`outgoing.${tenant.name}.${name}`] = count(tenant.outgoing[name]);
  }
  const mark = tenants
    .map(({ states, outgoing }) => [...Object.values(states), ...Object.values(outgoing)].join(','))
    .concat(String(totals.openIncidents), String(totals.causes))
    .join(';');
  return { values, mark: createHash('sha256').update(mark).digest('base64url').slice(0, 16) };
}
