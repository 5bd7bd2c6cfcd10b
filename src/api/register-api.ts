// The operator API on Fastify: every route checked by its own schemas, every answer problem+json when it is no answer.
// Promises: no route without a token and its role; no write twice under one Idempotency-Key; nothing of a secret or of an
// unforeseen error leaves in an answer.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { CodedError, waitMsOf } from '../domain/errors/coded-error.js';
import type { AnswerRecords, RememberedAnswer } from '../operations/answers.js';
import { type Export, rowsOfJson } from '../operations/exports.js';
import type { Operations } from '../operations/operations.js';
import { networkOf } from '../http/allowed-addresses.js';
import { ROLES, type KnownToken } from '../operations/token-records.js';
import { API_PREFIX, openApiDocument } from './openapi.js';
import { problemOf } from './problem.js';
import { createRateLimit } from './rate-limit.js';
import type { Call, Route, TextAnswer } from './route.js';
import { ROUTES } from './routes.js';

export interface ApiDeps {
  readonly operations: Operations;
  readonly answers: AnswerRecords;
  readonly version: string;
  readonly nowMs: () => number;
  readonly onError: (error: unknown) => void;
}

const LIMITS = { burst: 60, perSecond: 20 };
/** Wrong tokens: guessing must be slow. */
const GUESS_LIMITS = { burst: 20, perSecond: 0.2 };
const BODY_BYTES_MAX = 256 * 1024;

export function registerApi(app: FastifyInstance, deps: ApiDeps): void {
  const calls = createRateLimit(LIMITS.burst, LIMITS.perSecond);
  const guesses = createRateLimit(GUESS_LIMITS.burst, GUESS_LIMITS.perSecond);
  let document: ReturnType<typeof openApiDocument> | undefined;
  app.get(`${API_PREFIX}/openapi.json`, (_request, reply) =>
    reply.send((document ??= openApiDocument(deps.version))),
  );
  app.get(`${API_PREFIX}/docs`, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(docsPage(deps.version)),
  );
  for (const one of ROUTES) {
    app.route({
      method: one.method.toUpperCase(),
      url: API_PREFIX + one.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      bodyLimit: BODY_BYTES_MAX,
      handler: async (request, reply) => {
        try {
          const token = await authorised(deps, one, request, { calls, guesses });
          await answer(deps, one, request, reply, token);
        } catch (error) {
          await sendProblem(deps, reply, error);
        }
      },
    });
  }
  addUnknownPaths(app, async (request, reply, refusal) => {
    try {
      await authorised(deps, { role: 'viewer', everywhere: false }, request, { calls, guesses });
      throw refusal;
    } catch (error) {
      await sendProblem(deps, reply, error);
    }
  });
}

interface Limits {
  readonly calls: ReturnType<typeof createRateLimit>;
  readonly guesses: ReturnType<typeof createRateLimit>;
}

async function authorised(
  deps: ApiDeps,
  { role, everywhere }: Pick<Route, 'role' | 'everywhere'>,
  request: FastifyRequest,
  limits: Limits,
): Promise<KnownToken> {
  const [scheme, value = ''] = (request.headers.authorization ?? '').split(' ');
  const token = scheme?.toLowerCase() === 'bearer' ? await deps.operations.recogniseToken(value) : null;
  if (!token) {
    const waitSeconds = limits.guesses.take(networkOf(request.ip), deps.nowMs());
    if (waitSeconds > 0) throw limited(waitSeconds);
    await deps.operations.refuseToken(value, request.ip);
    throw new CodedError('API_UNAUTHORIZED', 'No valid bearer token came with the request.');
  }
  const waitSeconds = limits.calls.take(token.id, deps.nowMs());
  if (waitSeconds > 0) throw limited(waitSeconds);
  if (ROLES.indexOf(token.role) < ROLES.indexOf(role))
    throw new CodedError('API_FORBIDDEN', `This needs the role ${role}; the token has ${token.role}.`);
  if (everywhere && token.companies !== null)
    throw new CodedError('API_FORBIDDEN', 'This concerns all companies; the token is bound to some.');
  return token;
}

