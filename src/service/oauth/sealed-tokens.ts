// Between tokens and what a grant row holds of them.
import type { Secret } from '../../domain/secret.js';
import type { GrantRow, GrantTokens } from '../grant-store.js';
import type { FreshTokens } from './token-outcome.js';
import type { TokenKeyring } from './token-keyring.js';

/** Document 2, "Limits". */
export const REFRESH_LIFE_MS = 30 * 24 * 60 * 60 * 1000;

export function sealTokens(
  keyring: TokenKeyring,
  tenant: string,
  fresh: FreshTokens,
  now: Date,
): GrantTokens {
  return {
    ...sealPair(keyring, tenant, fresh),
    scopes: fresh.scopes,
    accessExpiresAt: new Date(now.getTime() + fresh.expiresInMs),
    refreshExpiresAt: new Date(now.getTime() + REFRESH_LIFE_MS),
  };
}

export function sealPair(
  keyring: TokenKeyring,
  tenant: string,
  pair: { readonly accessToken: Secret; readonly refreshToken: Secret },
): Pick<GrantTokens, 'sealedAccess' | 'sealedRefresh' | 'keyId'> {
  return {
    sealedAccess: keyring.seal(tenant, 'access-token', pair.accessToken),
    sealedRefresh: keyring.seal(tenant, 'refresh-token', pair.refreshToken),
    keyId: keyring.currentKeyId,
  };
}

export function openTokens(
  keyring: TokenKeyring,
  row: Pick<GrantRow, 'tenant' | 'sealedAccess' | 'sealedRefresh'>,
): { accessToken: Secret; refreshToken: Secret } {
  return {
    accessToken: keyring.open(row.tenant, 'access-token', row.sealedAccess),
    refreshToken: keyring.open(row.tenant, 'refresh-token', row.sealedRefresh),
  };
}
