// The credential surface of Document 1: finds the route, recognises the account, lets faults strike, and turns every
// outcome into the envelope {status, message, result}.
import { beforeEffect } from '../faults/before-effect.js';
import { readBasic } from '../http/request.js';
import type { Outcome } from '../http/deliver.js';
import type { Exchange } from '../http/exchange.js';
import { json, type Reply } from '../http/reply.js';
import type { Account } from '../service/account.js';
import { Refusal } from '../service/refusal.js';
import type { SandboxState } from '../state.js';
import { succeed, type CredentialRoute } from './call.js';
import { CREDENTIAL_ROUTES } from './routes.js';

export const CREDENTIAL_PREFIX = '/api/v1/';
const ROUTES = new Map(CREDENTIAL_ROUTES.map((route) => [route.name, route]));
const COMMON_FIELDS = new Set(['username', 'api_key', 'en4_maint_code']);

export async function answerCredential(state: SandboxState, exchange: Exchange): Promise<Outcome> {
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