/** What a token that is bound to companies does not see is not there. */
function operationsFor({ operations }: ApiDeps, { role, companies, id, name }: KnownToken): Operations {
  const seen =
    companies === null ? operations : operations.within(new Map(companies.map((company) => [company, role])));
  return seen.readBy({ actor: name, by: { by: 'api', token: id } });
}

function limited(waitSeconds: number): CodedError {
  return new CodedError('API_RATE_LIMITED', `Wait ${waitSeconds} s.`, {
    details: { retryAfterMs: waitSeconds * 1000 },
  });
}

async function answer(
  deps: ApiDeps,
  one: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  token: KnownToken,
): Promise<void> {
  const key = request.headers['idempotency-key'];
  if (one.method === 'get' || typeof key !== 'string') {
    const body = await watched(deps, one, request, token, await handled(deps, one, request, token));
    await (one.textTypes.length > 0
      ? sendText(reply, body as TextAnswer)
      : reply.code(one.status).send(body));
    return;
  }
  if (key === '' || key.length > 100)
    throw new CodedError('API_REQUEST_INVALID', 'An Idempotency-Key has 1 to 100 characters.');
  await answerOnce(deps, one, request, reply, { token, key });
}

/** What leaves in bulk is in the audit: who took it, by which filter, how many rows. */
async function watched(
  { operations: { exports } }: ApiDeps,
  one: Route,
  request: FastifyRequest,
  token: KnownToken,
  body: unknown,
): Promise<unknown> {
  if (one.exports === null || request.method === 'HEAD') return body;
  const { tenant = null, id = null, ...params } = request.params as Record<string, string>;
  const query = request.query as Record<string, string>;
  const given: Export = {
    ...{ what: one.exports, actor: token.name, by: { by: 'api', token: token.id }, subject: id },
    ...{ tenant: tenant ?? query['tenant'] ?? null, filter: { ...query, ...params } },
  };
  if (one.textTypes.length === 0) {
    await exports.whole(given, rowsOfJson(body));
    return body;
  }
  const { type, lines, ...file } = body as TextAnswer;
  return { ...file, type, lines: exports.lines(given, type, { [Symbol.asyncIterator]: () => lines }) };
}

/** The first line is waited for, so that what is wrong with the request is still a problem and not half a file. */
async function sendText(reply: FastifyReply, { type, fileName, lines }: TextAnswer): Promise<void> {
  const first = await lines.next();
  const all = async function* () {
    for (let line = first; line.done !== true; line = await lines.next()) yield line.value;
  };
  await reply
    .type(type === 'application/pdf' ? type : `${type}; charset=utf-8`)
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .send(Readable.from(all()));
}

/** Refusals are remembered as well: the same request gets the same answer. */
async function answerOnce(
  deps: ApiDeps,
  one: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  { token, key }: { token: KnownToken; key: string },
): Promise<void> {
  const begun = await deps.answers.begin(token.id, key, fingerprint(request));
  if (begun === 'other')
    throw new CodedError('API_KEY_REUSED', 'This Idempotency-Key belongs to another request.');
  if (begun === 'running')
    throw new CodedError('API_KEY_RUNNING', 'The first request with this key is not finished.');
  if (begun === 'unknown') throw outcomeUnknown();
  if (begun !== 'begun') {
    const type = begun.status < 400 ? 'application/json' : 'application/problem+json';
    await reply.code(begun.status).type(type).header('idempotency-replayed', 'true').send(begun.response);
    return;
  }
  const place: Place = { tokenId: token.id, key };
  let body: unknown;
  try {
    body = await handled(deps, one, request, token);
  } catch (error) {
    await rememberFailure(deps, place, error);
    throw error;
  }
  // It is done: whatever fails from here on, nobody does it again under this key.
  await remember(deps, place, { status: one.status, response: JSON.stringify(one.remembered(body)) });
  await reply.code(one.status).send(body);
}

