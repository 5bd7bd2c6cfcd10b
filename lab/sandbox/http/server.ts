// The sandbox on HTTP: reads a request, hands it to the surface its path belongs to, delivers the outcome, writes the
// journal. Plain node:http, because faults need the socket.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AGENT_PREFIX, answerAgent } from '../agent/surface.js';
import { answerManagement, MANAGEMENT_PATH } from '../agent/management.js';
import { answerOAuth, OAUTH_PREFIXES } from '../oauth/surface.js';
import type { SandboxState } from '../state.js';
import { deliver, type Outcome } from './deliver.js';
import { Exchange } from './exchange.js';
import { json, writeReply, type Reply } from './reply.js';
import { readRequest, type SandboxRequest, readBasic } from './request.js';
import { beforeEffect } from '../faults/before-effect.js';
import type { Account } from '../service/account.js';
import { Refusal } from '../service/refusal.js';
import { succeed, type CredentialRoute } from '../credential/call.js';
import { CREDENTIAL_ROUTES } from '../credential/routes.js';

type Surface = (state: SandboxState, exchange: Exchange) => Promise<Outcome>;

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;

/** Pages for people and the control API: neither faults nor the journal concern them. */
export type Backstage = (request: SandboxRequest) => Promise<Reply | null>;

export async function listen(
  state: SandboxState,
  backstage: Backstage,
  host: string,
  port: number,
): Promise<{ server: Server; url: string }> {
  const server = createServer((message, response) => {
    handle(state, backstage, message, response).catch(() => response.destroy());
  });
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { server, url: `http://${name}:${address.port}` };
}

async function handle(
  state: SandboxState,
  backstage: Backstage,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const started = performance.now();
  const request = await readRequest(message);
  const date = new Date(state.clock.nowMs()).toUTCString();
  const surface = surfaceOf(request.path);
  if (surface === null) {
    const reply = await backstage(request);
    await writeReply(
      response,
      reply ?? json(404, { status: false, message: 'Not found', result: null }),
      date,
    );
    return;
  }
  const exchange = new Exchange(request, surface.name);
  const arrivedMs = state.clock.nowMs();
  const outcome = await answerSafely(state, exchange, surface.answer);
  state.patience.check(exchange, arrivedMs);
  state.patience.remember(exchange, outcome, state.clock.nowMs());
  const httpStatus = await deliver(response, outcome, exchange, date);
  state.journal.write({
    atMs: state.clock.nowMs(),
    surface: exchange.surface,
    method: request.method,
    endpoint: exchange.endpoint,
    url: request.url,
    account: exchange.account?.profile.username ?? null,
    agent: exchange.agent,
    httpStatus,
    message: exchange.message,
    fault: exchange.faults.length === 0 ? null : exchange.faults.map((fault) => fault.kind).join(', '),
    broken: exchange.broken,
    milliseconds: Math.round((performance.now() - started) * 10) / 10,
  });
}

/** A defect of the sandbox itself is answered and named, never hidden behind a hanging connection. */
async function answerSafely(state: SandboxState, exchange: Exchange, surface: Surface): Promise<Outcome> {
  try {
    return await surface(state, exchange);
  } catch (error) {
    exchange.message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return json(500, { status: false, message: 'The sandbox itself failed; see its journal', result: null });
  }
}

function surfaceOf(path: string): { name: Exchange['surface']; answer: Surface } | null {
  if (path.startsWith(`${AGENT_PREFIX}/`)) return { name: 'agent', answer: answerAgent };
  if (path === MANAGEMENT_PATH || path.startsWith(`${MANAGEMENT_PATH}/`))
    return { name: 'agent', answer: answerManagement };
  if (OAUTH_PREFIXES.some((prefix) => path.startsWith(prefix))) return { name: 'oauth', answer: answerOAuth };
  if (path.startsWith(CREDENTIAL_PREFIX)) return { name: 'credential', answer: answerCredential };
  return null;
}

// The credential surface of Document 1: finds the route, recognises the account, lets faults strike, and turns every
// outcome into the envelope {status, message, result}.

const CREDENTIAL_PREFIX = '/api/v1/';
const ROUTES = new Map(CREDENTIAL_ROUTES.map((route) => [route.name, route]));
const COMMON_FIELDS = new Set(['username', 'api_key', 'en4_maint_code']);

async function answerCredential(state: SandboxState, exchange: Exchange): Promise<Outcome> {
  const { request } = exchange;
  const route = ROUTES.get(request.path.slice(CREDENTIAL_PREFIX.length));
  exchange.endpoint = route?.name ?? exchange.endpoint;
  const unavailable = state.checkMaintenance(exchange);
  if (unavailable !== null) return unavailable;
  exchange.account = authenticate(state, exchange);
  exchange.faults = state.faults.strike(exchange.endpoint, exchange.account?.profile.username ?? null);
  const struck = await beforeEffect(exchange);
  if (struck !== null) return struck;
  try {
    return await answer(state, exchange, route);
  } catch (error) {
    if (error instanceof Refusal) return refuse(state, exchange, error);
    throw error;
  }
}

function answer(
  state: SandboxState,
  exchange: Exchange,
  route: CredentialRoute | undefined,
): Reply | Promise<Reply> {
  if (route === undefined) throw new Refusal('endpoint', 'Unknown endpoint', { http: 404 });
  if (exchange.request.method !== route.method)
    throw new Refusal('method', `Method not allowed, expected ${route.method}`, { http: 405 });
  const { account } = exchange;
  if (account === null)
    throw new Refusal('credentials', 'Invalid api_key', { http: state.choices.badCredentialsStatus });
  checkBody(exchange, route);
  noteFields(exchange, route);
  if (route.name.startsWith('update-') && exchange.fault('ignored-write') !== undefined)
    return succeed(exchange.fields.text('guid'));
  state.settle(account);
  return route.answer({ exchange, account, fields: exchange.fields });
}

/** Authentication 2: field values take precedence over Basic. */
function authenticate(state: SandboxState, exchange: Exchange): Account | null {
  const basic = readBasic(exchange.header('authorization'));
  const username = exchange.fields.text('username') || basic?.username;
  const apiKey = exchange.fields.text('api_key') || basic?.apiKey;
  if (username === undefined || apiKey === undefined) return null;
  const account = state.accounts.get(username);
  return account?.profile.api_key === apiKey ? account : null;
}

function checkBody(exchange: Exchange, route: CredentialRoute): void {
  const { body, query } = exchange.request;
  if (body.kind === 'too-large') throw new Refusal('body-size', 'The request is too large', { http: 413 });
  if (body.kind === 'unreadable') throw new Refusal('form-body', body.problem);
  if (route.method !== 'POST') return;
  if (body.kind === 'json')
    throw new Refusal('form-body', 'POST bodies are form fields, multipart or urlencoded');
  if (query.has('api_key') && route.name !== 'upload-file')
    exchange.broke('credentials-in-post-query', 'api_key stands in the query of a POST');
}

function noteFields(exchange: Exchange, route: CredentialRoute): void {
  for (const field of exchange.fields.keys())
    if (!COMMON_FIELDS.has(field) && !route.fields.includes(field)) exchange.broke('unknown-field', field);
}

function refuse(state: SandboxState, exchange: Exchange, refusal: Refusal): Reply {
  exchange.broke(refusal.rule, refusal.message);
  exchange.message = refusal.message;
  return json(refusal.http ?? state.choices.handledFailureStatus, {
    status: false,
    message: refusal.message,
    result: null,
    ...(refusal.errorCode === null ? {} : { error_code: refusal.errorCode }),
  });
}
