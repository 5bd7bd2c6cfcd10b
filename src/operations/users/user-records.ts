// What the accounts of users need of the records. The store implements it; whatever changes a user writes its audit entry in the
// same transaction.
import type { Reach } from '../access/reach.js';
import type { FailedSignIn } from '../exports.js';

export const USER_ROLES = ['viewer', 'operator', 'admin'] as const;
export type UserRole = (typeof USER_ROLES)[number];

export interface User {
  readonly id: string;
  readonly login: string;
  readonly role: UserRole;
  /** The companies they see and their role in each; null: all, with the role above. */
  readonly reach: Reach | null;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly disabled: boolean;
  readonly lockedUntil: string | null;
  readonly sessions: number;
  readonly lastSeenAt: string | null;
  /** Signs in elsewhere, where their roles are decided too. */
  readonly external: boolean;
  readonly secondFactor: boolean;
  readonly systemUser: string | null;
}

export interface StoredUser {
  readonly id: string;
  readonly login: string;
  readonly role: UserRole;
  readonly reach: Reach | null;
  readonly passwordHash: string;
  readonly disabled: boolean;
  readonly external: boolean;
}

export interface StoredSession {
  readonly idHash: string;
  readonly user: Pick<StoredUser, 'id' | 'login' | 'role' | 'reach' | 'disabled' | 'external'>;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
  /** One is on. */
  readonly secondFactor: boolean;
  /** When the person gave their password or code again; null: not since they signed in. */
  readonly provenAt: Date | null;
}

export interface NewUser {
  readonly login: string;
  readonly role: UserRole;
  readonly reach: Reach | null;
  readonly passwordHash: string;
  /** Who made them; the name in the audit. */
  readonly by: string;
  readonly at: Date;
}

export interface NewSession {
  readonly idHash: string;
  readonly userId: string;
  readonly at: Date;
  readonly expiresAt: Date;
  readonly browser: string;
  readonly address: string;
}

export interface UserChange {
  readonly role?: UserRole;
  readonly reach?: Reach | null;
  readonly passwordHash?: string;
  readonly disabled?: boolean;
  /** The user of the operating system that is the same person; null: none. */
  readonly systemUser?: string | null;
}

/** A login that exists, or the hash of one that does not: both are counted and locked alike. */
export type GuessedName = `user:${string}` | `nobody:${string}` | `code:${string}`;

export type TakenTry =
  | { readonly outcome: 'taken'; /** Set when this was the last one. */ readonly lockedUntil: Date | null }
  | { readonly outcome: 'locked'; readonly until: Date };

export interface StoredFactor {
  readonly sealed: string;
  readonly confirmed: boolean;
}

export interface ConfirmedFactor {
  readonly userId: string;
  readonly login: string;
  /** Of the code that was right: it counts no second time. */
  readonly step: number;
  readonly codeHashes: readonly string[];
  /** Every other session of the person ends. */
  readonly keptSession: string;
}

export interface SecondFactorRecords {
  state(userId: string): Promise<{ readonly on: boolean; readonly codesLeft: number }>;
  find(userId: string): Promise<StoredFactor | null>;
  /** In place of one that was only begun; false: one is in use. */
  keep(userId: string, sealed: string, at: Date): Promise<boolean>;
  /** false: it was confirmed before. */
  confirm(factor: ConfirmedFactor, at: Date): Promise<boolean>;
  /** false: there was none. */
  end(userId: string, login: string, by: string, at: Date): Promise<boolean>;
  all(): Promise<readonly { readonly userId: string; readonly sealed: string }[]>;
  /** Sealed with another key; false: it was changed meanwhile. */
  reseal(userId: string, before: string, sealed: string): Promise<boolean>;
  /** false: this code, or a later one, was taken before. */
  takeStep(userId: string, step: number): Promise<boolean>;
  takeRecoveryCode(userId: string, codeHash: string, login: string, at: Date): Promise<boolean>;
  keepTicket(idHash: string, userId: string, expiresAt: Date, at: Date): Promise<void>;
  ticket(idHash: string): Promise<{ readonly user: StoredUser; readonly expiresAt: Date } | null>;
  /** false: it was used before. */
  takeTicket(idHash: string): Promise<boolean>;
}

/** Somebody whom another one vouches for, with the role they have by their groups. */
export interface ExternalUser {
  readonly issuer: string;
  readonly subject: string;
  readonly login: string;
  readonly role: UserRole;
  readonly reach: Reach | null;
  readonly at: Date;
}

export interface SavedView {
  readonly id: string;
  readonly name: string;
  /** Filters and order, as they stand in the address. */
  readonly query: string;
}

export interface UserRecords {
  views(login: string): Promise<readonly SavedView[]>;
  /** Under a name that is taken it is the new one. */
  keepView(login: string, view: Omit<SavedView, 'id'>, at: Date): Promise<void>;
  dropView(login: string, id: string): Promise<void>;
  readonly factors: SecondFactorRecords;
  /** Made at the first time; later their role and companies are made those of now. */
  admit(user: ExternalUser): Promise<StoredUser | 'login-taken'>;
  list(): Promise<readonly User[]>;
  find(login: string): Promise<StoredUser | null>;
  anyUser(): Promise<boolean>;
  /** false: the login is taken. */
  create(user: NewUser): Promise<boolean>;
  /** Only while there is nobody yet and with a code that still counts; all codes go with it. */
  setUp(codeHash: string, user: NewUser): Promise<'made' | 'wrong-code' | 'done-before'>;
  keepSetupCode(codeHash: string, expiresAt: Date, at: Date): Promise<void>;
  /**
   * Sessions of the person end with every change, and a person who is disabled loses the API tokens they made.
   * 'last-admin': it would leave no admin; 'taken': another login is that system user.
   */
  change(
    login: string,
    change: UserChange,
    by: string,
    at: Date,
  ): Promise<'changed' | 'last-admin' | 'taken'>;
  /**
   * Takes one try at the name, in one statement: however many come at once, each gets a number of its own. When the tries
   * are used up the name is locked by the same statement; who took the last one still may look.
   */
  takeTry(name: GuessedName, now: Date): Promise<TakenTry>;
  /** Into the audit, counted. */
  failed(tried: FailedSignIn): Promise<void>;
  /** The right password: the tries begin anew. */
  signedIn(session: NewSession, login: string): Promise<void>;
  /** A right password or code of somebody who is signed in: the tries begin anew, and the session has proven its person. */
  proved(login: string, idHash: string | null, at: Date): Promise<void>;
  session(idHash: string): Promise<StoredSession | null>;
  seen(idHash: string, at: Date): Promise<void>;
  endSession(idHash: string): Promise<void>;
  /** How many there were. */
  endSessionsOf(login: string, by: string, at: Date): Promise<number>;
}
