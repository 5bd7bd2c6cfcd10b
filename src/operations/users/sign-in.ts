// How somebody gets in. Promises: a name that does not exist costs as long, says the same and is locked as one that does; a
// try is counted before the password is looked at, so that many at once are no more tries than one after the other; and
// however many knock, only a few passwords are worked on at once, so that everybody else is still answered.
import { randomBytes } from 'node:crypto';
import type { Secret } from '../../domain/secret.js';
import type { Clock } from '../../domain/runtime.js';
import { asLogin, hashOf, NOBODY, passwordFits } from './passwords.js';
import { issueTicket, tryCode, type Vault, type SecondFactors } from './second-factor.js';
import type { GuessedName, StoredUser, UserRecords, StoredSession } from './user-records.js';

export interface Browser {
  readonly browser: string;
  readonly address: string;
}

export type SignIn =
  | { readonly outcome: 'signed-in'; readonly sessionId: string; readonly expiresAt: Date }
  /** The password is right; a code is asked for, with this ticket. */
  | { readonly outcome: 'code-needed'; readonly ticket: string }
  | { readonly outcome: 'refused' }
  /** The password was too long ago. */
  | { readonly outcome: 'ticket-over' }
  | { readonly outcome: 'locked'; readonly until: Date };

export type PasswordTry =
  | { readonly outcome: 'fits'; readonly user: StoredUser }
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'locked'; readonly until: Date };

export const SESSION = { idleMs: 12 * 3_600_000, lifeMs: 7 * 24 * 3_600_000 } as const;
/** Whoever signs in elsewhere may have lost their groups there meanwhile: they come again every day. */
const EXTERNAL_LIFE_MS = 12 * 3_600_000;
export async function signIn(
  records: UserRecords,
  clock: Clock,
  login: string,
  password: Secret,
  browser: Browser,
): Promise<SignIn> {
  const now = clock.now();
  const tried = await tryPassword(records, now, asLogin(login), password, browser.address);
  if (tried.outcome !== 'fits') return tried;
  const { user } = tried;
  const { on } = await records.factors.state(user.id);
  if (on) return { outcome: 'code-needed', ticket: await issueTicket(records.factors, user, now) };
  return openSession(records, user, browser, now);
}

/** The second half, for whoever has a ticket of the first. */
export async function signInWithCode(
  records: UserRecords,
  clock: Clock,
  vault: Vault | null,
  { ticket, code }: { readonly ticket: string; readonly code: string },
  browser: Browser,
): Promise<SignIn> {
  const now = clock.now();
  const { factors } = records;
  const held = await factors.ticket(hashOf(ticket));
  if (!held || held.expiresAt <= now || held.user.disabled) return { outcome: 'ticket-over' };
  const tried = await tryCode(records, now, vault, held.user, code, browser.address);
  if (tried.outcome !== 'fits') return tried;
  if (!(await factors.takeTicket(hashOf(ticket)))) return { outcome: 'ticket-over' };
  return openSession(records, held.user, browser, now);
}

export async function openSession(
  records: UserRecords,
  user: StoredUser,
  browser: Browser,
  now: Date,
): Promise<SignIn> {
  const sessionId = randomBytes(32).toString('base64url');
  const expiresAt = new Date(now.getTime() + (user.external ? EXTERNAL_LIFE_MS : SESSION.lifeMs));
  const session = { idHash: hashOf(sessionId), userId: user.id, at: now, expiresAt, ...browser };
  await records.signedIn(session, user.login);
  return { outcome: 'signed-in', sessionId, expiresAt };
}

async function tryPassword(
  records: UserRecords,
  now: Date,
  login: string,
  password: Secret,
  address: string | null,
): Promise<PasswordTry> {
  const user = await records.find(login);
  const tried = await guess(records, now, user, login, password);
  if (tried.outcome !== 'fits')
    await records.failed({ how: 'password', login: user?.login ?? null, address, at: now });
  return tried;
}

async function guess(
  records: UserRecords,
  now: Date,
  user: StoredUser | null,
  login: string,
  password: Secret,
): Promise<PasswordTry> {
  const name: GuessedName = user ? `user:${login}` : `nobody:${hashOf(login)}`;
  const taken = await records.takeTry(name, now);
  if (taken.outcome === 'locked') return taken;
  // Whoever signs in elsewhere has no password here, and none fits.
  const stored = user && !user.external ? user.passwordHash : NOBODY;
  const fits = await passwordFits(password, stored);
  if (fits && user && !user.external && !user.disabled) return { outcome: 'fits', user };
  return taken.lockedUntil ? { outcome: 'locked', until: taken.lockedUntil } : { outcome: 'refused' };
}

// Proof that somebody who is signed in is still the person: what an open browser alone must not change asks for it.

export interface Proofs {
  /** Whether it is that person's password; wrong ones count as at the door. */
  isPassword(login: string, password: Secret, address?: string): Promise<boolean>;
  /** Proves who uses a session: by a code where a second factor is on, else by the password. Wrong ones count as at the door. */
  prove(login: string, proof: Secret, sessionId: string, address?: string): Promise<boolean>;
}

const PROVEN_MS = 10 * 60_000;

export function createProofs(records: UserRecords, clock: Clock, secondFactor: SecondFactors): Proofs {
  const isPassword = async (login: string, password: Secret, address?: string) => {
    const tried = await tryPassword(records, clock.now(), asLogin(login), password, address ?? null);
    if (tried.outcome === 'fits') await records.proved(tried.user.login, null, clock.now());
    return tried.outcome === 'fits';
  };
  return {
    isPassword,
    prove: async (login, proof, sessionId, address) => {
      const { on } = await secondFactor.state(login);
      const isRight = on
        ? await secondFactor.isCode(login, proof.reveal(), address)
        : await isPassword(login, proof, address);
      if (isRight) await records.proved(login, hashOf(sessionId), clock.now());
      return isRight;
    },
  };
}

/** A sign-in is a proof, too. */
export function isProven({ provenAt, createdAt }: StoredSession, now: number): boolean {
  return now - (provenAt ?? createdAt).getTime() <= PROVEN_MS;
}
