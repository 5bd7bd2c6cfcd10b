// A second factor beside the password. Promises: the secret is at rest only sealed; it is asked for once a first code was
// right; no code counts twice, not even for two who type it at once; wrong ones are counted and lock as passwords do; and
// whoever lost the phone has recovery codes, once each.
import { randomBytes, createHmac, timingSafeEqual } from 'node:crypto';
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import type { Clock } from '../../domain/runtime.js';
import { Secret } from '../../domain/secret.js';
import { hashOf } from './passwords.js';
import type { SecondFactorRecords, StoredUser, UserRecords, UserRole } from './user-records.js';
import type { FactorPolicy } from '../../domain/factor-policy.js';
import { atLeast, highestRole, type Reach } from '../access/reach.js';

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

// Codes of half a minute from a shared secret, by RFC 6238 as every authenticator app makes them: SHA-1, 30 seconds, six
// digits. And recovery codes for the day the phone is gone.

const STEP_S = 30;
const DIGITS = 6;
/** As RFC 4226 wants for SHA-1. */
const SECRET_BYTES = 20;
/** Clocks of phones go wrong by some seconds, and people type slowly. */
const STEPS_AROUND = [-1, 0, 1] as const;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const RECOVERY_BYTES = 10;
const RECOVERY_CODES = 10;

export function newCodeSecret(): Secret {
  return new Secret(base32(randomBytes(SECRET_BYTES)));
}

/** Four groups of four; shown once, kept as hashes. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    (base32(randomBytes(RECOVERY_BYTES)).match(/.{4}/g) ?? []).join('-'),
  );
}

/** What an app reads from the picture. */
export function codeAddress(login: string, secret: Secret): string {
  const query = new URLSearchParams({ secret: secret.reveal(), issuer: 'ledgerbridge' });
  return `otpauth://totp/${encodeURIComponent(`ledgerbridge:${login}`)}?${query.toString()}`;
}

export function codeAt(secret: Secret, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret.reveal())).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

export function stepAt(now: Date): number {
  return Math.floor(now.getTime() / 1_000 / STEP_S);
}

/** The step whose code was written; null: none of those around now. */
export function stepOfCode(secret: Secret, code: string, now: Date): number | null {
  const written = Buffer.from(code);
  const steps = STEPS_AROUND.map((around) => stepAt(now) + around);
  return (
    steps.find((step) => {
      const wanted = Buffer.from(codeAt(secret, step));
      return wanted.length === written.length && timingSafeEqual(wanted, written);
    }) ?? null
  );
}

/** As people type it: with spaces, hyphens and small letters. */
export function plainCode(text: string): string {
  return text.replaceAll(/[\s-]/g, '').toUpperCase();
}

function isOneTimeCode(plain: string): boolean {
  return /^\d{6}$/.test(plain);
}

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => LETTERS[Number.parseInt(five, 2)] ?? '').join('');
}

function fromBase32(text: string): Buffer {
  const bits = text.replaceAll(/./g, (letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0'));
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}

// Whose accounts need a second factor.

/** Of somebody who sees some companies only, the highest role in any of them counts. */
export function needsFactor(
  policy: FactorPolicy,
  { role, reach }: { readonly role: UserRole; readonly reach: Reach | null },
): boolean {
  if (policy === 'none' || policy === 'everybody') return policy === 'everybody';
  return atLeast(reach === null ? role : highestRole(reach), policy);
}
