import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { moment } from './dates.js';
import { SCOPES, type Scope } from './enumerations.js';
import type { Fields, Json } from './fields.js';
import { Refusal } from './refusal.js';
import type { World } from './world.js';

interface Client {
  readonly id: string;
  secret: string;
  readonly name: string;
  readonly redirect: string;
}

interface Grant {
  readonly client: Client;
  readonly scopes: readonly Scope[];
  readonly grantedAt: Date;
}

interface Code extends Grant {
  readonly redirect: string;
  readonly challenge: string | null;
}

interface Token {
  readonly grant: Grant;
  readonly until: number;
}

export interface Granted {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

const CODE_MS = 10 * 60_000;
const REFRESH_MS = 30 * 86_400_000;
const secret = (): string => randomBytes(24).toString('base64url');

/** Clients, consent and tokens. The one user of the account always consents to what is asked. */
export class OAuth {
  readonly #world: World;
  readonly #clients = new Map<string, Client>();
  readonly #codes = new Map<string, Token & { readonly code: Code }>();
  readonly #access = new Map<string, Token>();
  readonly #refresh = new Map<string, Token>();
  #grants: Grant[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  /** "idempotent on the key (user, name, redirect_uri)". */
  register(body: Fields): Json {
    const [name, redirect, rotate] = [
      body.text('name'),
      body.text('redirect_uri'),
      body.flag('rotate_secret'),
    ];
    if (!redirect.startsWith('https://'))
      throw new Refusal('redirect_uri must be https', 422, { code: 'validation_error' });
    const old = [...this.#clients.values()].find(
      (client) => client.name === name && client.redirect === redirect,
    );
    const client = old ?? { id: randomUUID(), secret: secret(), name, redirect };
    if (old !== undefined && rotate) client.secret = secret();
    this.#clients.set(client.id, client);
    return {
      redirect_uri: redirect,
      name,
      client_secret: old === undefined || rotate ? client.secret : null,
      client_id: client.id,
      existing: old !== undefined,
      status: true,
      ...(old !== undefined && rotate ? { rotated: true } : {}),
    };
  }

  /** The address that the browser is sent to. */
  authorize(query: Fields): string {
    const client = this.#clients.get(query.text('client_id'));
    const redirect = query.text('redirect_uri');
    if (client === undefined || client.redirect !== redirect)
      throw new Refusal('Invalid client or redirect URI', 400);
    const scopes = readScopes(query.maybeText('scope') ?? query.maybeText('scopes') ?? '');
    const method = query.maybeText('code_challenge_method') ?? 'S256';
    if (method !== 'S256') throw new Refusal('Only S256 is supported', 400);
    const grant: Grant = { client, scopes, grantedAt: this.#world.now() };
    const code: Code = { ...grant, redirect, challenge: query.maybeText('code_challenge') };
    const text = secret();
    this.#codes.set(text, { grant, code, until: this.#nowMs() + CODE_MS });
    const url = new URL(redirect);
    url.searchParams.set('state', query.maybeText('state') ?? '');
    url.searchParams.set('code', text);
    return url.href;
  }

  token(body: Fields): Json {
    const type = body.oneOf('grant_type', ['authorization_code', 'refresh_token']);
    const client = this.#clients.get(body.text('client_id'));
    if (client === undefined) throw new Refusal('Invalid client or redirect URI', 401);
    if (
      body.maybeText('client_secret') !== client.secret &&
      (type === 'refresh_token' || !body.has('code_verifier'))
    ) {
      throw new Refusal('Invalid client credentials', 401);
    }
    if (type === 'refresh_token')
      return this.#answer(this.#replace(body.text('refresh_token'), client), false);
    return this.#answer(this.#exchange(body, client), true);
  }

  /** "invalidated immediately; a new refresh token is issued". */
  #replace(text: string, client: Client): Grant {
    const token = this.#refresh.get(text);
    this.#refresh.delete(text);
    if (token === undefined || token.grant.client !== client || token.until < this.#nowMs()) {
      throw new Refusal('Invalid refresh token', 400, { error: 'invalid_grant' });
    }
    return token.grant;
  }

  #exchange(body: Fields, client: Client): Grant {
    const text = body.text('code');
    const kept = this.#codes.get(text);
    this.#codes.delete(text);
    if (kept === undefined || kept.grant.client !== client || kept.until < this.#nowMs()) {
      throw new Refusal('Invalid authorization code', 400, { error: 'invalid_grant' });
    }
    if (body.text('redirect_uri') !== kept.code.redirect)
      throw new Refusal('Invalid client or redirect URI', 400);
    const { challenge } = kept.code;
    const verifier = body.maybeText('code_verifier') ?? '';
    if (challenge !== null && createHash('sha256').update(verifier).digest('base64url') !== challenge) {
      throw new Refusal('Invalid code_verifier', 400, { error: 'invalid_grant' });
    }
    this.#grants.push(kept.grant);
    return kept.grant;
  }

  /** `scope` is "present on the code exchange". */
  #answer(grant: Grant, exchange: boolean): Json {
    const { access, refresh } = this.#issue(grant);
    return {
      ...(exchange ? { scope: grant.scopes.join(',') } : {}),
      refresh_token: refresh,
      expires_in: this.#world.freedoms.tokenSeconds,
      token_type: 'Bearer',
      access_token: access,
    };
  }

  #issue(grant: Grant): { access: string; refresh: string } {
    const [access, refresh] = [secret(), secret()];
    this.#access.set(access, { grant, until: this.#nowMs() + this.#world.freedoms.tokenSeconds * 1000 });
    this.#refresh.set(refresh, { grant, until: this.#nowMs() + REFRESH_MS });
    return { access, refresh };
  }

  /** As if the user had consented: for tests that begin behind the consent page. */
  grant(scopes: readonly Scope[]): Granted {
    const client: Client = {
      id: randomUUID(),
      secret: secret(),
      name: 'test',
      redirect: 'https://client.example/back',
    };
    this.#clients.set(client.id, client);
    const grant: Grant = { client, scopes, grantedAt: this.#world.now() };
    this.#grants.push(grant);
    const { access, refresh } = this.#issue(grant);
    return { clientId: client.id, clientSecret: client.secret, accessToken: access, refreshToken: refresh };
  }

  /** Ends all access tokens early; refresh tokens stay. */
  expireAccess(): void {
    for (const [text, token] of this.#access) this.#access.set(text, { ...token, until: 0 });
  }

  check(text: string): { readonly scopes: readonly Scope[]; readonly agent: string } | 'expired' | 'unknown' {
    const token = this.#access.get(text);
    if (token === undefined) return 'unknown';
    if (token.until <= this.#nowMs()) return 'expired';
    return { scopes: token.grant.scopes, agent: token.grant.client.id };
  }

  list(): Json {
    const data = this.#grants.map((grant) => ({
      granted_at: moment(grant.grantedAt),
      scopes: grant.scopes,
      name: grant.client.name,
      agent_id: grant.client.id,
    }));
    return { total: data.length, data };
  }

  /** "revoked, all bearer tokens invalidated". */
  revoke(agent: string): Json {
    this.#grants = this.#grants.filter((grant) => grant.client.id !== agent);
    for (const tokens of [this.#access, this.#refresh]) {
      for (const [text, token] of tokens) if (token.grant.client.id === agent) tokens.delete(text);
    }
    return { agent_id: agent, message: 'Access revoked' };
  }

  #nowMs(): number {
    return this.#world.now().getTime();
  }
}

function readScopes(text: string): Scope[] {
  const scopes = text.split(',').map((scope) => scope.trim());
  return SCOPES.filter((scope) => scopes.includes(scope));
}
