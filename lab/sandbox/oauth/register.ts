// POST /agent/register: by session cookie, HTTP Basic, or username and api_key in the body.
import { readBasic } from '../http/basic-auth.js';
import type { Exchange } from '../http/exchange.js';
import { json, type Reply } from '../http/reply.js';
import type { RuleId } from '../rules.js';
import type { Account } from '../service/account.js';
import type { SandboxState } from '../state.js';

export function register(state: SandboxState, exchange: Exchange): Reply {
  const account = ownerOf(state, exchange);
  exchange.account = account;
  if (account === null)
    return fail(exchange, 401, 'invalid_credentials', 'credentials', 'Invalid username or api_key');
  if (!account.profile.web_service)
    return fail(exchange, 403, 'webservice_required', 'subscription', 'Web-service access is missing');
  const { fields } = exchange;
  const name = fields.text('name');
  const redirectUri = fields.text('redirect_uri');
  if (name === '') return invalid(exchange, 'required-field', 'Field name is required');
  if (!isAllowedRedirect(state, redirectUri))
    return invalid(exchange, 'redirect-https', 'Field redirect_uri must be an https URL');
  const registration = {
    owner: account.profile.username,
    name,
    description: fields.text('description'),
    redirect_uri: redirectUri,
  };
  const existing = state.clients.find(registration);
  const rotated = existing !== undefined && fields.flag('rotate_secret');
  const client = existing ?? state.clients.create(registration);
  exchange.agent = client.client_id;
  return json(200, {
    status: true,
    existing: existing !== undefined,
    client_id: client.client_id,
    client_secret: rotated
      ? state.clients.rotateSecret(client)
      : existing === undefined
        ? client.client_secret
        : null,
    name: client.name,
    redirect_uri: client.redirect_uri,
    ...(rotated ? { rotated: true } : {}),
  });
}

function ownerOf(state: SandboxState, exchange: Exchange): Account | null {
  const basic = readBasic(exchange.header('authorization'));
  const username = exchange.fields.text('username') || basic?.username;
  if (username !== undefined) {
    const account = state.accounts.get(username);
    const apiKey = exchange.fields.text('api_key') || basic?.apiKey;
    return account?.profile.api_key === apiKey ? (account ?? null) : null;
  }
  const session = state.sessions.read(exchange.header('cookie'));
  return session === null ? null : (state.accounts.get(session.username) ?? null);
}

function isAllowedRedirect(state: SandboxState, text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.protocol === 'https:') return true;
  const loopback = url.hostname === 'localhost' || url.hostname === '127.0.0.1' || url.hostname === '[::1]';
  return state.choices.redirectUris === 'https-or-loopback' && url.protocol === 'http:' && loopback;
}

function invalid(exchange: Exchange, rule: RuleId, message: string): Reply {
  return fail(exchange, 422, 'validation_error', rule, message);
}

function fail(exchange: Exchange, status: number, code: string, rule: RuleId, message: string): Reply {
  exchange.broke(rule, message);
  exchange.message = message;
  return json(status, { status: false, code, message });
}
