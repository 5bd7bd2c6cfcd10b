// Who may use the dashboard. Promises: no password and no session id is ever stored as it is; nobody can remove the last
// admin; every change is in the audit under the name of who made it. How somebody gets in is in sign-in.ts.
import { coded } from '../../language/coded.js';
import { message } from '../../language/messages.js';
import { randomBytes } from 'node:crypto';
import { highestRole, type Reach } from '../access/reach.js';
import type { Clock } from '../../domain/runtime.js';
import type { Secret } from '../../domain/secret.js';
import { checkPassword, hashPassword, asLogin, hashOf } from './passwords.js';
import type { FactorPolicy } from '../../domain/factor-policy.js';
import { needsFactor, createSecondFactors, type SecondFactors, type Vault } from './second-factor.js';
import { admit, loginOf, type NotAdmitted, type Vouched } from './external-sign-in.js';
import {
  createProofs,
  isProven,
  type Proofs,
  type Browser,
  SESSION,
  type SignIn,
  signIn,
  signInWithCode,
} from './sign-in.js';
import type { SavedView, User, UserChange, UserRecords, UserRole } from './user-records.js';

export interface SignedIn {
  readonly login: string;
  /** Of somebody who sees some companies only: the highest they have in any. */
  readonly role: UserRole;
  readonly reach: Reach | null;
  /** Signed in elsewhere. */
  readonly external: boolean;
  /** Their role needs a second factor and they have none: until they turn it on they can do nothing else. */
  readonly mustEnrol: boolean;
  /** They signed in, or gave their password or code again, a short time ago. */
  readonly proven: boolean;
}

export interface UserAccounts extends Proofs {
  /** Nobody can sign in yet. */
  needsSetUp(): Promise<boolean>;
  /** A code to be printed by the bridge; good for a day, until the first user is made. */
  issueSetupCode(): Promise<string>;
  /** The first user, an admin. */
  setUp(code: string, login: string, password: Secret): Promise<void>;
  signIn(login: string, password: Secret, browser: Browser): Promise<SignIn>;
  /** After the password, where a second factor is on. */
  signInWithCode(ticket: string, code: string, browser: Browser): Promise<SignIn>;
  /** Whom another one vouches for. */
  signInExternal(person: Vouched, browser: Browser): Promise<SignIn | NotAdmitted>;
  /** Somebody came back from elsewhere and did not get in; null: who it was is not known. */
  failedExternal(login: string | null, address: string): Promise<void>;
  readonly secondFactor: SecondFactors;
  /** Of the list of documents; everybody has their own. */
  views(login: string): Promise<readonly SavedView[]>;
  keepView(login: string, name: string, query: string): Promise<void>;
  dropView(login: string, id: string): Promise<void>;
  /** Who a session id belongs to; null when it is over. */
  whoIs(sessionId: string): Promise<SignedIn | null>;
  signOut(sessionId: string): Promise<void>;
  signOutEverywhere(login: string, by: string): Promise<number>;
  list(): Promise<readonly User[]>;
  /** With `reach` they see these companies only. */
  create(login: string, role: UserRole, password: Secret, by: string, reach?: Reach | null): Promise<void>;
  setReach(login: string, reach: Reach | null, by: string): Promise<void>;
  setPassword(login: string, password: Secret, by: string): Promise<void>;
  setRole(login: string, role: UserRole, by: string): Promise<void>;
  /** Their browsers are signed out and the API tokens they made are revoked. */
  disable(login: string, by: string): Promise<void>;
  enable(login: string, by: string): Promise<void>;
  /** On the command line this user of the operating system is that person; null takes the declaration back. */
  setSystemUser(login: string, systemUser: string | null, by: string): Promise<void>;
}

const VIEW_NAME_MAX = 60;
const SETUP_CODE_MS = 24 * 3_600_000;
/** One write a minute for a session in use. */
const SEEN_EVERY_MS = 60_000;
const SYSTEM_USER = /^[^\p{C}\s:]{1,60}$/u;
const LOGIN = /^[\p{L}\p{N}._@-]{2,60}$/u;