interface Place {
  readonly tokenId: string;
  readonly key: string;
}

/** What nobody foresaw may have come after the act; of errors with a code that are not refusals, nothing was done. */
async function rememberFailure(deps: ApiDeps, place: Place, error: unknown): Promise<void> {
  const isForeseen = error instanceof CodedError;
  const problem = problemOf(isForeseen ? error : outcomeUnknown());
  if (problem.status < 500)
    await remember(deps, place, { status: problem.status, response: JSON.stringify(problem) });
  else await deps.answers.forget(place.tokenId, place.key).catch(deps.onError);
}

const REMEMBER_AGAIN_MS = [100, 500] as const;

/** An answer that cannot be kept leaves the key taken, and after a while unknown. */
async function remember(
  { answers, onError }: ApiDeps,
  { tokenId, key }: Place,
  answer: RememberedAnswer,
): Promise<void> {
  for (const waitMs of REMEMBER_AGAIN_MS) {
    try {
      await answers.finish(tokenId, key, answer);
      return;
    } catch {
      await sleep(waitMs);
    }
  }
  await answers.finish(tokenId, key, answer).catch(onError);
}

function outcomeUnknown(): CodedError {
  return new CodedError(
    'API_OUTCOME_UNKNOWN',
    'The first request with this key was begun, and how it ended is not known.',
  );
}

function fingerprint(request: FastifyRequest): string {
  const text = `${request.method} ${request.url}\n${JSON.stringify(request.body ?? null)}`;
  return createHash('sha256').update(text).digest('hex');
}

async function handled(
  deps: ApiDeps,
  one: Route,
  request: FastifyRequest,
  token: KnownToken,
): Promise<unknown> {
  const call: Call<unknown, unknown, unknown> = {
    operations: operationsFor(deps, token),
    params: checked(one.params, request.params, 'path'),
    query: checked(one.query, request.query, 'query'),
    body: checked(one.body, request.body ?? {}, 'body'),
    // `by` is only a name; the person is the one who made the token.
    act: ({ reason, by }) => ({
      actor: by === undefined ? token.name : `${by} (${token.name})`,
      reason,
      ...(token.identity === null ? {} : { identity: token.identity }),
      role: token.role,
    }),
  };
  return one.handle(call as Call<never, never, never>);
}

function checked(schema: z.ZodObject | undefined, value: unknown, where: string): unknown {
  if (!schema) return {};
  const judged = schema.safeParse(value);
  if (judged.success) return judged.data;
  const found = judged.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${[where, ...path].join('.')}: ${message}`);
  throw new CodedError('API_REQUEST_INVALID', found.join('; '));
}

async function sendProblem(deps: ApiDeps, reply: FastifyReply, error: unknown): Promise<void> {
  const problem = problemOf(error);
  if (problem.status >= 500) deps.onError(error);
  const waitMs = waitMsOf(error);
  if (waitMs !== undefined) reply.header('retry-after', String(Math.ceil(waitMs / 1000)));
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
  await reply.code(problem.status).type('application/problem+json').send(JSON.stringify(problem));
}

// The API as a page to read: made on the server, no scripts, nothing from elsewhere.

function docsPage(version: string): string {
  const tags = [...new Set(ROUTES.map(({ tag }) => tag))];
  const sections = tags.map(
    (tag) =>
      `<h2>${escaped(tag)}</h2>${ROUTES.filter((one) => one.tag === tag)
        .map(routeSection)
        .join('')}`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>ledgerbridge operator API</title><style>${STYLE}</style></head><body><main>
<h1>ledgerbridge operator API</h1>
<p>Version ${escaped(version)}. Machines read <a href="${API_PREFIX}/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<p>Send <code>Authorization: Bearer …</code>; make a token with <code>ledgerbridge token create</code>. Errors are
<code>application/problem+json</code> with a <code>code</code> and a <code>remedy</code>. Lists go by key: pass
<code>next</code> as <code>after</code>. Writes take an <code>Idempotency-Key</code>: the same request with the same key is
done once.</p>${sections.join('')}</main></body></html>`;
}

