// The token endpoint of Document 2. Its answers are three: tokens, an explicit no, or something that leaves open whether
// the refresh token was used up.
import { isCoded } from '../../domain/errors/coded-error.js';
import { Secret } from '../../domain/secret.js';
import type { Access } from '../access.js';
import { noCredentials } from '../access.js';
import { AGENT_ENDPOINTS } from '../agent-endpoints.js';
import { ApiClient, type CallOutcome } from '../api-client.js';
import type { SourceServices } from '../source-services.js';
import type { OAuthAuth, SourceSettings } from '../source-settings.js';

export interface FreshTokens {
  readonly accessToken: Secret;
  readonly refreshToken: Secret;
  readonly expiresInMs: number;
  /** Present on the code exchange only. */
  readonly scopes: readonly string[];
}

export type TokenOutcome =
  | { readonly outcome: 'tokens'; readonly tokens: FreshTokens }
  | { readonly outcome: 'refused'; readonly message: string }
  /** Surely nothing was used up. */
  | { readonly outcome: 'not-sent'; readonly error: Error }
  | { readonly outcome: 'unknown'; readonly error: Error };

/** Shorter than the lease on a grant, so that no refresh outlives its lease. */
export const TOKEN_DEADLINE_MS = 20_000;

const NOTHING_LEFT = [
  'SOURCE_UNREACHABLE',
  'SOURCE_RATE_LIMITED',
  'SOURCE_CIRCUIT_OPEN',
  'SOURCE_CANCELLED',
] as const;

export class TokenEndpoint {
  readonly #client: ApiClient;
  readonly #auth: OAuthAuth;
  #sent: readonly Secret[] = [];

  constructor(settings: SourceSettings, auth: OAuthAuth, services: SourceServices) {
    this.#auth = auth;
    const bounded = { ...services, limits: { ...services.limits, deadlineMs: TOKEN_DEADLINE_MS } };
    this.#client = new ApiClient(settings, bounded, this.#anonymous());
  }

  async exchangeCode(code: Secret, verifier: Secret): Promise<TokenOutcome> {
    this.#sent = [code, verifier];
    return this.#ask(() =>
      this.#client.call(AGENT_ENDPOINTS['exchange-code'], {
        grant_type: 'authorization_code',
        ...this.#identity(),
        code: code.reveal(),
        redirect_uri: this.#auth.redirectUri,
        code_verifier: verifier.reveal(),
      }),
    );
  }

  async refresh(refreshToken: Secret): Promise<TokenOutcome> {
    this.#sent = [refreshToken];
    return this.#ask(() =>
      this.#client.call(AGENT_ENDPOINTS['refresh-token'], {
        grant_type: 'refresh_token',
        ...this.#identity(),
        refresh_token: refreshToken.reveal(),
      }),
    );
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #ask(call: () => Promise<CallOutcome<WireTokens>>): Promise<TokenOutcome> {
    try {
      const answer = await call();
      if (answer.outcome === 'refused') return { outcome: 'refused', message: answer.message };
      return { outcome: 'tokens', tokens: toTokens(answer.value) };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (isCoded(error, 'SOURCE_CREDENTIALS_REFUSED')) return { outcome: 'refused', message: error.message };
      return { outcome: NOTHING_LEFT.some((code) => isCoded(error, code)) ? 'not-sent' : 'unknown', error };
    }
  }

  #identity() {
    const { clientId, clientSecret } = this.#auth;
    return {
      client_id: clientId,
      ...(clientSecret !== undefined && { client_secret: clientSecret.reveal() }),
    };
  }

  #anonymous(): Access {
    const { clientSecret } = this.#auth;
    return {
      authorize: () => Promise.resolve({ headers: {}, version: 0 }),
      renew: () => Promise.resolve(false),
      credentials: noCredentials,
      secrets: () => (clientSecret === undefined ? this.#sent : [clientSecret, ...this.#sent]),
      close: () => Promise.resolve(),
    };
  }
}

interface WireTokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly scope: string;
}

function toTokens(wire: WireTokens): FreshTokens {
  return {
    accessToken: new Secret(wire.access_token),
    refreshToken: new Secret(wire.refresh_token),
    expiresInMs: wire.expires_in * 1000,
    scopes: wire.scope.split(/[\s,]+/).filter((scope) => scope !== ''),
  };
}
