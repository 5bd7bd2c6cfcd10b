// Tokens of the API: made, listed, revoked, recognised.
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import { type Act, checkedAct } from './act.js';
import type { OperationsDeps } from './deps.js';
import { refuseUnknownTenant } from './known-tenant.js';
import { createToken, type NewToken, recogniseToken, refuseToken } from './tokens.js';
import type { KnownToken } from './token-records.js';
import { uuid } from './uuid.js';
import type { TokenView } from './views/act.js';

export interface OnTokens {
  createToken(token: NewToken, act: Act): Promise<{ token: TokenView; value: string }>;
  tokens(): Promise<TokenView[]>;
  revokeToken(id: string, act: Act): Promise<void>;
  recogniseToken(value: string): Promise<KnownToken | null>;
  /** It let nobody in: the audit tells so. */
  refuseToken(value: string, address: string): Promise<void>;
}

export function onTokens(deps: OperationsDeps): OnTokens {
  const { records, clock } = deps;
  return {
    createToken: async (token, act) => {
      for (const company of token.companies ?? []) await refuseUnknownTenant(deps, company);
      return createToken(records, clock.now(), token, act);
    },
    tokens: () => records.tokens(),
    revokeToken: async (id, act) => {
      if (!(await records.revokeToken(checkedAct(act), uuid(id))))
        throw coded('TOKEN_INVALID', message('TOKEN_UNKNOWN', { id }));
    },
    recogniseToken: (value) => recogniseToken(records, value),
    refuseToken: (value, address) => refuseToken(records, value, address, clock.now()),
  };
}
