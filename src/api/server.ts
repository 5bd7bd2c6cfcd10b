// The HTTP server of a bridge: the operator API, and what a supervisor or a load balancer asks. The dashboard is mounted
// beside it. `/health` says that the process answers; `/ready` that it can do its work: the database answers and, where
// it should hand out work, somebody does.
import { fastify, type FastifyInstance } from 'fastify';
import { type ApiDeps, registerApi } from './register-api.js';
import { problemOf } from './problem.js';
import { CodedError } from '../domain/errors/coded-error.js';

export interface HttpServerOptions extends ApiDeps {
  readonly host: string;
  readonly port: number;
  /** Further rooms of the same server, the dashboard first of all. */
  readonly mount?: (app: FastifyInstance) => Promise<void>;
  readonly trustProxy?: boolean;
}

export interface HttpServer {
  /** With the port that was really taken. */
  readonly url: string;
  readonly app: FastifyInstance;
  close(): Promise<void>;
}

const BODY_BYTES_MAX = 1024 * 1024;
const REQUEST_MS_MAX = 120_000;

export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const app = fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_MS_MAX,
    trustProxy: options.trustProxy ?? false,
    forceCloseConnections: true,
  });
  registerHealth(app, options);
  registerApi(app, options);
  app.setErrorHandler(async (error, _request, reply) => {
    const given = (error as { statusCode?: number }).statusCode ?? 500;
    if (given >= 500) options.onError(error);
    const coded = given < 500 ? new CodedError('API_REQUEST_INVALID', (error as Error).message) : error;
    const problem = { ...problemOf(coded), ...(given < 500 ? { status: given } : {}) };
    await reply.code(problem.status).type('application/problem+json').send(JSON.stringify(problem));
  });
  await options.mount?.(app);
  const url = await listen(app, options);
  return { url, app, close: () => app.close() };
}

async function listen(app: FastifyInstance, { host, port }: HttpServerOptions): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    await app.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new CodedError('HTTP_NOT_LISTENING', `Nothing can be served on ${host}:${port}: ${reason}.`, {
      cause: error,
    });
  }
}

function registerHealth(app: FastifyInstance, { operations, version }: ApiDeps): void {
  app.get('/health', () => ({ status: 'ok', version }));
  app.get('/ready', async (_request, reply) => {
    try {
      const running = await operations.isBridgeRunning();
      await reply.code(running ? 200 : 503).send({
        status: running ? 'ready' : 'idle',
        database: 'ok',
        dispatcher: running ? 'ok' : 'nobody hands out work on these records',
      });
    } catch {
      await reply.code(503).send({ status: 'unavailable', database: 'unreachable', dispatcher: 'unknown' });
    }
  });
}
