// The sandbox on HTTP: reads a request, hands it to the surface its path belongs to, delivers the outcome, writes the
// journal. Plain node:http, because faults need the socket.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AGENT_PREFIX, answerAgent } from '../agent/surface.js';
import { answerManagement, MANAGEMENT_PATH } from '../agent/management.js';
import { answerCredential, CREDENTIAL_PREFIX } from '../credential/surface.js';
import { answerOAuth, OAUTH_PREFIXES } from '../oauth/surface.js';
import type { SandboxState } from '../state.js';
import { deliver, type Outcome } from './deliver.js';
import { Exchange } from './exchange.js';
import { json, writeReply, type Reply } from './reply.js';
import { readRequest, type SandboxRequest } from './request.js';

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
