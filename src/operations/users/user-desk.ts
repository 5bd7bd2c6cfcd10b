// Who may use the dashboard. Promises: no password and no session id is ever stored as it is; unknown logins take as long
// as wrong passwords and get the same answer; too many wrong ones lock the account for a while; nobody can remove the last
// admin; every change is in the audit under the name of who made it.
import { createHash, randomBytes } from 'node:crypto';
import { CodedError } from '../../domain/errors/coded-error.js';
import type { Clock } from '../../domain/runtime.js';
import type { Secret } from '../../domain/secret.js';
import { checkPassword, hashPassword, NOBODY, passwordFits } from './passwords.js';
import type { StoredUser, User, UserChange, UserRecords, UserRole } from './user-records.js';

export interface SignedIn {
  readonly login: string;
  readonly role: UserRole;
}

export interface Browser {
  readonly browser: string;
  readonly address: string;
}

export type SignIn =
  | { readonly outcome: 'signed-in'; readonly sessionId: string; readonly expiresAt: Date }
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'locked'; readonly until: Date };

export interface UserDesk {
  /** Nobody can sign in yet. */
  needsSetUp(): Promise<boolean>;
  /** A code to be printed by the bridge; good for a day, until the first user is made. */
  issueSetupCode(): Promise<string>;
  /** The first user, an admin. */
  setUp(code: string, login: string, password: Secret): Promise<void>;
  signIn(login: string, password: Secret, browser: Browser): Promise<SignIn>;
  /** Who a session id belongs to; null when it is over. */
  whoIs(sessionId: string): Promise<SignedIn | null>;
  signOut(sessionId: string): Promise<void>;
  signOutEverywhere(login: string, by: string): Promise<number>;
  list(): Promise<readonly User[]>;
  create(login: string, role: UserRole, password: Secret, by: string): Promise<void>;
  setPassword(login: string, password: Secret, by: string): Promise<void>;
  /** Whether it is that person's password. */
  isPassword(login: string, password: Secret): Promise<boolean>;
  setRole(login: string, role: UserRole, by: string): Promise<void>;
  disable(login: string, by: string): Promise<void>;
  enable(login: string, by: string): Promise<void>;
}

export const SESSION = { idleMs: 12 * 3_600_000, lifeMs: 7 * 24 * 3_600_000 } as const;
const SETUP_CODE_MS = 24 * 3_600_000;
/** Wrong passwords in a row before the account is locked, and for how long; every further lock doubles. */
const LOCK = { after: 5, ms: 60_000, msMax: 3_600_000 } as const;
/** One write a minute for a session in use. */
const SEEN_EVERY_MS = 60_000;
const LOGIN = /^[\p{L}\p{N}._@-]{2,60}$/u;

export function createUserDesk(records: UserRecords, clock: Clock): UserDesk {
  const change = async (login: string, by: string, changed: UserChange) => {
    if (!(await records.find(asLogin(login))))
      throw new CodedError('USER_NOT_FOUND', `Nobody has the login ${login}.`);
    if (!(await records.change(asLogin(login), changed, by, clock.now())))
      throw new CodedError('LAST_ADMIN', `${login} is the last admin.`);
  };
  return {
    needsSetUp: async () => !(await records.anyUser()),
    issueSetupCode: async () => {
      const code = randomBytes(12).toString('base64url');
      const now = clock.now();
      await records.keepSetupCode(hashOf(code), new Date(now.getTime() + SETUP_CODE_MS), now);
      return code;
    },
    setUp: (code, login, password) => setUp(records, clock, code, login, password),
    signIn: (login, password, browser) => signIn(records, clock, login, password, browser),
    whoIs: (sessionId) => whoIs(records, clock, sessionId),
    signOut: (sessionId) => records.endSession(hashOf(sessionId)),
    signOutEverywhere: (login, by) => records.endSessionsOf(asLogin(login), by, clock.now()),
    list: () => records.list(),
    create: async (login, role, password, by) => {
      const name = checkedLogin(login);
      checkPassword(password, name);
      const passwordHash = await hashPassword(password);
      if (!(await records.create({ login: name, role, passwordHash, by, at: clock.now() })))
        throw new CodedError('USER_EXISTS', `Somebody has the login ${name} already.`);
    },
    setPassword: async (login, password, by) => {
      checkPassword(password, asLogin(login));
      await change(login, by, { passwordHash: await hashPassword(password) });
    },
    isPassword: async (login, password) => {
      const user = await records.find(asLogin(login));
      return (await passwordFits(password, user?.passwordHash ?? NOBODY)) && user !== null;
    },
    setRole: (login, role, by) => change(login, by, { role }),
    disable: (login, by) => change(login, by, { disabled: true }),
    enable: (login, by) => change(login, by, { disabled: false }),
  };
}

