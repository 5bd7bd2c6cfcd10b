// Where tokens are kept: their hashes, never their values.
import type { Companies } from './access/reach.js';
import type { OperatorRole } from './access/roles.js';
import type { Act } from './act.js';
import type { TokenView } from './views/act.js';

export { type OperatorRole, ROLES } from './access/roles.js';

export interface TokenRecords {
  createToken(
    act: Act,
    token: {
      name: string;
      role: OperatorRole;
      companies: Companies;
      hash: string;
      expiresAt: Date | null;
    },
  ): Promise<TokenView>;
  tokens(): Promise<TokenView[]>;
  revokeToken(act: Act, id: string): Promise<boolean>;
  /** Neither revoked nor expired; notes that it was used. */
  tokenByHash(hash: string): Promise<TokenView | null>;
}