export function createUserAccounts(
  records: UserRecords,
  clock: Clock,
  vault: Vault | null = null,
  policy: FactorPolicy = 'none',
): UserAccounts {
  const change = async (login: string, by: string, changed: UserChange) => {
    if (!(await records.find(asLogin(login))))
      throw coded('USER_NOT_FOUND', message('LOGIN_UNKNOWN', { login }));
    const outcome = await records.change(asLogin(login), changed, by, clock.now());
    if (outcome === 'last-admin') throw coded('LAST_ADMIN', message('ADMIN_IS_LAST', { login }));
    if (outcome === 'taken')
      throw coded('LOGIN_INVALID', message('SYSTEM_USER_TAKEN', { name: changed.systemUser ?? '' }));
  };
  // Their next sign-in would undo it.
  const refuseExternal = async (login: string) => {
    if ((await records.find(asLogin(login)))?.external)
      throw coded('USER_EXTERNAL', message('LOGIN_ELSEWHERE', { login }));
  };
  const secondFactor = createSecondFactors(records, clock, vault);
  return {
    needsSetUp: async () => !(await records.anyUser()),
    issueSetupCode: () => issueSetupCode(records, clock),
    setUp: (code, login, password) => setUp(records, clock, code, login, password),
    signIn: (login, password, browser) => signIn(records, clock, login, password, browser),
    signInWithCode: (ticket, code, browser) =>
      signInWithCode(records, clock, vault, { ticket, code }, browser),
    signInExternal: (person, browser) => admit(records, clock, policy, person, browser),
    failedExternal: (login, address) =>
      records.failed({ how: 'openid', login: login && loginOf(login), address, at: clock.now() }),
    secondFactor,
    ...createProofs(records, clock, secondFactor),
    views: (login) => records.views(login),
    keepView: async (login, name, query) => {
      const shown = name.trim().slice(0, VIEW_NAME_MAX);
      if (shown !== '') await records.keepView(login, { name: shown, query }, clock.now());
    },
    dropView: (login, id) => records.dropView(login, id),
    whoIs: (sessionId) => whoIs(records, clock, policy, sessionId),
    signOut: (sessionId) => records.endSession(hashOf(sessionId)),
    signOutEverywhere: (login, by) => records.endSessionsOf(asLogin(login), by, clock.now()),
    list: () => records.list(),
    create: async (login, role, password, by, reach = null) => {
      const name = checkedLogin(login);
      checkPassword(password, name);
      const passwordHash = await hashPassword(password);
      if (!(await records.create({ login: name, role, reach, passwordHash, by, at: clock.now() })))
        throw coded('USER_EXISTS', message('LOGIN_TAKEN', { login: name }));
    },
    setPassword: async (login, password, by) => {
      checkPassword(password, asLogin(login));
      await refuseExternal(login);
      await change(login, by, { passwordHash: await hashPassword(password) });
    },
    setRole: async (login, role, by) => {
      await refuseExternal(login);
      await change(login, by, { role });
    },
    setReach: async (login, reach, by) => {
      await refuseExternal(login);
      await change(login, by, { reach });
    },
    disable: (login, by) => change(login, by, { disabled: true }),
    enable: (login, by) => change(login, by, { disabled: false }),
    setSystemUser: async (login, systemUser, by) => {
      if (systemUser !== null && !SYSTEM_USER.test(systemUser))
        throw coded('LOGIN_INVALID', message('SYSTEM_USER_SHAPE'));
      await change(login, by, { systemUser });
    },
  };
}

function checkedLogin(login: string): string {
  const name = asLogin(login);
  if (LOGIN.test(name)) return name;
  throw coded('LOGIN_INVALID', message('LOGIN_SHAPE'));
}

async function issueSetupCode(records: UserRecords, clock: Clock): Promise<string> {
  const code = randomBytes(12).toString('base64url');
  const now = clock.now();
  await records.keepSetupCode(hashOf(code), new Date(now.getTime() + SETUP_CODE_MS), now);
  return code;
}

async function setUp(records: UserRecords, clock: Clock, code: string, login: string, password: Secret) {
  const name = checkedLogin(login);
  checkPassword(password, name);
  const user = { login: name, role: 'admin', reach: null, by: name, at: clock.now() } as const;
  const passwordHash = await hashPassword(password);
  const outcome = await records.setUp(hashOf(code.trim()), { ...user, passwordHash });
  if (outcome === 'wrong-code') throw coded('SETUP_CODE_WRONG', message('SET_UP_CODE_UNKNOWN'));
  if (outcome === 'done-before') throw coded('SETUP_DONE', message('SET_UP_ALREADY'));
}

async function whoIs(
  records: UserRecords,
  clock: Clock,
  policy: FactorPolicy,
  sessionId: string,
): Promise<SignedIn | null> {
  const session = await records.session(hashOf(sessionId));
  if (!session) return null;
  const now = clock.now().getTime();
  const idle = now - session.lastSeenAt.getTime();
  if (session.user.disabled || session.expiresAt.getTime() <= now || idle > SESSION.idleMs) return null;
  if (idle > SEEN_EVERY_MS) await records.seen(session.idHash, new Date(now));
  const { login, role, reach, external } = session.user;
  const proven = isProven(session, now);
  // Whoever signs in elsewhere was asked there.
  const mustEnrol = !external && !session.secondFactor && needsFactor(policy, { role, reach });
  return { login, role: reach === null ? role : highestRole(reach), reach, external, mustEnrol, proven };
}
