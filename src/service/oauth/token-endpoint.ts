// The token endpoint of Document 2. Its answers are three: tokens, an explicit no, or something that leaves open whether
// the refresh token was used up.
import { isCoded } from '../../domain/errors/coded-error.js';
import { Secret } from '../../domain/secret.js';
import type { Access } from '../access.js';
import { noCredentials } from '../access.js';
import { AGENT_ENDPOINTS } from '../agent-endpoints.js';
import { ApiClient, type CallOutcome } from '../api-client.js';
import type { Grants, SourceServices } from '../source-services.js';
import type { OAuthAuth, SourceSettings } from '../source-settings.js';
import { type FreshTokens, TOKEN_DEADLINE_MS, type TokenOutcome } from './token-outcome.js';

const NOTHING_LEFT = [
  'SOURCE_UNREACHABLE',
  'SOURCE_RATE_LIMITED',
  'SOURCE_CIRCUIT_OPEN',
  'SOURCE_CANCELLED',
] as const;

export class TokenEndpoint {
  readonly #client: ApiClient;
  readonly #auth: OAuthAuth;
  readonly #clientSecret: () => Promise<Secret | null>;
  #sent: readonly Secret[] = [];

  constructor(settings: SourceSettings, auth: OAuthAuth, services: SourceServices, grants: Grants) {
    this.#auth = auth;
    this.#clientSecret = () => readClientSecret(auth, services.tenantName, grants);
    const bounded = { ...services, limits: { ...services.limits, deadlineMs: TOKEN_DEADLINE_MS } };
    this.#client = new ApiClient(settings, bounded, this.#anonymous());
  }

  async exchangeCode(code: Secret, verifier: Secret): Promise<TokenOutcome> {
    const client = await this.#identity(code, verifier);
    return this.#ask(() =>
      this.#client.call(AGENT_ENDPOINTS['exchange-code'], {
        grant_type: 'authorization_code',
        ...client,
        code: code.reveal(),
        redirect_uri: this.#auth.redirectUri,
        code_verifier: verifier.reveal(),
      }),
    );
  }

  async refresh(refreshToken: Secret): Promise<TokenOutcome> {
    const client = await this.#identity(refreshToken);
    return this.#ask(() =>
      this.#client.call(AGENT_ENDPOINTS['refresh-token'], {
        grant_type: 'refresh_token',
        ...client,
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
      if (refusesTheGrant(error)) return { outcome: 'refused', message: error.message };
      if (isCoded(error, 'SOURCE_CREDENTIALS_REFUSED')) {
        return { outcome: 'client-refused', message: error.message, error };
      }
      return { outcome: NOTHING_LEFT.some((code) => isCoded(error, code)) ? 'not-sent' : 'unknown', error };
    }
  }

  async #identity(...sent: Secret[]) {
    const secret = await this.#clientSecret();
    this.#sent = secret === null ? sent : [secret, ...sent];
    return { client_id: this.#auth.clientId, ...(secret !== null && { client_secret: secret.reveal() }) };
  }

  #anonymous(): Access {
    return {
      authorize: () => Promise.resolve({ headers: {}, version: 0 }),
      allows: () => Promise.resolve(true),
      renew: () => Promise.resolve('none'),
      reread: () => Promise.resolve('none'),
      credentials: noCredentials,
      secrets: () => this.#sent,
      close: () => Promise.resolve(),
    };
  }
}

/**
 * The no of the service to this code or token, under a status that elsewhere means something else: invalid_grant, a 401 that
 * says expired, a 403 in JSON. A 403 page may come from a proxy that let nothing through, so it leaves the outcome open.
 */
function refusesTheGrant(error: Error): boolean {
  if (!isCoded(error)) return false;
  const { verdict, errorCode } = error.details;
  if (errorCode === undefined || errorCode === 'invalid_client') return false;
  return errorCode === 'invalid_grant' || verdict === 'token-expired' || verdict === 'forbidden';
}

/** From the tenant file, or from our own registration of the same client. */
async function readClientSecret(auth: OAuthAuth, tenant: string, grants: Grants): Promise<Secret | null> {
  if (auth.clientSecret !== undefined) return auth.clientSecret;
  const registered = await grants.store.readClient(tenant);
  if (registered?.clientId !== auth.clientId || registered.sealedSecret === null) return null;
  return grants.keyring.open(tenant, 'client-secret', registered.sealedSecret);
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
