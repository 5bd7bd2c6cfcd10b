// Signing in at an identity provider, by OpenID Connect with the authorization code and PKCE. Promises: the answer belongs to
// the browser that began (state), to this sign-in (nonce) and to us (audience, signature: openid-client checks them); nothing
// of it is kept but who it is about and their groups; and a provider that is away is asked again at the next try.
import type { Configuration } from 'openid-client';
import type { Secret } from '../domain/secret.js';
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';

export interface IdentitySettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: Secret | null;
  readonly scopes: readonly string[];
  /** Claims. */
  readonly login: string;
  readonly groups: string;
}

/** What the browser keeps between leaving and coming back. */
export interface Pending {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly login: string;
  readonly groups: readonly string[];
  /** `amr` of the ID token has `mfa` (RFC 8176). */
  readonly secondFactor: boolean;
}

export interface IdentityProvider {
  begin(redirectUri: string): Promise<{ readonly url: string; readonly pending: Pending }>;
  /** `url`: the address the provider sent the browser back to. */
  finish(url: string, pending: Pending): Promise<Identity>;
}

const TIMEOUT_S = 10;
const GROUPS_MAX = 1_000;

export function createIdentityProvider(settings: IdentitySettings): IdentityProvider {
  let known: Promise<Configuration> | null = null;
  const configuration = () => {
    known ??= discover(settings).catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };
  return {
    begin: (redirectUri) => asking(settings, async () => begin(await configuration(), settings, redirectUri)),
    finish: (url, pending) =>
      asking(settings, async () => finish(await configuration(), settings, url, pending)),
  };
}

/** The library is only loaded where somebody signs in elsewhere. */
async function discover({ issuer, clientId, clientSecret }: IdentitySettings): Promise<Configuration> {
  const client = await import('openid-client');
  const url = new URL(issuer);
  // The signature of the ID token is checked whatever way it came, also where TLS to the provider ends before it.
  const execute = [
    client.enableNonRepudiationChecks,
    ...(url.protocol === 'http:' ? [client.allowInsecureRequests] : []),
  ];
  const secret = clientSecret?.reveal();
  const authentication = secret === undefined ? client.None() : client.ClientSecretBasic(secret);
  return client.discovery(url, clientId, undefined, authentication, { execute, timeout: TIMEOUT_S });
}

async function begin(config: Configuration, { scopes }: IdentitySettings, redirectUri: string) {
  const client = await import('openid-client');
  const verifier = client.randomPKCECodeVerifier();
  const pending = { state: client.randomState(), nonce: client.randomNonce(), verifier };
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  return { url: url.href, pending };
}

async function finish(
  config: Configuration,
  settings: IdentitySettings,
  url: string,
  { state, nonce, verifier }: Pending,
): Promise<Identity> {
  const client = await import('openid-client');
  const tokens = await client.authorizationCodeGrant(config, new URL(url), {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new Error('the answer has no ID token');
  const { iss, sub } = claims;
  // Many providers keep groups out of the token and tell them when they are asked.
  const lacks = claims[settings.groups] === undefined || claims[settings.login] === undefined;
  const asked = lacks && config.serverMetadata().userinfo_endpoint !== undefined;
  const more = asked ? await client.fetchUserInfo(config, tokens.access_token, sub) : {};
  const all: Readonly<Record<string, unknown>> = { ...more, ...claims };
  return {
    issuer: iss,
    subject: sub,
    login: nameIn(all, settings.login, sub),
    groups: groupsIn(all[settings.groups]),
    // Of the signed token alone.
    secondFactor: groupsIn(claims['amr']).includes('mfa'),
  };
}

function nameIn(claims: Readonly<Record<string, unknown>>, claim: string, subject: string): string {
  const name = claims[claim];
  return typeof name === 'string' && name !== '' ? name.slice(0, 60) : subject.slice(0, 60);
}

function groupsIn(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((one): one is string => typeof one === 'string').slice(0, GROUPS_MAX);
}

/** Whatever goes wrong between us and the provider is one thing to the person at the door; the log has the rest. */
async function asking<Answer>({ issuer }: IdentitySettings, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw coded('IDENTITY_UNREACHABLE', message('IDENTITY_SILENT', { issuer, answer: why }), {
      cause: error,
    });
  }
}
