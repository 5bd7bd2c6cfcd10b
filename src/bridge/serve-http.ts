// What a bridge serves over HTTP: the dashboard, the operator API, health and readiness. One place, so that every room that
// is mounted on the same server is found here.
import { type HttpServer, type ProbeOptions, startHttpServer, startProbeServer } from '../api/server.js';
import { intake } from '../api/intake/register-intake.js';
import { openDashboard, offerSetUp, type ServedBridge, type ServeOptions } from './serve-dashboard.js';
import { intakeOf } from './serve-intake.js';
import { createAnswerRecords } from '../store/operations/api-records.js';
import { bearerOf, registerMetrics } from '../telemetry/metrics/metrics.js';
import { DEFAULT_PORT } from '../tenants/bridge-settings.js';
import { queueDepths } from '../worker/queues.js';
import { SYSTEM_RUNTIME } from '../worker/system-runtime.js';

export async function serveHttp(options: ServeOptions, bridge: ServedBridge): Promise<HttpServer> {
  const { settings, log } = options;
  const { users, plugin } = await openDashboard(options, bridge);
  const probes = probesOf(options, bridge, settings.port ?? DEFAULT_PORT);
  const http = await startHttpServer({
    ...probes,
    answers: createAnswerRecords(bridge.database.prisma),
    nowMs: () => SYSTEM_RUNTIME.clock.now().getTime(),
    mount: async (app) => {
      await probes.mount(app);
      await app.register(intake(intakeOf(options, bridge)));
      await app.register(plugin);
    },
  });
  await offerSetUp(users, settings.publicUrl ?? http.url, log);
  return http;
}

/** For a worker or a scheduler: what a supervisor asks, on the port it was given, if it was given one. */
export async function serveProbes(options: ServeOptions, bridge: ServedBridge): Promise<HttpServer | null> {
  const { port } = options.settings;
  return port === null ? null : startProbeServer(probesOf(options, bridge, port));
}

function probesOf({ settings, version, log }: ServeOptions, bridge: ServedBridge, port: number) {
  return {
    host: settings.host,
    port,
    trustedProxies: settings.trustedProxies,
    operations: bridge.operations,
    version,
    queueStore: bridge.queues.backend,
    askQueues: () => queueDepths(bridge.queues),
    onError: (error) => log.warn({ err: error }, 'a request failed'),
    mount: (app) => {
      const authorise = bearerOf(async (value, address) => {
        // The metrics name every company.
        const token = await bridge.operations.recogniseToken(value);
        if (token === null) await bridge.operations.refuseToken(value, address);
        return token !== null && token.companies === null;
      });
      registerMetrics(app, bridge.metrics, { access: settings.metrics, authorise });
      return Promise.resolve();
    },
  } satisfies ProbeOptions;
}
