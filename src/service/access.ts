// How a call proves who it is: HTTP Basic, or a bearer token that somebody keeps fresh.
import { Secret } from '../domain/secret.js';
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import type { AgentScope, CredentialsAuth } from './source-settings.js';

export interface Authorization {
  readonly headers: Readonly<Record<string, string>>;
  /** Which tokens these are; what `renew` is told when they turn out to be expired. */
  readonly version: number;
}

/** Where there are others, a call is sent once more. */
export type OtherTokens = 'none' | 'stored' | 'refreshed';

export interface Access {
  authorize(): Promise<Authorization>;
  /** Whether the grant has this scope. HTTP Basic is not limited by scopes. */
  allows(scope: AgentScope): Promise<boolean>;
  /** After a 401 that says expired: refreshed, unless another process has stored newer ones, which may have expired as well. */
  renew(failedVersion: number): Promise<OtherTokens>;
  /** After any other 401 or a 403: somebody may have signed in since. Nothing is refreshed. */
  reread(failedVersion: number): Promise<OtherTokens>;
  /** User name and key, where the endpoint wants Basic or (upload-file) the query string. */
  credentials(): { readonly username: string; readonly apiKey: Secret };
  /** What must never appear in a message that came from outside. */
  secrets(): readonly Secret[];
  close(): Promise<void>;
}

export function basicAccess(auth: CredentialsAuth): Access {
  const agent = auth.agentId === undefined ? {} : { 'x-agent-id': auth.agentId };
  return {
    authorize: () => Promise.resolve({ headers: { authorization: basicHeader(auth), ...agent }, version: 0 }),
    allows: () => Promise.resolve(true),
    renew: () => Promise.resolve('none'),
    reread: () => Promise.resolve('none'),
    credentials: () => auth,
    secrets: () => [auth.apiKey],
    close: () => Promise.resolve(),
  };
}

export function basicHeader(credentials: Credentials): string {
  return `Basic ${basicPair(credentials).reveal()}`;
}

/** The form in which the key travels is a secret of its own, so that nobody prints it either. Every call needs it, and it stays the same. */
export function basicPair({ username, apiKey }: Credentials): Secret {
  const before = pairs.get(apiKey);
  if (before?.username === username) return before.pair;
  const pair = new Secret(Buffer.from(`${username}:${apiKey.reveal()}`, 'utf8').toString('base64'));
  pairs.set(apiKey, { username, pair });
  return pair;
}

type Credentials = Pick<CredentialsAuth, 'username' | 'apiKey'>;

const pairs = new WeakMap<Secret, { readonly username: string; readonly pair: Secret }>();

export function noCredentials(): never {
  throw coded('SOURCE_SETTINGS_INVALID', message('KEY_ENDPOINT_ONLY'));
}
