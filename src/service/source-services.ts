// What a connection to the invoicing service is handed; this room reads no environment and no file.
import type { TenantName } from '../domain/ids.js';
import type { Runtime } from '../domain/runtime.js';
import type { ClientStore, GrantStore } from './grant-store.js';
import type { TokenKeyring } from './oauth/token-keyring.js';
import type { Traffic, TrafficLimits } from './traffic.js';

export interface SourceLog {
  debug(facts: Readonly<Record<string, unknown>>, message: string): void;
  info(facts: Readonly<Record<string, unknown>>, message: string): void;
  warn(facts: Readonly<Record<string, unknown>>, message: string): void;
}

export interface SourceLimits extends TrafficLimits {
  readonly deadlineMs?: number;
  readonly pageSize?: number;
}

export interface Grants {
  readonly store: GrantStore & ClientStore;
  readonly keyring: TokenKeyring;
}

/** The account that the documents of a tenant came from. */
export interface OwnAccount {
  /** Throws SOURCE_ACCOUNT_CHANGED where it is another one; the first is put on record. */
  mustBe(registrationNo: string): Promise<void>;
}

export interface SourceServices {
  readonly tenantName: TenantName;
  readonly runtime: Runtime;
  readonly log: SourceLog;
  /** Of the bridge, for the User-Agent. */
  readonly version: string;
  readonly limits?: SourceLimits;
  /** Of the account: shared by all its clients. Whoever makes one connection only leaves it out. */
  readonly traffic?: Traffic;
  /** Needed with `auth.type: oauth`. */
  readonly grants?: Grants;
  /** Asked before anything is listed or written. Left out by commands that only try a connection. */
  readonly ownAccount?: OwnAccount;
}
