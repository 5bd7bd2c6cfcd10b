// Bearer tokens of the operator API. The value is shown once and kept nowhere: the database has its hash.
import { createHash, randomBytes } from 'node:crypto';
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import { type Act, checkedAct } from './act.js';
import type { KnownToken, OperatorRole, TokenRecords } from './token-records.js';
import type { TokenView } from './views/act.js';
import type { OperationsDeps } from './deps.js';
import { refuseUnknownTenant } from './known-tenant.js';
import { uuid } from './uuid.js';

/** Told from other secrets at a glance, also by scanners. */
const PREFIX = 'lbt_';
const BYTES = 32;
const DAYS_MAX = 3650;
/** A token that was forgotten ends by itself. */
export const TOKEN_DAYS = 90;

interface NewToken {
  readonly name: string;
  readonly role: OperatorRole;
  /** TOKEN_DAYS unless given. */
  readonly days?: number | undefined;
  /** The only companies it is good for; all of them unless given. */
  readonly companies?: readonly string[] | undefined;
}

async function createToken(
  records: TokenRecords,
  now: Date,
  { name, role, days = TOKEN_DAYS, companies }: NewToken,
  act: Act,
): Promise<{ token: TokenView; value: string }> {
  if (!/^[\p{L}\p{N} ._-]{1,60}$/u.test(name)) throw coded('TOKEN_INVALID', message('TOKEN_NAME_UNFIT'));
  if (!(Number.isInteger(days) && days >= 1 && days <= DAYS_MAX))
    throw coded('TOKEN_INVALID', message('TOKEN_LIFE_UNFIT', { most: DAYS_MAX }));
  if (companies?.length === 0) throw coded('TOKEN_INVALID', message('TOKEN_WITHOUT_COMPANY'));
  const value = PREFIX + randomBytes(BYTES).toString('base64url');
  const expiresAt = new Date(now.getTime() + days * 24 * 60 * 60 * 1000);
  const token = await records.createToken(checkedAct(act), {
    name,
    role,
    companies: companies === undefined ? null : [...new Set(companies)],
    hash: hashOf(value),
    expiresAt,
  });
  return { token, value };
}

async function recogniseToken(records: TokenRecords, value: string): Promise<KnownToken | null> {
  return isLikeToken(value) ? records.tokenByHash(hashOf(value)) : null;
}

async function refuseToken(records: TokenRecords, value: string, address: string, at: Date): Promise<void> {
  // Whoever sent nothing tried nothing.
  if (value !== '') await records.tokenRefused(isLikeToken(value) ? hashOf(value) : null, address, at);
}

const isLikeToken = (value: string) => value.startsWith(PREFIX) && value.length <= 100;

/** 256 random bits need no salt and no slow hash. */
function hashOf(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

// Tokens of the API: made, listed, revoked, recognised.

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
