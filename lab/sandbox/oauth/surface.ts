// OAuth of Document 2: register, authorize, token, each with and without the /strax prefix.
import { beforeEffect } from '../faults/before-effect.js';
import type { Outcome } from '../http/deliver.js';
import type { Exchange } from '../http/exchange.js';
import { json, type Reply } from '../http/reply.js';
import { Refusal } from '../service/refusal.js';
import type { SandboxState } from '../state.js';
import { authorize, register } from './authorize.js';
import type { RuleId } from '../rules.js';
import type { OAuthClient } from './clients.js';
import { challengeOf, type Code, type IssuedTokens } from './token-store.js';

// POST /strax/agent/token: code exchange and refresh. Error bodies are not shown by the documents, so they follow
// OAuth 2.1: {error, error_description}, with `message` beside them.

function token(state: SandboxState, exchange: Exchange): Reply {
  const { fields, request } = exchange;
  if (request.body.kind !== 'json') exchange.broke('json-body', 'The token endpoint takes JSON');
  const client = state.clients.get(fields.text('client_id'));
  if (client === undefined || !knowsSecret(client, fields.text('client_secret')))
    return fail(exchange, 401, 'invalid_client', 'client-or-redirect', 'Invalid client or redirect URI');
  exchange.agent = client.client_id;
  switch (fields.text('grant_type')) {
    case 'authorization_code':
      return exchangeCode(state, exchange, client);
    case 'refresh_token':
      return refresh(state, exchange, client);
    default:
      return fail(exchange, 400, 'unsupported_grant_type', 'field-format', 'Unknown grant_type');
  }
}

/** Public clients send none; confidential ones must know theirs. */
function knowsSecret(client: OAuthClient, secret: string): boolean {
  return client.isPublic ? secret === '' : secret === client.client_secret;
}

function exchangeCode(state: SandboxState, exchange: Exchange, client: OAuthClient): Reply {
  const { fields } = exchange;
  const code = state.tokens.takeCode(fields.text('code'));
  if (code?.client_id !== client.client_id)
    return fail(
      exchange,
      400,
      'invalid_grant',
      'code-lifetime',
      'The authorization code is invalid or expired',
    );
  if (code.redirect_uri !== fields.text('redirect_uri'))
    return fail(exchange, 400, 'invalid_grant', 'client-or-redirect', 'Invalid client or redirect URI');
  if (!provesPossession(code, fields.text('code_verifier')))
    return fail(exchange, 400, 'invalid_grant', 'pkce', 'code_verifier does not match the code_challenge');
  exchange.account = state.accounts.get(code.username) ?? null;
  state.tokens.grant(code.username, client.client_id, code.scopes);
  const issued = state.tokens.issueTokens(code);
  return json(200, { ...tokenBody(state, issued), scope: code.scopes.join(',') });
}

function provesPossession(code: Code, verifier: string): boolean {
  return code.challenge === null ? verifier === '' : challengeOf(verifier) === code.challenge;
}

function refresh(state: SandboxState, exchange: Exchange, client: OAuthClient): Reply {
  if (state.refusedForOtherReason.delete(client.client_id))
    exchange.broke('refresh-without-expiry', 'The last 401 did not say that the token had expired');
  const issued = state.tokens.refresh(exchange.fields.text('refresh_token'), client.client_id);
  if (issued === 'replaced')
    return fail(exchange, 400, 'invalid_grant', 'refresh-replaced', 'The refresh token was replaced');
  if (issued === 'unknown')
    return fail(exchange, 400, 'invalid_grant', 'refresh-replaced', 'The refresh token is invalid');
  return json(200, tokenBody(state, issued));
}

function tokenBody(state: SandboxState, issued: IssuedTokens) {
  return {
    access_token: issued.access_token,
    token_type: 'Bearer',
    expires_in: state.choices.accessTokenSeconds,
    refresh_token: issued.refresh_token,
  };
}

function fail(exchange: Exchange, status: number, error: string, rule: RuleId, message: string): Reply {
  exchange.broke(rule, message);
  exchange.message = message;
  return json(status, { error, error_description: message, message });
}

export const OAUTH_PREFIXES = ['/strax/agent/', '/agent/'] as const;

interface OAuthRoute {
  readonly methods: readonly string[];
  readonly fields: readonly string[];
  answer(state: SandboxState, exchange: Exchange): Reply;
}

export const OAUTH_ROUTES: Readonly<Record<string, OAuthRoute>> = {
  register: {
    methods: ['POST'],
    fields: ['username', 'api_key', 'name', 'description', 'redirect_uri', 'rotate_secret'],
    answer: register,
  },
  authorize: {
    // POST is the page's own form.
    methods: ['GET', 'POST'],
    fields: ['client_id', 'scope', 'redirect_uri', 'state', 'code_challenge'],
    answer: authorize,
  },
  token: {
    methods: ['POST'],
    fields: [
      ...['grant_type', 'client_id', 'client_secret'],
      ...['code', 'redirect_uri', 'code_verifier', 'refresh_token'],
    ],
    answer: token,
  },
};

export async function answerOAuth(state: SandboxState, exchange: Exchange): Promise<Outcome> {
  const { path, method } = exchange.request;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const route = Object.hasOwn(OAUTH_ROUTES, name) ? OAUTH_ROUTES[name] : undefined;
  if (route !== undefined) exchange.endpoint = `oauth:${name}`;
  const exempt = name === 'authorize' && !state.choices.maintenanceOnConsent;
  const unavailable = exempt ? null : state.checkMaintenance(exchange);
  if (unavailable !== null) return unavailable;
  exchange.faults = state.faults.strike(exchange.endpoint, null);
  const struck = await beforeEffect(exchange);
  if (struck !== null) return struck;
  if (route === undefined || !OAUTH_PREFIXES.some((prefix) => path === prefix + name)) {
    exchange.broke('endpoint', path);
    return json(404, { error: true, message: 'Not found', code: 404 });
  }
  if (!route.methods.includes(method)) {
    exchange.broke('method', `${method} ${path}`);
    const expected = route.methods[0] ?? '';
    return json(405, { error: true, message: `Method not allowed — expected ${expected}`, code: 405 });
  }
  try {
    return route.answer(state, exchange);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    exchange.broke(error.rule, error.message);
    return json(422, { status: false, code: 'validation_error', message: error.message });
  }
}
