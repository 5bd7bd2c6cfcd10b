// The authorization code flow with PKCE (S256), from the address a person opens to stored tokens. How the answer comes
// back is somebody else's business: a loopback listener, or a person who pastes the address the browser ended at.
import { trimEndOf } from '../../domain/text.js';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
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
