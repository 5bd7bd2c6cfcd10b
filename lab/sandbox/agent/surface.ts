// The agent surface of Document 2: bearer tokens with scopes, or Basic for trusted servers; `action_id` and an audit
// record for every call; its own error bodies for method and scope.
import { beforeEffect, tokenExpired } from '../faults/before-effect.js';
import { readBasic } from '../http/request.js';
import type { Outcome } from '../http/deliver.js';
import type { Exchange } from '../http/exchange.js';
import { json, type Reply } from '../http/reply.js';
import type { RuleId } from '../rules.js';
import type { Account } from '../service/account.js';
import { Refusal } from '../service/refusal.js';
import type { SandboxState } from '../state.js';
import { succeed, type AgentCall, type AgentRoute } from './call.js';
import { AGENT_ROUTES } from './routes.js';

// Finds the route of a path: literal segments before placeholders, so that /invoices/count is never an invoice.

interface PathMatch {
  readonly id: string;
  /** All routes of this path, one a method. */
  readonly routes: readonly AgentRoute[];
}

interface Pattern {
  readonly segments: readonly string[];
  readonly routes: AgentRoute[];
}

function routeFinder(routes: readonly AgentRoute[]): (path: string) => PathMatch | null {
  const literal = new Map<string, AgentRoute[]>();
  const patterns = new Map<string, Pattern>();
  for (const route of routes) {
    if (!route.path.includes('{')) {
      literal.set(route.path, [...(literal.get(route.path) ?? []), route]);
      continue;
    }
    const key = route.path.replace(/\{\w+\}/, '{}');
    const pattern = patterns.get(key) ?? { segments: key.split('/'), routes: [] };
    pattern.routes.push(route);
    patterns.set(key, pattern);
  }
  return (path) => {
    const exact = literal.get(path);
    if (exact !== undefined) return { id: '', routes: exact };
    const segments = path.split('/');
    for (const pattern of patterns.values()) {
      const id = matchSegments(pattern.segments, segments);
      if (id !== null) return { id, routes: pattern.routes };
    }
    return null;
  };
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): string | null {
  if (pattern.length !== segments.length) return null;
  let id = '';
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (part === '{}' && segment !== '') id = decode(segment);
    else if (part !== segment) return null;
  }
  return id;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export const AGENT_PREFIX = '/api/v1/agent';
const findRoute = routeFinder(AGENT_ROUTES);

interface Caller {
  readonly account: Account;
  /** null: Basic credentials, which no scope limits. */
  readonly scopes: readonly string[] | null;
}

export async function answerAgent(state: SandboxState, exchange: Exchange): Promise<Outcome> {
  const { request } = exchange;
  const match = findRoute(request.path.slice(AGENT_PREFIX.length));
  const route = match?.routes.find((candidate) => candidate.method === request.method);
  if (route !== undefined) exchange.endpoint = `${route.method} ${route.path}`;
  const unavailable = state.checkMaintenance(exchange);
  if (unavailable !== null) return unavailable;
  const caller = identify(state, exchange);
  if (!('status' in caller)) exchange.account = caller.account;
  exchange.faults = state.faults.strike(exchange.endpoint, exchange.account?.profile.username ?? null);
  const struck = await beforeEffect(exchange);
  if (struck !== null) return struck;
  if (match === null) return fail(exchange, 404, 'endpoint', 'Not found');
  if (route === undefined) {
    const expected = match.routes.map((candidate) => candidate.method).join(' or ');
    return fail(exchange, 405, 'method', `Method not allowed — expected ${expected}`);
  }
  if ('status' in caller) return caller;
  if (route.scope !== null && caller.scopes !== null && !caller.scopes.includes(route.scope))
    return fail(exchange, 403, 'scope', `Agent token does not include the required scope: ${route.scope}`);
  return answer(state, exchange, route, match.id, caller.account);
}

async function answer(
  state: SandboxState,
  exchange: Exchange,
  route: AgentRoute,
  id: string,
  account: Account,
): Promise<Reply> {
  const actionId = state.nextActionId();
  account.record({
    agent_id: exchange.agent ?? '',
    action: route.action,
    ip_address: exchange.request.ip,
    timestamp: state.clock.timestamp(),
  });
  const call: AgentCall = { state, exchange, account, fields: exchange.fields, id, actionId };
  try {
    checkBody(exchange, route);
    for (const field of exchange.fields.keys())
      if (field !== 'en4_maint_code' && !route.fields.includes(field)) exchange.broke('unknown-field', field);
    if (route.method === 'PUT' && exchange.fault('ignored-write') !== undefined) return succeed(call, id);
    state.settle(account);
    return await route.answer(call);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    exchange.broke(error.rule, error.message);
    exchange.message = error.message;
    return json(error.http ?? state.choices.handledFailureStatus, {
      status: false,
      message: error.message,
      result: null,
      ...(error.errorCode === null ? {} : { error_code: error.errorCode }),
      action_id: actionId,
    });
  }
}

function checkBody(exchange: Exchange, route: AgentRoute): void {
  const { body } = exchange.request;
  if (body.kind === 'too-large') throw new Refusal('body-size', 'The request is too large', { http: 413 });
  if (body.kind === 'unreadable') throw new Refusal('json-body', body.problem, { http: 400 });
  if (body.kind !== 'form') return;
  if (route.method === 'PUT')
    throw new Refusal('json-body', 'PUT bodies must be application/json', { http: 415 });
  if (!body.multipart) exchange.broke('json-body', 'The body is urlencoded');
}

/** Who calls, or the answer that says why nobody does. */
function identify(state: SandboxState, exchange: Exchange): Caller | Reply {
  const header = exchange.header('authorization');
  const basic = readBasic(header);
  if (basic !== null) return trustedServer(state, exchange, basic.username, basic.apiKey);
  const text = /^bearer (.+)$/i.exec(header)?.[1] ?? '';
  const token = state.tokens.access(text);
  if (token === 'expired') {
    exchange.broke('token-expired', 'The access token has expired');
    return tokenExpired();
  }
  if (token === 'revoked') state.refusedForOtherReason.add(state.tokens.revokedClient(text) ?? '');
  if (typeof token === 'string') return fail(exchange, 401, 'bearer', 'Unauthorized');
  exchange.agent = token.client_id;
  const account = state.accounts.get(token.username);
  // No word of token or expiry here: clients refresh when they read one.
  if (account === undefined) return fail(exchange, 401, 'bearer', 'Account record is missing');
  return { account, scopes: token.scopes };
}

function trustedServer(
  state: SandboxState,
  exchange: Exchange,
  username: string,
  apiKey: string,
): Caller | Reply {
  const account = state.accounts.get(username);
  if (account === undefined || account.profile.api_key !== apiKey)
    return fail(exchange, 401, 'credentials', 'Invalid api_key');
  exchange.agent = exchange.header('x-agent-id') || null;
  return { account, scopes: null };
}

function fail(exchange: Exchange, status: number, rule: RuleId, message: string): Reply {
  exchange.broke(rule, message);
  exchange.message = message;
  return json(status, { error: true, message, code: status });
}
