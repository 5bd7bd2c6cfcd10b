// A second factor beside the password. Promises: the secret is at rest only sealed; it is asked for once a first code was
// right; no code counts twice, not even for two who type it at once; wrong ones are counted and lock as passwords do; and
// whoever lost the phone has recovery codes, once each.
import { randomBytes } from 'node:crypto';
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import type { Clock } from '../../domain/runtime.js';
import type { Secret } from '../../domain/secret.js';
import {
  codeAddress,
  isOneTimeCode,
  newCodeSecret,
  newRecoveryCodes,
  plainCode,
  stepOfCode,
} from './one-time-code.js';
import { hashOf } from './hashed.js';
import type { SecondFactorRecords, StoredUser, UserRecords } from './user-records.js';

/** Seals what must be read again; the key stays outside the records. */
export interface Vault {
  seal(owner: string, secret: Secret): string;
  open(owner: string, sealed: string): Secret;
}

export interface FactorState {
  readonly on: boolean;
  readonly codesLeft: number;
}

export interface NewFactor {
  readonly secret: Secret;
  /** For the picture. */
  readonly address: string;
}

export interface SecondFactors {
  state(login: string): Promise<FactorState>;
  /** A new secret; nothing is asked for before a code of it was right. */
  begin(login: string): Promise<NewFactor>;
  /** The one that was begun, to show it again; null: there is none. */
  begun(login: string): Promise<NewFactor | null>;
  /** Recovery codes, shown once; null: the code is wrong. Other browsers of the person are signed out. */
  confirm(login: string, code: string, keptSession: string): Promise<readonly string[] | null>;
  /** Whether it is a code of that person at this moment; it is used up. Wrong ones count as at the door. */
  isCode(login: string, code: string, address?: string): Promise<boolean>;
  end(login: string, by: string): Promise<boolean>;
}

const TICKET_MS = 5 * 60_000;
const ownerOf = ({ id }: Pick<StoredUser, 'id'>) => `user/${id}`;

export function createSecondFactors(records: UserRecords, clock: Clock, vault: Vault | null): SecondFactors {
  const { factors } = records;
  const known = async (login: string) => {
    const user = await records.find(login);
    if (!user) throw coded('USER_NOT_FOUND', message('LOGIN_UNKNOWN', { login }));
    return user;
  };
  return {
    state: async (login) => factors.state((await known(login)).id),
    begin: async (login) => {
      const user = await known(login);
      if (vault === null || user.external) throw refusal(user.external);
      const secret = newCodeSecret();
      if (!(await factors.keep(user.id, vault.seal(ownerOf(user), secret), clock.now())))
        throw coded('SECOND_FACTOR_ON', message('FACTOR_IS_ON'));
      return { secret, address: codeAddress(login, secret) };
    },
    begun: async (login) => {
      const user = await known(login);
      const factor = await factors.find(user.id);
      if (!factor || factor.confirmed || vault === null) return null;
      const secret = vault.open(ownerOf(user), factor.sealed);
      return { secret, address: codeAddress(login, secret) };
    },
    confirm: async (login, code, keptSession) => {
      const user = await known(login);
      const factor = await factors.find(user.id);
      if (!factor || factor.confirmed || vault === null) return null;
      const step = stepOfCode(vault.open(ownerOf(user), factor.sealed), plainCode(code), clock.now());
      if (step === null) return null;
      const codes = newRecoveryCodes();
      const codeHashes = codes.map((one) => hashOf(plainCode(one)));
      const kept = { userId: user.id, login, step, codeHashes, keptSession: hashOf(keptSession) };
      return (await factors.confirm(kept, clock.now())) ? codes : null;
    },
    isCode: async (login, code, address) => {
      const user = await known(login);
      const tried = await tryCode(records, clock.now(), vault, user, code, address ?? null);
      return tried.outcome === 'fits';
    },
    end: async (login, by) => factors.end((await known(login)).id, login, by, clock.now()),
  };
}

/** After a change of keys: everything is sealed with the new one. */
export async function resealFactors(factors: SecondFactorRecords, vault: Vault): Promise<number> {
  let resealed = 0;
  for (const { userId, sealed } of await factors.all()) {
    const owner = ownerOf({ id: userId });
    if (await factors.reseal(userId, sealed, vault.seal(owner, vault.open(owner, sealed)))) resealed += 1;
  }
  return resealed;
}

function refusal(external: boolean) {
  return external
    ? coded('SECOND_FACTOR_ELSEWHERE', message('FACTOR_ELSEWHERE'))
    : coded('SECOND_FACTOR_KEY', message('FACTOR_NEEDS_KEY'));
}

/** For whoever gave the right password: the code belongs to this ticket. */
export async function issueTicket(
  factors: SecondFactorRecords,
  user: StoredUser,
  now: Date,
): Promise<string> {
  const ticket = randomBytes(32).toString('base64url');
  await factors.keepTicket(hashOf(ticket), user.id, new Date(now.getTime() + TICKET_MS), now);
  return ticket;
}

export type CodeTry =
  | { readonly outcome: 'fits' }
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'locked'; readonly until: Date };

export async function tryCode(
  records: UserRecords,
  now: Date,
  vault: Vault | null,
  user: StoredUser,
  code: string,
  address: string | null,
): Promise<CodeTry> {
  const tried = await guess(records, now, vault, user, code);
  if (tried.outcome !== 'fits') await records.failed({ how: 'code', login: user.login, address, at: now });
  return tried;
}

async function guess(
  records: UserRecords,
  now: Date,
  vault: Vault | null,
  user: StoredUser,
  code: string,
): Promise<CodeTry> {
  const taken = await records.takeTry(`code:${user.login}`, now);
  if (taken.outcome === 'locked') return taken;
  if (await fits(records.factors, now, vault, user, plainCode(code))) return { outcome: 'fits' };
  return taken.lockedUntil ? { outcome: 'locked', until: taken.lockedUntil } : { outcome: 'refused' };
}

async function fits(
  factors: SecondFactorRecords,
  now: Date,
  vault: Vault | null,
  user: StoredUser,
  code: string,
): Promise<boolean> {
  if (!isOneTimeCode(code)) return factors.takeRecoveryCode(user.id, hashOf(code), user.login, now);
  const factor = await factors.find(user.id);
  if (!factor?.confirmed) return false;
  if (vault === null) throw coded('SECOND_FACTOR_KEY', message('FACTOR_NEEDS_KEY'));
  const step = stepOfCode(vault.open(ownerOf(user), factor.sealed), code, now);
  return step !== null && factors.takeStep(user.id, step);
}
