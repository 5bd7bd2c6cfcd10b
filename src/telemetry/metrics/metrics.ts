// The bridge in numbers, for Prometheus. Promises: a scrape asks the database one short set of questions at most every few
// seconds, however many ask; it answers even when the database does not; every label comes from a bounded set; no document,
// no person and no secret is in any of it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { TellEvent } from '../../domain/bridge-event.js';
import type { TenantName } from '../../domain/ids.js';
import { inTime } from '../../http/in-time.js';
import type { MetricsReader } from '../../store/metrics-reader.js';
import { createCounters, type Observer } from './counters.js';
import { createGauges } from './gauges.js';

export interface MetricsOptions {
  readonly version: string;
  readonly role: string;
  readonly reader: MetricsReader;
  /** Name of each queue and what is in it. */
  readonly queueDepths: () => Promise<ReadonlyMap<string, number>>;
  /** Whether the file of a tenant, as it is now, has a section `outgoing`: nobody is asked to confirm what is not there any more. */
  readonly sendsOut: (tenant: TenantName) => boolean;
  readonly onError: (error: unknown) => void;
  readonly freshForMs?: number;
}

export interface Metrics {
  /** Told by the wrapped ports (observed-ports.ts). */
  readonly observer: Observer;
  /** Counts what happens. */
  readonly listen: TellEvent;
  readonly contentType: string;
  /** The answer to a scrape. */
  text(): Promise<string>;
}

export const FRESH_FOR_MS = 10_000;
const READ_MS_MAX = 5_000;

export function createMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const info = new Gauge({
    name: 'ledgerbridge_info',
    help: 'Always 1: the version and the role of this process.',
    labelNames: ['version', 'role'],
    registers: [registry],
  });
  info.set({ version: options.version, role: options.role }, 1);
  const { observer, listen } = createCounters(registry);
  const refresh = createRefresh(options, registry);
  return {
    observer,
    listen,
    contentType: registry.contentType,
    text: async () => {
      await refresh();
      return registry.metrics();
    },
  };
}

/** One reading for all who ask meanwhile; a failed one is kept as long as a good one, so that a sick database has peace. */
function createRefresh(options: MetricsOptions, registry: Registry): () => Promise<void> {
  const gauges = createGauges(registry);
  const freshForMs = options.freshForMs ?? FRESH_FOR_MS;
  let current: Promise<void> | null = null;
  let staleAt = 0;
  const read = async () => {
    try {
      const reading = Promise.all([options.reader.read(), options.queueDepths()]);
      const [snapshot, depths] = await inTime(reading, READ_MS_MAX, 'the figures could not be read');
      const unconfirmed = snapshot.unconfirmed.filter(({ tenant }) => options.sendsOut(tenant));
      gauges.show({ ...snapshot, unconfirmed }, depths);
      gauges.readable(true);
    } catch (error) {
      gauges.readable(false);
      options.onError(error);
    }
    staleAt = performance.now() + freshForMs;
  };
  return async () => {
    if (current === null && performance.now() >= staleAt)
      current = read().finally(() => {
        current = null;
      });
    await current;
  };
}

/** A Redis that is gone answers when it comes back; a scrape does not wait for that. */

export interface MetricsAccess {
  /** `open`: anybody who reaches the port. `token`: whoever `authorise` lets in. */
  readonly access: 'open' | 'token';
  readonly authorise: (request: FastifyRequest) => Promise<boolean>;
}

/** The bearer token of a request, held against those that the bridge has given out. */
export function bearerOf(
  recognise: (token: string, address: string) => Promise<boolean>,
): MetricsAccess['authorise'] {
  return async ({ headers, ip }) => {
    const [scheme, token = ''] = (headers.authorization ?? '').split(' ');
    return scheme?.toLowerCase() === 'bearer' && token !== '' && (await recognise(token, ip));
  };
}

export function registerMetrics(
  app: FastifyInstance,
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  { access, authorise }: MetricsAccess,
): void {
  app.get('/metrics', async (request: FastifyRequest, reply: FastifyReply) => {
    if (access !== 'open' && !(await authorise(request))) {
      return reply
        .code(401)
        .header('www-authenticate', 'Bearer realm="ledgerbridge"')
        .type('text/plain')
        .send(
          'Send a token (`ledgerbridge token create`), or open the metrics with LEDGERBRIDGE_METRICS=open.\n',
        );
    }
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.text());
  });
}
