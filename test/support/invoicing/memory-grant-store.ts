// The grant store's contract in memory, for tests that need no database. The PostgreSQL one passes the same tests.
import type {
  ClientStore,
  GrantRow,
  GrantStore,
  GrantTokens,
  RefreshLease,
  RegisteredClient,
} from '../../../src/service/grant-store.js';

export class MemoryGrantStore implements GrantStore, ClientStore {
  readonly rows = new Map<string, GrantRow>();
  readonly clients = new Map<string, RegisteredClient>();

  read(tenant: string): Promise<GrantRow | null> {
    return Promise.resolve(this.rows.get(tenant) ?? null);
  }

  list(): Promise<readonly GrantRow[]> {
    return Promise.resolve([...this.rows.values()]);
  }

  save(tenant: string, clientId: string, tokens: GrantTokens, now: Date): Promise<void> {
    const version = (this.rows.get(tenant)?.version ?? 0) + 1;
    const fresh = { tenant, clientId, version, state: 'active', leaseOwner: null, leaseUntil: null } as const;
    this.rows.set(tenant, { ...fresh, ...tokens, updatedAt: now });
    return Promise.resolve();
  }

  acquireLease(lease: RefreshLease, forMs: number): Promise<boolean> {
    const now = new Date();
    const free = (row: GrantRow) =>
      (row.state === 'active' || row.state === 'refreshing') &&
      (row.leaseUntil === null || row.leaseUntil <= now);
    return this.#change(lease, now, free, {
      leaseOwner: lease.owner,
      leaseUntil: new Date(now.getTime() + forMs),
    });
  }

  markRefreshStarted(lease: RefreshLease, now: Date): Promise<boolean> {
    return this.#change(lease, now, (row) => row.leaseOwner === lease.owner, { state: 'refreshing' });
  }

  storeRefreshed(lease: RefreshLease, tokens: GrantTokens, now: Date): Promise<boolean> {
    const stored = {
      ...tokens,
      version: lease.version + 1,
      state: 'active',
      leaseOwner: null,
      leaseUntil: null,
    } as const;
    return this.#change(lease, now, () => true, stored);
  }

  releaseLease(lease: RefreshLease, back: 'active' | 'refreshing', now: Date): Promise<boolean> {
    const released = { state: back, leaseOwner: null, leaseUntil: null };
    return this.#change(lease, now, (row) => row.leaseOwner === lease.owner, released);
  }

  close(lease: RefreshLease, state: 'needs-consent' | 'revoked', now: Date): Promise<boolean> {
    return this.#change(lease, now, () => true, { state, leaseOwner: null, leaseUntil: null });
  }

  reseal(
    tenant: string,
    version: number,
    sealed: Pick<GrantTokens, 'sealedAccess' | 'sealedRefresh' | 'keyId'>,
  ): Promise<boolean> {
    const row = this.rows.get(tenant);
    return this.#change({ tenant, owner: '', version }, row?.updatedAt ?? new Date(0), () => true, sealed);
  }

  readClient(tenant: string): Promise<RegisteredClient | null> {
    return Promise.resolve(this.clients.get(tenant) ?? null);
  }

  saveClient(client: RegisteredClient): Promise<void> {
    const known = this.clients.get(client.tenant);
    const keep = client.sealedSecret === null && known?.clientId === client.clientId ? known : client;
    this.clients.set(client.tenant, { ...client, sealedSecret: keep.sealedSecret, keyId: keep.keyId });
    return Promise.resolve();
  }

  listClients(): Promise<readonly RegisteredClient[]> {
    return Promise.resolve([...this.clients.values()]);
  }

  #change(
    lease: RefreshLease,
    now: Date,
    when: (row: GrantRow) => boolean,
    changes: Partial<GrantRow>,
  ): Promise<boolean> {
    const row = this.rows.get(lease.tenant);
    if (row?.version !== lease.version || !when(row)) return Promise.resolve(false);
    this.rows.set(lease.tenant, { ...row, ...changes, updatedAt: now });
    return Promise.resolve(true);
  }
}
