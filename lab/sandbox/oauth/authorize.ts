// The authorize endpoint: checks the client, signs a person in, asks for consent, and sends the browser back with a code.
import type { Exchange } from '../http/exchange.js';
import { type Reply, json } from '../http/reply.js';
import { SCOPES } from '../model.js';
import type { RuleId } from '../rules.js';
import type { Account } from '../service/account.js';
import type { SandboxState } from '../state.js';
import type { OAuthClient } from './clients.js';
import { consentPage, problemPage, signInPage, SESSION_COOKIE, type Session } from './consent-page.js';
import { readBasic } from '../http/request.js';

interface Asked {
  readonly client: OAuthClient;
  readonly redirect: string;
  readonly state: string;
  readonly scopes: readonly string[];
  readonly challenge: string | null;
  readonly query: string;
}

export function authorize(state: SandboxState, exchange: Exchange): Reply {
  const asked = readAsked(state, exchange);
  if (!('client' in asked)) return asked;
  exchange.agent = asked.client.client_id;
  const step = exchange.request.method === 'POST' ? exchange.fields.text('step') : '';
  if (step === 'sign-in') return signIn(state, exchange, asked);
  const session = state.sessions.read(exchange.header('cookie'));
  const account = session === null ? undefined : state.accounts.get(session.username);
  if (session === null || account === undefined)
    return signInPage(asked.client, asked.query, '', originOf(asked));
  exchange.account = account;
  if (!asked.client.app && asked.client.owner !== session.username)
    return problem(exchange, 'client-or-redirect', 'This client belongs to another account');
  return step === 'consent'
    ? decide(state, exchange, asked, account, session)
    : askConsent(asked, account, session);
}

/** What is wrong with client or redirect URI is shown here and never redirected. */
function readAsked(state: SandboxState, exchange: Exchange): Asked | Reply {
  const { query } = exchange.request;
  const client = state.clients.get(query.get('client_id') ?? '');
  const redirect = query.get('redirect_uri') ?? '';
  if (client?.redirect_uri !== redirect)
    return problem(exchange, 'client-or-redirect', 'Invalid client or redirect URI');
  const oauthState = query.get('state') ?? '';
  const challenge = query.get('code_challenge');
  if ((query.get('code_challenge_method') ?? 'S256') !== 'S256' || (challenge === null && client.isPublic)) {
    exchange.broke('pkce', challenge === null ? 'code_challenge is missing' : 'Only S256 is supported');
    return backTo(redirect, { error: 'invalid_request', state: oauthState });
  }
  const asked = (query.get('scope') ?? query.get('scopes') ?? '')
    .split(/[,\s]+/)
    .filter((scope) => scope !== '');
  const unknown = asked.find((scope) => !SCOPES.some((known) => known === scope));
  if (asked.length === 0 || unknown !== undefined) {
    exchange.broke('scope', unknown === undefined ? 'No scope was asked for' : `Unknown scope ${unknown}`);
    return backTo(redirect, { error: 'invalid_scope', state: oauthState });
  }
  return { client, redirect, state: oauthState, scopes: asked, challenge, query: query.toString() };
}

function signIn(state: SandboxState, exchange: Exchange, asked: Asked): Reply {
  const account = state.accounts.get(exchange.fields.text('username'));
  if (account === undefined || account.profile.password !== exchange.fields.text('password')) {
    exchange.message = 'Wrong username or password';
    return signInPage(asked.client, asked.query, 'Wrong username or password.', originOf(asked));
  }
  const id = state.sessions.open(account.profile.username);
  return {
    status: 303,
    body: '',
    headers: {
      location: `/strax/agent/authorize?${asked.query}`,
      'set-cookie': `${SESSION_COOKIE}=${id}; Path=/; HttpOnly; SameSite=Lax`,
      'cache-control': 'no-store',
    },
  };
}

function askConsent(asked: Asked, account: Account, session: Session): Reply {
  const { scopes, name, username } = account.profile;
  return consentPage({
    client: asked.client,
    company: name,
    username,
    offered: asked.scopes.filter((scope) => scopes.includes(scope)),
    missing: asked.scopes.filter((scope) => !scopes.includes(scope)),
    query: asked.query,
    formToken: session.formToken,
    redirectOrigin: originOf(asked),
  });
}

function decide(
  state: SandboxState,
  exchange: Exchange,
  asked: Asked,
  account: Account,
  session: Session,
): Reply {
  if (exchange.fields.text('form_token') !== session.formToken)
    return problem(exchange, 'credentials', 'This form is out of date; start again');
  const { scopes: plan } = account.profile;
  const granted = asked.scopes.filter(
    (scope) => plan.includes(scope) && exchange.fields.flag(`scope_${scope}`),
  );
  if (exchange.fields.text('decision') !== 'allow' || granted.length === 0)
    return backTo(asked.redirect, { error: 'access_denied', state: asked.state });
  const code = state.tokens.issueCode({
    username: session.username,
    client_id: asked.client.client_id,
    redirect_uri: asked.redirect,
    scopes: granted,
    challenge: asked.challenge,
  });
  return backTo(asked.redirect, { code, state: asked.state });
}

function originOf(asked: Asked): string {
  return new URL(asked.redirect).origin;
}

function backTo(redirect: string, answer: Readonly<Record<string, string>>): Reply {
  const url = new URL(redirect);
  for (const [name, value] of Object.entries(answer)) if (value !== '') url.searchParams.set(name, value);
  return { status: 302, body: '', headers: { location: url.href, 'cache-control': 'no-store' } };
}

function problem(exchange: Exchange, rule: RuleId, message: string): Reply {
  exchange.broke(rule, message);
  exchange.message = message;
  return problemPage(message);
}

// POST /agent/register: by session cookie, HTTP Basic, or username and api_key in the body.

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