function routeSection(one: Route): string {
  const fields = [...fieldRows(one, 'params'), ...fieldRows(one, 'query'), ...fieldRows(one, 'body')];
  const table =
    fields.length === 0
      ? ''
      : `<table><tr><th>Field</th><th>Where</th><th></th></tr>${fields.join('')}</table>`;
  return `<section><h3><b class="${one.method}">${one.method.toUpperCase()}</b> <code>${escaped(API_PREFIX + one.path)}</code>
<small>${one.role}</small></h3><p>${escaped(one.summary)}.</p>${table}</section>`;
}

function fieldRows(one: Route, where: 'params' | 'query' | 'body'): string[] {
  return Object.entries(one[where]?.shape ?? {}).map(([name, schema]) => {
    const { description = '' } = schema as { description?: string };
    return `<tr><td><code>${escaped(name)}</code></td><td>${where === 'params' ? 'path' : where}</td><td>${escaped(description)}</td></tr>`;
  });
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const STYLE = `:root{color-scheme:light dark}body{font:14px/1.5 system-ui,sans-serif;margin:0}main{max-width:60rem;margin:0 auto;padding:1rem}
h3{font-size:1rem;margin:1.25rem 0 .25rem}small{font-weight:normal;opacity:.75}table{border-collapse:collapse;width:100%}
td,th{text-align:left;padding:.25rem .5rem;border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent)}
b{font:600 .75rem ui-monospace,monospace}code{font-family:ui-monospace,monospace}p{margin:.25rem 0 .5rem}`;

// What is asked for below /api/v1 and is not there. Without this the dashboard's door would answer, which knows no tokens:
// whoever brings a valid one is told in the API's own form that there is nothing, or not by this method.

type Refuse = (request: FastifyRequest, reply: FastifyReply, refusal: CodedError) => Promise<void>;

/** Pages of the API that are no routes of its document. */
const OPEN_PAGES = ['/openapi.json', '/docs'];

/** `refuse` sees to it that strangers are told nothing but that they are strangers. */
function addUnknownPaths(app: FastifyInstance, refuse: Refuse): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = new URL(request.url, 'http://localhost').pathname.slice(API_PREFIX.length);
    // A part of a path may be too long for the route that would take it.
    const methods = methodsAt(path).filter((method) => method !== request.method);
    if (methods.length > 0) reply.header('allow', methods.join(', '));
    await refuse(request, reply, refusalOf(request.method, path, methods));
    return reply;
  };
  const handler = () => undefined;
  // Before the body is read: it is nobody's.
  for (const url of [API_PREFIX, `${API_PREFIX}/*`]) app.all(url, { onRequest: answer }, handler);
}

function refusalOf(method: string, path: string, methods: readonly string[]): CodedError {
  const shown = `${API_PREFIX}${path}`.slice(0, 200);
  if (methods.length === 0) return new CodedError('API_PATH_UNKNOWN', `There is no ${shown}.`);
  return new CodedError('API_METHOD_UNKNOWN', `${shown} takes ${methods.join(' or ')}, not ${method}.`);
}

function methodsAt(path: string): readonly string[] {
  const found = ROUTES.filter((route) => fits(route.path, path)).map(({ method }) => method.toUpperCase());
  return OPEN_PAGES.includes(path) ? ['GET', ...found] : [...new Set(found)];
}

/** `{name}` stands for one part of a path. */
function fits(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return (
    wanted.length === given.length && wanted.every((part, at) => part.startsWith('{') || part === given[at])
  );
}
