// A tenant that is paused uses its grant for nothing, and grants that nobody uses die. The bridge itself, its watchman
// included, keeps it alive.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBridge } from '../../../src/bridge/start-bridge.js';
import { createFollowedIncidents } from '../../../src/store/incidents.js';
import { createGrantStore } from '../../../src/store/grant-store.js';
import { createWatchStore } from '../../../src/store/watch-store.js';
import { createLog } from '../../../src/telemetry/log.js';
import { loadTenants } from '../../../src/tenants/load-tenants.js';
import { makeRound } from '../../../src/worker/watchman.js';
import { type Bed, bridgeBed, tenantFile } from '../../support/bridge-bed.js';
import { signInAtSandbox, tokenKey } from '../../support/invoicing/oauth-tenant.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const key = tokenKey();
const log = createLog({ level: 'fatal', format: 'json', isTty: false });

let bed: Bed;

beforeAll(async () => {
  bed = await bridgeBed({
    accounts: [{ username: 'acme', invoices: 2, costs: 2 }],
    sandbox: { environment: 'production' },
    tenants: [],
    processes: true,
  });
  const store = createGrantStore(bed.database.db);
  const { auth } = await signInAtSandbox(bed.sandbox, store, { scopes: ['nav', 'cost'], key });
  const { registrationNo } = bed.sandbox.accounts[0]!;
  const { url: baseUrl } = bed.sandbox;
  const source = { environment: 'production', baseUrl, registrationNo, auth };
  const more = { source, paused: true };
  const file = tenantFile(bed.sandbox, { name: 'acme', account: 'acme', erp: { adapter: 'file' }, more });
  await writeFile(join(bed.settings.tenantsDirectory, 'acme.yaml'), stringify(file));
});
afterAll(() => bed.close());

describe('the grant of a tenant that is paused', () => {
  it('is refreshed by a bridge that has just started, when it has not been used for a week', async () => {
    const { prisma } = bed.database;
    const refreshExpiresAt = new Date(Date.now() + 22 * DAY_MS);
    await prisma.grant.updateMany({ data: { refreshExpiresAt } });
    const settings = { ...bed.settings, key };
    const bridge = await startBridge({ settings, env: {}, role: 'all', version: 'test', log });
    try {
      const version = async () => (await prisma.grant.findFirstOrThrow()).version;
      await expect.poll(version, { timeout: 30_000 }).toBe(2);
      const grant = await prisma.grant.findFirstOrThrow();
      expect(grant.refreshExpiresAt.getTime()).toBeGreaterThan(Date.now() + 29 * DAY_MS);
      // Nothing is asked for, at the start either: what was under way would be on record by now.
      await bridge.close();
      expect(await prisma.sweep.count()).toBe(0);
      expect(await prisma.document.count()).toBe(0);
    } finally {
      await bridge.close();
    }
  });

  it('does not wait for another whose service is away', async () => {
    const { db } = bed.database;
    const { tenants } = await loadTenants(bed.settings.tenantsDirectory, {});
    const [acme] = tenants;
    const away = { ...acme!, name: 'away' };
    const [kept, errors]: [string[], unknown[]] = [[], []];
    await makeRound({
      store: createWatchStore(db),
      incidents: createFollowedIncidents(db),
      tenants: () => [away, acme!],
      keepAlive: async ({ name }) => {
        await Promise.resolve();
        if (name === 'away') throw new Error('nobody answers');
        kept.push(name);
      },
      onError: (error) => void errors.push(error),
    });
    expect(kept).toEqual(['acme']);
    expect(errors).toMatchObject([{ message: 'nobody answers' }]);
  });
});
