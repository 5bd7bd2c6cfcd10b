// Grants, authorization codes and tokens with their lifetimes. Nothing here speaks HTTP.
import { createHash } from 'node:crypto';
import type { SandboxClock } from '../clock.js';
import type { Random } from '../random.js';

export interface Grant {
  readonly username: string;
  readonly client_id: string;
  scopes: readonly string[];
  granted_at: string;
}

export interface Code {
  readonly username: string;
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly scopes: readonly string[];
  readonly challenge: string | null;
  readonly expiresAtMs: number;
}

export interface AccessToken {
  readonly username: string;
  readonly client_id: string;
  readonly scopes: readonly string[];
  readonly expiresAtMs: number;
}

interface RefreshToken extends AccessToken {
  /** Set once a newer one took its place. */
  replaced: boolean;
}

export interface IssuedTokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

const CODE_LIFETIME_MS = 10 * 60_000;
const REFRESH_LIFETIME_MS = 30 * 24 * 3_600_000;
/** Of each kind; the oldest give way, so that a million refreshes do not grow the heap. */
const KEPT_MAX = 20_000;

export class TokenStore {
  readonly #clock: SandboxClock;
  readonly #random: Random;
  readonly #accessSeconds: number;
  readonly #grants = new Map<string, Grant>();
  readonly #codes = new Map<string, Code>();
  readonly #access = new Map<string, AccessToken>();
  readonly #refresh = new Map<string, RefreshToken>();
  /** Tokens that ended by revocation: known, but not expired. */
  readonly #revoked = new Map<string, string>();

  constructor(clock: SandboxClock, random: Random, accessSeconds: number) {
    this.#clock = clock;
    this.#random = random;
    this.#accessSeconds = accessSeconds;
  }

  grant(username: string, clientId: string, scopes: readonly string[]): Grant {
    const grant = { username, client_id: clientId, scopes, granted_at: this.#clock.timestamp() };
    this.#grants.set(`${username}\n${clientId}`, grant);
    return grant;
  }

  grantsOf(username: string): Grant[] {
    return [...this.#grants.values()].filter((grant) => grant.username === username);
  }

  /** Ends the grant and every token under it. */
  revoke(username: string, clientId: string): boolean {
    if (!this.#grants.delete(`${username}\n${clientId}`)) return false;
    const mine = (token: AccessToken | Code): boolean =>
      token.username === username && token.client_id === clientId;
    for (const [text, token] of this.#access) {
      if (!mine(token)) continue;
      this.#access.delete(text);
      keep(this.#revoked, text, clientId);
    }
    for (const [text, token] of this.#refresh) if (mine(token)) this.#refresh.delete(text);
    for (const [text, code] of this.#codes) if (mine(code)) this.#codes.delete(text);
    return true;
  }

  issueCode(code: Omit<Code, 'expiresAtMs'>): string {
    const text = this.#random.token(24);
    keep(this.#codes, text, { ...code, expiresAtMs: this.#clock.nowMs() + CODE_LIFETIME_MS });
    return text;
  }

  /** A code works once, whatever becomes of the attempt. */
  takeCode(text: string): Code | null {
    const code = this.#codes.get(text);
    this.#codes.delete(text);
    return code === undefined || code.expiresAtMs <= this.#clock.nowMs() ? null : code;
  }

  issueTokens(owner: Pick<AccessToken, 'username' | 'client_id' | 'scopes'>): IssuedTokens {
    const now = this.#clock.nowMs();
    const { username, client_id, scopes } = owner;
    const tokens = { access_token: this.#random.token(32), refresh_token: this.#random.token(32) };
    const expiresAtMs = now + this.#accessSeconds * 1_000;
    keep(this.#access, tokens.access_token, { username, client_id, scopes, expiresAtMs });
    const refreshEnd = now + REFRESH_LIFETIME_MS;
    const refresh = { username, client_id, scopes, expiresAtMs: refreshEnd, replaced: false };
    keep(this.#refresh, tokens.refresh_token, refresh);
    return tokens;
  }

  access(text: string): AccessToken | 'expired' | 'revoked' | 'unknown' {
    const token = this.#access.get(text);
    if (token === undefined) return this.#revoked.has(text) ? 'revoked' : 'unknown';
    return token.expiresAtMs <= this.#clock.nowMs() ? 'expired' : token;
  }

  revokedClient(text: string): string | undefined {
    return this.#revoked.get(text);
  }

  /** Rotation: the one given is invalid from here on. */
  refresh(text: string, clientId: string): IssuedTokens | 'replaced' | 'unknown' {
    const token = this.#refresh.get(text);
    if (token?.client_id !== clientId || token.expiresAtMs <= this.#clock.nowMs()) return 'unknown';
    if (token.replaced) return 'replaced';
    token.replaced = true;
    return this.issueTokens(token);
  }
}

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

function keep<V>(map: Map<string, V>, key: string, value: V): void {
  if (map.size >= KEPT_MAX) {
    const oldest = map.keys().next();
    if (oldest.done !== true) map.delete(oldest.value);
  }
  map.set(key, value);
}
