// The contract of the grant store, held by the one in PostgreSQL and by the one that tests use in its place.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClientStore, GrantStore, GrantTokens } from '../../../src/service/grant-store.js';
import { createGrantStore } from '../../../src/store/grant-store.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { MemoryGrantStore } from '../../support/invoicing/memory-grant-store.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});

afterAll(() => database.close());

const now = new Date('2026-03-01T12:00:00Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const tokens = (n: number): GrantTokens => ({
  sealedAccess: `access-${String(n)}`,
  sealedRefresh: `refresh-${String(n)}`,
  keyId: 'key-1',
  scopes: ['nav', 'cost'],
  accessExpiresAt: later(3_600_000),
  refreshExpiresAt: later(30 * 86_400_000),
});
const lease = (owner: string, version = 1) => ({ tenant: 'acme', owner, version });

const STORES: Record<string, () => GrantStore & ClientStore> = {
  PostgreSQL: () => createGrantStore(database.db),
  memory: () => new MemoryGrantStore(),
};

describe.each(Object.keys(STORES))('the grant store in %s', (name) => {
  let store: GrantStore & ClientStore;

  beforeEach(async () => {
    await database.prisma.grant.deleteMany();
    await database.prisma.oauthClient.deleteMany();
    store = STORES[name]!();
    await store.save('acme', 'client-1', tokens(1), now);
  });

  it('gives back what was saved', async () => {
    expect(await store.read('acme')).toEqual({
      tenant: 'acme',
      clientId: 'client-1',
      ...tokens(1),
      state: 'active',
      version: 1,
      leaseOwner: null,
      leaseUntil: null,
      updatedAt: now,
    });
    expect(await store.read('other')).toBeNull();
  });

  it('gives the lease to exactly one of many that ask at once', async () => {
    const owners = Array.from({ length: 20 }, (_, n) => `owner-${String(n)}`);
    const got = await Promise.all(owners.map((owner) => store.acquireLease(lease(owner), 1_000)));
    expect(got.filter(Boolean)).toHaveLength(1);
  });

  it('gives it to the next when it has run out, and not a moment before', async () => {
    await store.acquireLease(lease('one'), 250);
    expect(await store.acquireLease(lease('two'), 5_000)).toBe(false);
    await sleep(300);
    expect(await store.acquireLease(lease('two'), 5_000)).toBe(true);
    expect(await store.markRefreshStarted(lease('one'), now)).toBe(false);
    expect(await store.markRefreshStarted(lease('two'), now)).toBe(true);
  });

  it('gives no lease on a version that has passed, or on a closed grant', async () => {
    expect(await store.acquireLease(lease('one', 7), 1_000)).toBe(false);
    for (const state of ['needs-consent', 'revoked'] as const) {
      await store.close(lease('one'), state, now);
      expect((await store.read('acme'))?.state).toBe(state);
      expect(await store.acquireLease(lease('one'), 1_000)).toBe(false);
    }
  });

  it('stores refreshed tokens once, whoever holds the lease by then', async () => {
    await store.acquireLease(lease('one'), -1);
    await store.markRefreshStarted(lease('one'), now);
    expect((await store.read('acme'))?.state).toBe('refreshing');
    await store.acquireLease(lease('two'), 9_000);
    expect(await store.storeRefreshed(lease('one'), tokens(2), later(2_500))).toBe(true);
    expect(await store.storeRefreshed(lease('two'), tokens(3), later(2_600))).toBe(false);
    expect(await store.read('acme')).toMatchObject({
      ...tokens(2),
      version: 2,
      state: 'active',
      leaseOwner: null,
      leaseUntil: null,
    });
  });

  it('lets go of a lease for its owner only, and leaves the state that was said', async () => {
    await store.acquireLease(lease('one'), 1_000);
    expect(await store.releaseLease(lease('two'), 'active', now)).toBe(false);
    expect(await store.releaseLease(lease('one'), 'refreshing', now)).toBe(true);
    expect(await store.read('acme')).toMatchObject({ state: 'refreshing', leaseOwner: null });
    expect(await store.acquireLease(lease('two'), 1_000)).toBe(true);
  });

  it('begins anew after consent, as a newer version', async () => {
    await store.close(lease('one'), 'needs-consent', now);
    await store.save('acme', 'client-2', tokens(5), later(1));
    expect(await store.read('acme')).toMatchObject({ state: 'active', version: 2, clientId: 'client-2' });
  });

  it('re-seals a version that is still there', async () => {
    const sealed = { sealedAccess: 'a', sealedRefresh: 'r', keyId: 'key-2' };
    expect(await store.reseal('acme', 2, sealed)).toBe(false);
    expect(await store.reseal('acme', 1, sealed)).toBe(true);
    expect(await store.read('acme')).toMatchObject({ ...sealed, version: 1 });
  });

  it('never forgets a client secret because a later registration shows none', async () => {
    const client = {
      tenant: 'acme',
      clientId: 'c',
      sealedSecret: 's',
      keyId: 'k',
      name: 'n',
      redirectUri: 'https://x',
    };
    await store.saveClient(client, now);
    await store.saveClient({ ...client, sealedSecret: null, keyId: 'k2', name: 'renamed' }, now);
    expect(await store.readClient('acme')).toEqual({ ...client, name: 'renamed' });
    await store.saveClient({ ...client, clientId: 'another', sealedSecret: null }, now);
    expect(await store.listClients()).toMatchObject([{ clientId: 'another', sealedSecret: null }]);
  });
});
