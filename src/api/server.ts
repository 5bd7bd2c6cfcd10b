// The HTTP server of a bridge: the operator API, and what a supervisor or a load balancer asks. The dashboard is mounted
// beside it. `/health` says that the process answers and can still read files; `/ready` that it can do its work: the database answers and, where
// it should hand out work, somebody does. Workers and schedulers serve these and nothing else.
import { stat } from 'node:fs/promises';
import { fastify, type FastifyInstance } from 'fastify';
import { type ApiDeps, registerApi } from './register-api.js';
import { problemOf } from './problem.js';
import { CodedError } from '../domain/errors/coded-error.js';
import { doneInTime, inTime } from '../http/in-time.js';

export interface ProbeOptions extends Pick<ApiDeps, 'operations' | 'version' | 'onError'> {
  readonly host: string;
  readonly port: number;
  /** Further rooms of the same server, the dashboard first of all. */
  readonly mount?: (app: FastifyInstance) => Promise<void>;
  /** Whose `X-Forwarded-For` is believed; nobody's unless given. */
  readonly trustedProxies?: readonly string[];
  /** Rejects when the queues do not answer. */
  readonly askQueues: () => Promise<unknown>;
  /** What the queues live in, so that whoever is woken at night knows what to look at. */
  readonly queueStore: 'postgres' | 'redis';
}

export type HttpServerOptions = ProbeOptions & ApiDeps;

export interface HttpServer {
  /** With the port that was really taken. */
  readonly url: string;
  readonly app: FastifyInstance;
  close(): Promise<void>;
}

const BODY_BYTES_MAX = 1024 * 1024;
const REQUEST_MS_MAX = 120_000;

export function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  return startServer(options, (app) => {
    registerApi(app, options);
  });
}

/** For roles that nobody visits but supervisors. */
export function startProbeServer(options: ProbeOptions): Promise<HttpServer> {
  return startServer(options, () => undefined);
}

async function startServer(
  options: ProbeOptions,
  register: (app: FastifyInstance) => void,
): Promise<HttpServer> {
  const app = fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_MS_MAX,
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
    forceCloseConnections: true,
  });
  refuseNul(app);
  registerHealth(app, options);
  register(app);
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

async function listen(app: FastifyInstance, { host, port }: ProbeOptions): Promise<string> {
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

/** A supervisor waits a few seconds at most. */
const PROBE_MS_MAX = 3_000;

/**
 * Files are read and names are looked up on a few threads. Where each of them waits for a disk that does not answer, the process still
 * serves pages and does nothing else. Asked one at a time: what is asked waits with the others.
 */
function diskProbe(): () => Promise<boolean> {
  let asked: Promise<unknown> | null = null;
  return () => {
    asked ??= stat('/').finally(() => (asked = null));
    return doneInTime(asked, PROBE_MS_MAX);
  };
}

function registerHealth(
  app: FastifyInstance,
  { operations, version, askQueues, queueStore }: ProbeOptions,
): void {
  const disk = diskProbe();
  app.get('/health', async (_request, reply) => {
    const answers = await disk();
    await reply.code(answers ? 200 : 503).send({ status: answers ? 'ok' : 'stuck', version });
  });
  app.get('/ready', async (_request, reply) => {
    const [running, queues] = await Promise.allSettled([
      inTime(operations.isBridgeRunning(), PROBE_MS_MAX),
      inTime(askQueues(), PROBE_MS_MAX),
    ]);
    const dispatching = running.status === 'fulfilled' && running.value;
    const ready = dispatching && queues.status === 'fulfilled';
    await reply.code(ready ? 200 : 503).send({
      status: ready ? 'ready' : 'not-ready',
      database: running.status === 'fulfilled' ? 'ok' : 'unreachable',
      queues: queues.status === 'fulfilled' ? 'ok' : 'unreachable',
      queueStore,
      dispatcher: dispatching ? 'ok' : dispatcherTrouble(running.status),
    });
  });
}

function dispatcherTrouble(database: 'fulfilled' | 'rejected'): string {
  return database === 'fulfilled' ? 'nobody hands out work on these records' : 'unknown';
}

// PostgreSQL keeps no text with a NUL character, and no honest client sends one: refused before any route sees it.

const MESSAGE = 'The request holds a NUL character, which no text may hold.';

function refuseNul(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.url.includes('%00') || holdsNul(request.body))
      done(Object.assign(new Error(MESSAGE), { statusCode: 400 }));
    else done();
  });
}

/** Bodies are small: the limit of their bytes also limits this. */
function holdsNul(body: unknown): boolean {
  const left: unknown[] = [body];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === 'string' && one.includes('\0')) return true;
    if (typeof one !== 'object' || one === null || ArrayBuffer.isView(one)) continue;
    for (const [name, value] of Object.entries(one)) left.push(name, value);
  }
  return false;
}
