// Live numbers over server-sent events: one reader of the records for all browsers, values already written the way the page
// writes them, and the end of a session ends its stream.
import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Overview } from '../../operations/views/overview.js';
import { seldom } from '../../telemetry/log.js';
import { readSession, type CookieRules } from '../access/cookies.js';
import type { DashboardDeps } from '../deps.js';
import { count } from '../language/format.js';
import type { Language } from '../../language/say.js';
import type { Reach } from '../../operations/access/reach.js';
import type { Operations } from '../../operations/operations.js';

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

// How everything is, kept at hand: every page shows it in its frame, and reading it again for each would make the busiest
// question the slowest. It is never older than a few seconds, and is read anew at once after somebody did something. Whoever
// sees some companies only has a pulse of their own, shared by all who see the same ones.

export interface Pulse {
  latest(): Promise<Overview>;
}

export interface Pulses {
  /** null: of all companies. */
  of(reach: Reach | null, language: Language): Pulse;
  /** Somebody did something: the next reader waits for a fresh one. */
  touch(): void;
  /** Asks once ahead of the first reader, who would wait for queries that were never asked before, and keeps nothing of it. */
  warm(): Promise<void>;
}

const FRESH_MS = 1_500;
const STALE_MS = 10_000;
/** So many different views are kept; the one not asked for the longest is read anew. */
const PULSES_MAX = 200;

type Overviews = Readonly<Record<Language, Pick<Operations, 'overview' | 'within'>>>;

export function createPulses(spoken: Overviews, now: () => number): Pulses {
  const all = { en: createPulse(spoken.en, now), is: createPulse(spoken.is, now) };
  const confined = new Map<string, OnePulse>();
  return {
    of: (reach, language) => {
      if (reach === null) return all[language];
      const names = [language, ...[...reach.keys()].sort()].join(',');
      const pulse = confined.get(names) ?? createPulse(spoken[language].within(reach), now);
      confined.delete(names);
      confined.set(names, pulse);
      for (const oldest of confined.keys()) {
        if (confined.size <= PULSES_MAX) break;
        confined.delete(oldest);
      }
      return pulse;
    },
    warm: async () => {
      // One after the other: what is being worked on needs the connections too. Who reads it for real meets a failure.
      for (const pulse of Object.values(all)) {
        await pulse.latest().catch(() => undefined);
        pulse.touch();
      }
    },
    touch: () => {
      for (const pulse of [...Object.values(all), ...confined.values()]) pulse.touch();
    },
  };
}

interface OnePulse extends Pulse {
  touch(): void;
}

function createPulse(operations: Pick<Operations, 'overview'>, now: () => number): OnePulse {
  let known: { readonly at: number; readonly overview: Overview } | null = null;
  let reading: Promise<Overview> | null = null;

  function read(): Promise<Overview> {
    if (reading) return reading;
    const startedAt = now();
    const ours = operations
      .overview()
      .then((overview) => {
        if (reading === ours) known = { at: startedAt, overview };
        return overview;
      })
      .finally(() => {
        if (reading === ours) reading = null;
      });
    reading = ours;
    return ours;
  }

  return {
    latest: async (): Promise<Overview> => {
      const ageMs = known ? now() - known.at : Number.POSITIVE_INFINITY;
      if (known && ageMs < FRESH_MS) return known.overview;
      if (!known || ageMs > STALE_MS) return read();
      // A reader gets what is there; a failure shows when it has become too old.
      read().catch(() => undefined);
      return known.overview;
    },
    touch: () => {
      known = null;
      // What is being read may show how it was before.
      reading = null;
    },
  };
}

// How much of the other direction waits for a person: in the frame of every page, and live.

/** Records of all companies, on their way into the service, that wait for a person. */
export function outgoingNeedsYou(overview: Overview | null): number {
  return overview?.tenants.reduce((sum, { outgoing }) => sum + outgoing.needsYou, 0) ?? 0;
}