/** Session ids and codes are long and random, so a fast hash keeps them as safe as a slow one. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function asLogin(login: string): string {
  return login.trim().normalize('NFC').toLowerCase();
}

function checkedLogin(login: string): string {
  const name = asLogin(login);
  if (LOGIN.test(name)) return name;
  throw new CodedError('LOGIN_INVALID', 'A login has 2 to 60 letters, digits or . - _ @, and no spaces.');
}

async function setUp(records: UserRecords, clock: Clock, code: string, login: string, password: Secret) {
  const name = checkedLogin(login);
  checkPassword(password, name);
  const user = { login: name, role: 'admin', by: name, at: clock.now() } as const;
  const passwordHash = await hashPassword(password);
  const outcome = await records.setUp(hashOf(code.trim()), { ...user, passwordHash });
  if (outcome === 'wrong-code')
    throw new CodedError('SETUP_CODE_WRONG', 'That is not a set-up code of this bridge, or it is too old.');
  if (outcome === 'done-before')
    throw new CodedError('SETUP_DONE', 'Somebody has set the dashboard up already.');
}

async function signIn(
  records: UserRecords,
  clock: Clock,
  login: string,
  password: Secret,
  browser: Browser,
): Promise<SignIn> {
  const user = await records.find(asLogin(login));
  const now = clock.now();
  if (user?.lockedUntil && user.lockedUntil > now) return { outcome: 'locked', until: user.lockedUntil };
  const fits = await passwordFits(password, user?.passwordHash ?? NOBODY);
  if (!user || user.disabled) return { outcome: 'refused' };
  if (!fits) return refused(records, user, now);
  const sessionId = randomBytes(32).toString('base64url');
  const expiresAt = new Date(now.getTime() + SESSION.lifeMs);
  const session = { idHash: hashOf(sessionId), userId: user.id, at: now, expiresAt, ...browser };
  await records.signedIn(session, user.login);
  return { outcome: 'signed-in', sessionId, expiresAt };
}

async function refused(records: UserRecords, user: StoredUser, now: Date): Promise<SignIn> {
  const failed = user.failedSignIns + 1;
  const locks = Math.floor(failed / LOCK.after);
  const lockedUntil =
    failed % LOCK.after === 0
      ? new Date(now.getTime() + Math.min(LOCK.ms * 2 ** (locks - 1), LOCK.msMax))
      : null;
  await records.signInFailed(user.id, failed, lockedUntil);
  return lockedUntil ? { outcome: 'locked', until: lockedUntil } : { outcome: 'refused' };
}

async function whoIs(records: UserRecords, clock: Clock, sessionId: string): Promise<SignedIn | null> {
  const session = await records.session(hashOf(sessionId));
  if (!session) return null;
  const now = clock.now().getTime();
  const idle = now - session.lastSeenAt.getTime();
  if (session.user.disabled || session.expiresAt.getTime() <= now || idle > SESSION.idleMs) return null;
  if (idle > SEEN_EVERY_MS) await records.seen(session.idHash, new Date(now));
  return { login: session.user.login, role: session.user.role };
}
