// What the user desk needs of the records. The store implements it; whatever changes a user writes its audit entry in the
// same transaction.
import type { Reach } from '../access/reach.js';

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
}

export interface StoredUser {
  readonly id: string;
  readonly login: string;
  readonly role: UserRole;
  readonly reach: Reach | null;
  readonly passwordHash: string;
  readonly disabled: boolean;
}

export interface StoredSession {
  readonly idHash: string;
  readonly user: Pick<StoredUser, 'id' | 'login' | 'role' | 'reach' | 'disabled'>;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
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
}

/** A login that exists, or the bucket of one that does not: both are counted and locked alike. */
export type GuessedName = `user:${string}` | `nobody:${string}`;

export type TakenTry =
  | { readonly outcome: 'taken'; /** Set when this was the last one. */ readonly lockedUntil: Date | null }
  | { readonly outcome: 'locked'; readonly until: Date };

export interface UserRecords {
  list(): Promise<readonly User[]>;
  find(login: string): Promise<StoredUser | null>;
  anyUser(): Promise<boolean>;
  /** false: the login is taken. */
  create(user: NewUser): Promise<boolean>;
  /** Only while there is nobody yet and with a code that still counts; all codes go with it. */
  setUp(codeHash: string, user: NewUser): Promise<'made' | 'wrong-code' | 'done-before'>;
  keepSetupCode(codeHash: string, expiresAt: Date, at: Date): Promise<void>;
  /** false: it would leave no admin. Sessions of the person end with every change. */
  change(login: string, change: UserChange, by: string, at: Date): Promise<boolean>;
  /**
   * Takes one try at the name, in one statement: however many come at once, each gets a number of its own. When the tries
   * are used up the name is locked by the same statement; who took the last one still may look.
   */
  takeTry(name: GuessedName, now: Date): Promise<TakenTry>;
  /** The right password: the tries begin anew. */
  signedIn(session: NewSession, login: string): Promise<void>;
  session(idHash: string): Promise<StoredSession | null>;
  seen(idHash: string, at: Date): Promise<void>;
  endSession(idHash: string): Promise<void>;
  /** How many there were. */
  endSessionsOf(login: string, by: string, at: Date): Promise<number>;
}
