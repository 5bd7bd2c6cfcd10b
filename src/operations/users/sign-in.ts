// How somebody gets in. Promises: a name that does not exist costs as long, says the same and is locked as one that does; a
// try is counted before the password is looked at, so that many at once are no more tries than one after the other; and
// however many knock, only a few passwords are worked on at once, so that everybody else is still answered.
import { createHash, randomBytes } from 'node:crypto';
import type { Secret } from '../../domain/secret.js';
import type { Clock } from '../../domain/runtime.js';
import { NOBODY, passwordFits } from './passwords.js';
import type { GuessedName, StoredUser, UserRecords } from './user-records.js';

export interface Browser {
  readonly browser: string;
  readonly address: string;
}

export type SignIn =
  | { readonly outcome: 'signed-in'; readonly sessionId: string; readonly expiresAt: Date }
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'locked'; readonly until: Date };

export type PasswordTry =
  | { readonly outcome: 'fits'; readonly user: StoredUser }
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'locked'; readonly until: Date };

export const SESSION = { idleMs: 12 * 3_600_000, lifeMs: 7 * 24 * 3_600_000 } as const;
/** Names that do not exist share this many counters, so that guessing names fills no table. */
const NOBODY_DIGITS = 4;

/** Session ids and codes are long and random, so a fast hash keeps them as safe as a slow one. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export function asLogin(login: string): string {
  return login.trim().normalize('NFC').toLowerCase();
}

export async function signIn(
  records: UserRecords,
  clock: Clock,
  login: string,
  password: Secret,
  browser: Browser,
): Promise<SignIn> {
  const now = clock.now();
  const tried = await tryPassword(records, now, asLogin(login), password);
  if (tried.outcome !== 'fits') return tried;
  const { user } = tried;
  const sessionId = randomBytes(32).toString('base64url');
  const expiresAt = new Date(now.getTime() + SESSION.lifeMs);
  const session = { idHash: hashOf(sessionId), userId: user.id, at: now, expiresAt, ...browser };
  await records.signedIn(session, user.login);
  return { outcome: 'signed-in', sessionId, expiresAt };
}

export async function tryPassword(
  records: UserRecords,
  now: Date,
  login: string,
  password: Secret,
): Promise<PasswordTry> {
  const user = await records.find(login);
  const name: GuessedName = user ? `user:${login}` : `nobody:${hashOf(login).slice(0, NOBODY_DIGITS)}`;
  const taken = await records.takeTry(name, now);
  if (taken.outcome === 'locked') return taken;
  const fits = await passwordFits(password, user?.passwordHash ?? NOBODY);
  if (fits && user && !user.disabled) return { outcome: 'fits', user };
  return taken.lockedUntil ? { outcome: 'locked', until: taken.lockedUntil } : { outcome: 'refused' };
}
