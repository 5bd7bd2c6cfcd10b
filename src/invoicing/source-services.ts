// What a connection to the invoicing service is handed; this room reads no environment and no file.
import type { TenantName } from '../domain/ids.js';
import type { Runtime } from '../domain/runtime.js';
import type { ClientStore, GrantStore } from './grant-store.js';
import type { TokenKeyring } from './oauth/token-keyring.js';

export interface SourceLog {
  debug(facts: Readonly<Record<string, unknown>>, message: string): void;
  info(facts: Readonly<Record<string, unknown>>, message: string): void;
  warn(facts: Readonly<Record<string, unknown>>, message: string): void;
}

export interface SourceLimits {
  /** Ceiling of the calls under way at once; the gate finds its own level below it. */
  readonly concurrency?: number;
  /** Calls a second of this process; as many as the gate lets through unless given. */
  readonly requestsPerSecond?: number;
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
  /** Needed with `auth.type: oauth`. */
  readonly grants?: Grants;
  /** Asked before anything is listed or written. Left out by commands that only try a connection. */
  readonly ownAccount?: OwnAccount;
}
