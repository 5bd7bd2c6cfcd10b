import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import type { Tenant } from '../../../src/tenants/tenant.js';
import type { TenantStore } from '../../../src/store/tenant-store.js';
import { createConnections } from '../../../src/worker/connections.js';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ledgerbridge-connections-'));
});
afterAll(() => rm(directory, { recursive: true }));

const file = (name: string, title = 'v1', secret = 'env:KEY') =>
  ({
    name,
    title,
    file: join(directory, `${name}.yaml`),
    source: { environment: 'production', auth: { apiKey: secret } },
    erp: { adapter: 'file', settings: {} },
    rules: { vat: {} },
    originals: { keep: true, beforeAcknowledging: false },
    limits: { erp: {}, source: { requestsPerSecond: 4 } },
  }) as unknown as Tenant;

/** Sources and ERPs that only say when they were made and closed. */
function world() {
  const said: string[] = [];
  const broken = new Set<string>();
  /** Only their source cannot be made. */
  const sourceless = new Set<string>();
  const underWay = new Map<string, () => void>();
  const end = (what: string) => ({
    ledger: '',
    capabilities: { requestsPerSecond: 1, vatMode: 'explicit-lines' },
    hello: () =>
      new Promise((resolve) => {
        underWay.set(what, () => resolve({ registrationNo: '4504013150' }));
      }),
    close: () => {
      said.push(`closed ${what}`);
      return Promise.resolve();
    },
  });
  const make = (side: string) => (tenant: Tenant) => {
    if (broken.has(tenant.name) || (side === 'source' && sourceless.has(tenant.name)))
      throw new CodedError('SECRET_MISSING', `The secret of ${tenant.name} is not there.`);
    said.push(`made ${side} of ${tenant.name} ${tenant.title}`);
    return end(`${side} of ${tenant.name} ${tenant.title}`) as never;
  };
  const store = { isAway: false };
  const register = () =>
    store.isAway ? Promise.reject(new Error('the database is away')) : Promise.resolve({ woken: 0 });
  const connections = createConnections({ source: make('source'), erp: make('erp') }, {
    register,
    state: () => Promise.resolve({ sourceAccount: '4504013150' }),
  } as unknown as TenantStore);
  return { connections, said, broken, sourceless, store, underWay };
}

describe('connecting tenants', () => {
  it('lets the rules say who splits VAT, and the ERP only where they say nothing', async () => {
    const { connections } = world();
    const asked = { ...file('b'), rules: { vat: { mode: 'erp-splits' } } } as unknown as Tenant;
    await connections.update([file('a'), asked]);
    expect((await connections.get('a')).rules.vat.mode).toBe('explicit-lines');
    expect((await connections.get('b')).rules.vat.mode).toBe('erp-splits');
  });

  it('connects all others when one cannot be connected, and says which and why', async () => {
    const { connections, broken } = world();
    broken.add('b');
    const failures = await connections.update([file('a'), file('b'), file('c')]);
    expect(connections.names()).toEqual(['a', 'c']);
    expect(failures).toMatchObject([{ tenant: { name: 'b' }, error: { code: 'SECRET_MISSING' } }]);
    broken.clear();
    expect(await connections.update([file('a'), file('b'), file('c')])).toEqual([]);
    expect(connections.names()).toEqual(['a', 'c', 'b']);
  });

  it('keeps the connection that a tenant had while its changed file cannot be taken over', async () => {
    const { connections, said, broken } = world();
    await connections.update([file('a'), file('b')]);
    broken.add('a');
    said.length = 0;
    expect(await connections.update([file('a', 'v2'), file('b', 'v2')])).toHaveLength(1);
    expect(connections.tenant('a')?.title).toBe('v1');
    expect(connections.tenant('b')?.title).toBe('v2');
    expect(said).not.toContain('closed source of a v1');
  });

  it('closes nothing under running work when files change, however often; and all of it at the end', async () => {
    const { connections, said, underWay } = world();
    await connections.update([file('a')]);
    const { source } = await connections.get('a');
    const call = source.hello();
    for (let edit = 2; edit <= 26; edit++) await connections.update([file('a', `v${String(edit)}`)]);
    expect(said.filter((line) => line.startsWith('closed'))).toEqual([]);
    // Work goes on with the connection that it began with.
    underWay.get('source of a v1')!();
    expect(await call).toMatchObject({ registrationNo: '4504013150' });
    expect(connections.isClosed()).toBe(false);
    await connections.close();
    expect(connections.isClosed()).toBe(true);
    expect(said.filter((line) => line.startsWith('closed source'))).toHaveLength(26);
  });

  it('keeps all of them while the database is away', async () => {
    const { connections, store } = world();
    const names = ['a', 'b', 'c', 'd'];
    await connections.update(names.map((name) => file(name)));
    store.isAway = true;
    expect(await connections.update(names.map((name) => file(name, 'v2')))).toHaveLength(4);
    expect(connections.names()).toEqual(names);
  });

  it('closes the ERP of a tenant whose source cannot be made, at every try', async () => {
    const { connections, said, sourceless } = world();
    sourceless.add('a');
    for (let look = 0; look < 3; look++) expect(await connections.update([file('a')])).toHaveLength(1);
    expect(said.filter((line) => line === 'made erp of a v1')).toHaveLength(3);
    expect(said.filter((line) => line === 'closed erp of a v1')).toHaveLength(3);
  });

  it('closes both ends of a tenant that cannot be registered, and keeps the ones it had', async () => {
    const { connections, said, store } = world();
    await connections.update([file('a')]);
    store.isAway = true;
    expect(await connections.update([file('a', 'v2')])).toHaveLength(1);
    expect(said.filter((line) => line.startsWith('closed'))).toEqual([
      'closed erp of a v2',
      'closed source of a v2',
    ]);
    expect(connections.tenant('a')?.title).toBe('v1');
  });

  it('connects a tenant anew when a file of its secrets was written anew, and leaves the others alone', async () => {
    const { connections, said } = world();
    const secret = join(directory, 'key');
    await writeFile(secret, 'wrong');
    const tenants = [file('a', 'v1', 'file:key'), file('b')];
    await connections.update(tenants);
    said.length = 0;
    await connections.update(tenants);
    expect(said).toEqual([]);
    await writeFile(secret, 'right');
    await utimes(secret, new Date(), new Date(Date.now() + 5_000));
    await connections.update(tenants);
    expect(said).toContain('made source of a v1');
    expect(said.join()).not.toContain('of b');
  });

  it('drops who is gone', async () => {
    const { connections, said } = world();
    await connections.update([file('a'), file('b')]);
    await connections.update([file('b')]);
    expect(connections.names()).toEqual(['b']);
    await connections.close();
    expect(said).toContain('closed erp of a v1');
  });
});
