// The authorization code flow with PKCE (S256), from the address a person opens to stored tokens. How the answer comes
// back is somebody else's business: a loopback listener, or a person who pastes the address the browser ended at.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { trimEndOf } from '../../domain/text.js';
import { CodedError } from '../../domain/errors/coded-error.js';
import { Secret } from '../../domain/secret.js';
import { AGENT_ENDPOINTS } from '../agent-endpoints.js';
import type { SourceServices } from '../source-services.js';
import type { OAuthAuth, SourceSettings } from '../source-settings.js';
import { sealTokens } from './sealed-tokens.js';
import { TokenEndpoint } from './token-endpoint.js';

export interface LoginAttempt {
  /** For a person to open. Without the maintenance code, so that it may be printed. */
  readonly address: URL;
  readonly state: string;
  readonly verifier: Secret;
}

const VERIFIER_BYTES = 48;
const STATE_BYTES = 24;

export function beginLogin(settings: SourceSettings, auth: OAuthAuth): LoginAttempt {
  const verifier = randomBytes(VERIFIER_BYTES).toString('base64url');
  const state = randomBytes(STATE_BYTES).toString('base64url');
  const address = new URL(trimEndOf(settings.baseUrl, '/') + AGENT_ENDPOINTS.authorize.path);
  const asked = {
    response_type: 'code',
    client_id: auth.clientId,
    // Document 2 writes `scope` here and `scopes` elsewhere; the first is the standard's.
    scope: auth.scopes.join(','),
    redirect_uri: auth.redirectUri,
    state,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
  return { address, state, verifier: new Secret(verifier) };
}

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier, 'ascii').digest('base64url');
}

/** Takes the whole address the browser ended at, or only its query. Throws SOURCE_LOGIN_FAILED with the reason. */
export function readCallback(attempt: LoginAttempt, auth: OAuthAuth, pasted: string): Secret {
  const query = queryOf(auth, pasted.trim());
  const problem = query.get('error');
  if (problem !== null) throw failed(`the service answered "${problem.slice(0, 60)}"`);
  const state = query.get('state');
  if (state === null || !sameText(state, attempt.state)) {
    throw failed('state does not belong to this sign-in; it may be an old address, or somebody else’s');
  }
  const code = query.get('code');
  if (code === null || code === '') throw failed('there is no code in it');
  return new Secret(code);
}

export async function finishLogin(
  settings: SourceSettings,
  auth: OAuthAuth,
  services: SourceServices,
  attempt: LoginAttempt,
  code: Secret,
): Promise<{ readonly scopes: readonly string[]; readonly accessExpiresAt: Date }> {
  const { grants, tenantName } = services;
  if (grants === undefined) throw new CodedError('SOURCE_SETTINGS_INVALID', 'No grant store was given.');
  const endpoint = new TokenEndpoint(settings, auth, services, grants);
  try {
    const answer = await endpoint.exchangeCode(code, attempt.verifier);
    if (answer.outcome === 'refused' || answer.outcome === 'client-refused') {
      throw failed(`the service refused the code: ${answer.message}`);
    }
    if (answer.outcome !== 'tokens') throw answer.error;
    const now = services.runtime.clock.now();
    const scopes = answer.tokens.scopes.length > 0 ? answer.tokens.scopes : auth.scopes;
    const tokens = sealTokens(grants.keyring, tenantName, { ...answer.tokens, scopes }, now);
    await grants.store.save(tenantName, auth.clientId, tokens, now);
    return { scopes, accessExpiresAt: tokens.accessExpiresAt };
  } finally {
    await endpoint.close();
  }
}

function queryOf(auth: OAuthAuth, pasted: string): URLSearchParams {
  if (!URL.canParse(pasted)) return new URLSearchParams(pasted.replace(/^\?/, ''));
  const url = new URL(pasted);
  const expected = new URL(auth.redirectUri);
  const ours = url.origin === expected.origin && url.pathname === expected.pathname;
  if (!ours) throw failed(`the address does not begin with the redirect URI ${auth.redirectUri}`);
  return url.searchParams;
}

function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function failed(why: string): CodedError {
  return new CodedError('SOURCE_LOGIN_FAILED', `The sign-in cannot be finished: ${why}.`);
}

// A listener on this machine for the end of a sign-in. Redirect URIs must be https, so the browser reaches it in one of
// two ways: the registered page forwards its query to 127.0.0.1, or the listener itself speaks TLS with a given
// certificate. It also hands out the authorize address, so that a maintenance code need never be printed.

interface LoopbackOptions {
  /** Where `/start` sends the browser. */
  readonly authorizeAt: URL;
  /** 0: any free port. */
  readonly port: number;
  /** The path of the redirect URI; `/callback` works as well. */
  readonly path: string;
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer };
}

interface Loopback {
  readonly origin: string;
  /** The query the browser came back with. Resolves once. */
  readonly query: Promise<string>;
  close(): Promise<void>;
}

export async function listenForLogin(options: LoopbackOptions): Promise<Loopback> {
  let arrive: (query: string) => void = () => undefined;
  const query = new Promise<string>((resolve) => (arrive = resolve));
  const answer = (request: IncomingMessage, response: ServerResponse) =>
    reply(options, arrive, request, response);
  const server: Server = options.tls ? createHttpsServer(options.tls, answer) : createHttpServer(answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${options.tls ? 'https' : 'http'}://127.0.0.1:${String(port)}`,
    query,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function reply(
  options: LoopbackOptions,
  arrive: (query: string) => void,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const url = new URL(request.url ?? '/', 'http://loopback');
  const safe = {
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-type': 'text/plain; charset=utf-8',
  };
  if (request.method === 'GET' && url.pathname === '/start') {
    response.writeHead(302, { ...safe, location: options.authorizeAt.href }).end();
    return;
  }
  const isCallback = url.pathname === options.path || url.pathname === '/callback';
  const carries = url.searchParams.has('code') || url.searchParams.has('error');
  if (request.method !== 'GET' || !isCallback || !carries) {
    response.writeHead(404, safe).end('Nothing here. Begin at /start.\n');
    return;
  }
  response.writeHead(200, safe).end('Received. You can close this window and go back to the terminal.\n');
  arrive(url.search);
}
