// Where tokens are kept: their hashes, never their values.
import type { Companies, OperatorRole } from './access/reach.js';
import type { Act, Identity } from './act.js';
import type { TokenView } from './views/act.js';

export { type OperatorRole, ROLES } from './access/reach.js';

/** A token with the person who made it; null: an older version made it and did not keep that. */
export interface KnownToken extends TokenView {
  readonly identity: Identity | null;
}

export interface TokenRecords {
  createToken(
    act: Act,
    token: {
      name: string;
      role: OperatorRole;
      companies: Companies;
      hash: string;
      expiresAt: Date;
    },
  ): Promise<TokenView>;
  tokens(): Promise<TokenView[]>;
  revokeToken(act: Act, id: string): Promise<boolean>;
  /** Neither revoked nor expired, and its maker not disabled; notes that it was used. */
  tokenByHash(hash: string): Promise<KnownToken | null>;
  /** Into the audit, counted. null: it is not even like a token. */
  tokenRefused(hash: string | null, address: string, at: Date): Promise<void>;
}
