// Where the tokens of an OAuth grant are kept, one row a tenant. The store sees ciphertext only. Refreshing is guarded by
// a lease on the row, taken by compare-and-set, so that one refresh is in flight per grant over all processes.

/**
 * `refreshing`: a refresh request was about to leave and no new tokens have been stored since, so the stored refresh token
 * may already be used up. It stays so after a crash, until somebody finds out.
 */
export const GRANT_STATES = ['active', 'refreshing', 'needs-consent', 'revoked'] as const;
export type GrantState = (typeof GRANT_STATES)[number];

export interface GrantTokens {
  /** Sealed (AES-256-GCM, tenant as associated data). */
  readonly sealedAccess: string;
  readonly sealedRefresh: string;
  readonly keyId: string;
  readonly scopes: readonly string[];
  readonly accessExpiresAt: Date;
  /** Thirty days from the last refresh (Document 2, "Limits"). */
  readonly refreshExpiresAt: Date;
}

export interface GrantRow extends GrantTokens {
  readonly tenant: string;
  readonly clientId: string;
  readonly state: GrantState;
  /** Rises with every stored pair of tokens: a caller whose token failed can see whether a newer one exists. */
  readonly version: number;
  readonly leaseOwner: string | null;
  readonly leaseUntil: Date | null;
  readonly updatedAt: Date;
}

export interface RefreshLease {
  readonly tenant: string;
  readonly owner: string;
  readonly version: number;
}

/** Every method is one statement; `boolean` is whether the row was as the caller believed and has been changed. */
export interface GrantStore {
  read(tenant: string): Promise<GrantRow | null>;
  list(): Promise<readonly GrantRow[]>;
  /** After consent: replaces whatever was there; version rises, state is active, no lease. */
  save(tenant: string, clientId: string, tokens: GrantTokens, now: Date): Promise<void>;
  /**
   * Where the version is still the one given, the state active or refreshing, and no other lease lives: by the clock of the store,
   * for those of two processes may be minutes apart.
   */
  acquireLease(lease: RefreshLease, forMs: number): Promise<boolean>;
  /** Where the lease is still the owner's: state becomes refreshing. No byte leaves unless this returned true. */
  markRefreshStarted(lease: RefreshLease, now: Date): Promise<boolean>;
  /**
   * Where the version is still the one given, whoever holds the lease now and whatever the state: tokens made from that
   * version are the newest there are. Version rises, state is active, the lease is gone.
   */
  storeRefreshed(lease: RefreshLease, tokens: GrantTokens, now: Date): Promise<boolean>;
  /** Where the lease is still the owner's. `back` is the state to leave behind: active only if surely nothing was sent. */
  releaseLease(lease: RefreshLease, back: 'active' | 'refreshing', now: Date): Promise<boolean>;
  /** Where the version is still the one given. */
  close(lease: RefreshLease, state: 'needs-consent' | 'revoked', now: Date): Promise<boolean>;
  /** Where the version is still the one given: the same tokens under another key, nothing else changes. */
  reseal(
    tenant: string,
    version: number,
    sealed: Pick<GrantTokens, 'sealedAccess' | 'sealedRefresh' | 'keyId'>,
  ): Promise<boolean>;
}

/** A client registered by us, whose secret was shown once (Document 2, "Register behaviour"). */
export interface RegisteredClient {
  readonly tenant: string;
  readonly clientId: string;
  /** Sealed; null for a public client. */
  readonly sealedSecret: string | null;
  readonly keyId: string;
  readonly name: string;
  readonly redirectUri: string;
}

export interface ClientStore {
  readClient(tenant: string): Promise<RegisteredClient | null>;
  /** A null secret never replaces one that is known for the same client: registering again returns null. */
  saveClient(client: RegisteredClient, now: Date): Promise<void>;
  listClients(): Promise<readonly RegisteredClient[]>;
}
