// What a bridge serves over HTTP: the dashboard, the operator API, health and readiness. One place, so that every room that
// is mounted on the same server is found here.
import { type HttpServer, startHttpServer } from './api/server.js';
import { dashboardOf, offerSetUp, type ServedBridge, type ServeOptions } from './serve-dashboard.js';
import { createAnswerRecords } from './store/operations/api-records.js';
import { bearerOf, registerMetrics } from './telemetry/metrics/metrics.js';
import { SYSTEM_RUNTIME } from './worker/system-runtime.js';

export async function serveHttp(options: ServeOptions, bridge: ServedBridge): Promise<HttpServer> {
  const { settings, version, log } = options;
  const { users, plugin } = dashboardOf(options, bridge);
  const http = await startHttpServer({
    host: settings.host,
    port: settings.port,
    trustProxy: settings.publicUrl !== null,
    operations: bridge.operations,
    answers: createAnswerRecords(bridge.database.prisma),
    version,
    nowMs: () => SYSTEM_RUNTIME.clock.now().getTime(),
    onError: (error) => log.warn({ err: error }, 'a request failed'),
    mount: async (app) => {
      const authorise = bearerOf((token) => bridge.operations.recogniseToken(token));
      registerMetrics(app, bridge.metrics, { access: settings.metrics, authorise });
      await app.register(plugin);
    },
  });
  await offerSetUp(users, settings.publicUrl ?? http.url, log);
  return http;
}
