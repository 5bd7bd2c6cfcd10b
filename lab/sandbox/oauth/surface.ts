// OAuth of Document 2: register, authorize, token, each with and without the /strax prefix.
import { beforeEffect } from '../faults/before-effect.js';
import type { Outcome } from '../http/deliver.js';
import type { Exchange } from '../http/exchange.js';
import { json, type Reply } from '../http/reply.js';
import { Refusal } from '../service/refusal.js';
import type { SandboxState } from '../state.js';
import { authorize, register } from './authorize.js';
import { token } from './token.js';

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
