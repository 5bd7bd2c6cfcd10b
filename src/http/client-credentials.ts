// OAuth 2 client credentials (RFC 6749 §4.4): one token per connection, fetched by one request however many wait for it,
// renewed before it expires and forgotten when the service says that it has. The token never leaves as plain text.
import * as z from 'zod';
import type { Clock } from '../domain/runtime.js';
import type { Told } from '../domain/message.js';
import { Secret } from '../domain/secret.js';
import { message, saidBy, told } from '../language/messages.js';
import type { HttpClient, HttpResponse } from './http-client.js';
import { readWireJson, wireInteger } from './wire-json.js';

export interface ClientCredentialsOptions {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly tokenUrl: URL;
  readonly clientId: string;
  readonly clientSecret: Secret;
  /** One, or several of which the first that the service grants is used: a service may know old names or new ones. */
  readonly scope: string | readonly string[];
  /** Where the client's id and secret go: services differ, and some refuse the other way. */
  readonly style: 'form' | 'basic';
}

export type TokenAnswer =
  { readonly outcome: 'ok'; readonly token: Secret } | ({ readonly outcome: 'transient' | 'auth' } & Told);

export interface AccessTokens {
  current(): Promise<TokenAnswer>;
  /** After a 401: the next call of `current` fetches a new one. Forgetting an older token does nothing. */
  forget(token: Secret): void;
}

const RENEW_BEFORE_MS = 60_000;
const LIFE_SECONDS_UNSTATED = 300;
const TOKEN_BODY_BYTES_MAX = 64 * 1024;

const tokenReply = z.object({
  access_token: z.string().min(1),
  token_type: z.string().optional(),
  expires_in: wireInteger.optional(),
});

export function createClientCredentials(options: ClientCredentialsOptions): AccessTokens {
  let kept: { readonly token: Secret; readonly renewAt: number } | undefined;
  let underWay: Promise<TokenAnswer> | undefined;
  const scopes = typeof options.scope === 'string' ? [options.scope] : [...options.scope];

  const renew = async (): Promise<TokenAnswer> => {
    const fetched = await fetchGranted(options, scopes);
    if (fetched.outcome !== 'ok') return fetched;
    kept = { token: fetched.token, renewAt: options.clock.now().getTime() + fetched.lifeMs };
    return { outcome: 'ok', token: fetched.token };
  };

  return {
    current() {
      if (kept && options.clock.now().getTime() < kept.renewAt) {
        return Promise.resolve({ outcome: 'ok', token: kept.token });
      }
      underWay ??= renew().finally(() => (underWay = undefined));
      return underWay;
    },
    forget(token) {
      if (kept?.token === token) kept = undefined;
    },
  };
}

type Fetched =
  | { readonly outcome: 'ok'; readonly token: Secret; readonly lifeMs: number }
  | ({ readonly outcome: 'transient' } & Told)
  | ({ readonly outcome: 'auth'; readonly isScope?: boolean } & Told);

/** RFC 6749, 5.2. */
const tokenError = z.object({ error: z.string() });

/** Tries the scopes in turn; the one that was granted comes first from then on. */
async function fetchGranted(options: ClientCredentialsOptions, scopes: string[]): Promise<Fetched> {
  let last: Fetched = { outcome: 'auth', ...told('NO_SCOPES') };
  for (const [index, scope] of [...scopes].entries()) {
    const fetched = await fetchToken(options, scope);
    if (fetched.outcome === 'ok') scopes.unshift(...scopes.splice(index, 1));
    if (fetched.outcome !== 'auth' || fetched.isScope !== true) return fetched;
    last = fetched;
  }
  return last;
}

async function fetchToken(options: ClientCredentialsOptions, scope: string): Promise<Fetched> {
  const form = new URLSearchParams({ grant_type: 'client_credentials', scope });
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  if (options.style === 'form') {
    form.set('client_id', options.clientId);
    form.set('client_secret', options.clientSecret.reveal());
  } else {
    const pair = `${options.clientId}:${options.clientSecret.reveal()}`;
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
  }
  const url = options.tokenUrl;
  const answer = await options.http.send({
    method: 'POST',
    url,
    headers,
    body: form.toString(),
    bodyBytesMax: TOKEN_BODY_BYTES_MAX,
  });
  if (answer.outcome === 'failure') {
    return { outcome: 'transient', ...told('NO_TOKEN', { origin: url.origin, why: saidBy(answer) }) };
  }
  return judgeToken(url, answer, scope);
}

function judgeToken({ origin }: URL, answer: HttpResponse, scope: string): Fetched {
  if (answer.status === 429 || answer.status >= 500) {
    const why = message('AS_SAID', { text: `HTTP ${answer.status}` });
    return { outcome: 'transient', ...told('NO_TOKEN', { origin, why }) };
  }
  if (tokenError.safeParse(readWireJson(answer.body)).data?.error === 'invalid_scope') {
    return { outcome: 'auth', ...told('SCOPES_NOT_GRANTED', { origin, scopes: scope }), isScope: true };
  }
  if (answer.status !== 200) {
    return { outcome: 'auth', ...told('CLIENT_REFUSED', { origin, status: answer.status }) };
  }
  const reply = tokenReply.safeParse(readWireJson(answer.body));
  if (!reply.success) return { outcome: 'transient', ...told('ANSWERED_WITHOUT_TOKEN', { origin }) };
  const lifeMs = (reply.data.expires_in ?? LIFE_SECONDS_UNSTATED) * 1000;
  // A life shorter than twice the margin is used by half, so that a short-lived token is still used more than once.
  const usableMs = Math.max(lifeMs - RENEW_BEFORE_MS, lifeMs / 2);
  return { outcome: 'ok', token: new Secret(reply.data.access_token), lifeMs: usableMs };
}
