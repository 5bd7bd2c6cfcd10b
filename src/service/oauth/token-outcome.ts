// What the token endpoint may answer, and how long it is waited for.
import type { Secret } from '../../domain/secret.js';

/** Shorter than the lease on a grant, so that no refresh outlives its lease. */
export const TOKEN_DEADLINE_MS = 20_000;

/**
 * A call whose tokens are said to have expired is sent with those that another process stored, which may have expired as well, and at
 * last with refreshed ones.
 */
export const SENDS_MAX = 4;

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
  /** OAuth 2.1: a 401 without invalid_grant is about the client, not the token, which is not used up by it. */
  | { readonly outcome: 'client-refused'; readonly message: string; readonly error: Error }
  /** Surely nothing was used up. */
  | { readonly outcome: 'not-sent'; readonly error: Error }
  | { readonly outcome: 'unknown'; readonly error: Error };
