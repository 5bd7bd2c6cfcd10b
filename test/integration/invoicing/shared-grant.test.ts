// Ten real processes, one grant, one real PostgreSQL. The sandbox counts: exactly one refresh per expiry, and never a
// refresh token that was already used up. (Slow for this room: starting ten processes takes most of its time.)
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../lab/sandbox/start-sandbox.js';
import { createGrantStore } from '../../../src/store/grant-store.js';
import { childProgram } from '../../support/children.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import type { GrantProcessTask } from '../../support/invoicing/grant-process.js';
import { signInAtSandbox, tokenKey } from '../../support/invoicing/oauth-tenant.js';

const PROCESSES = 10;

interface Report {
  readonly done: number;
  readonly failures: readonly string[];
}

let sandbox: Sandbox;
let database: TestDatabase;
let children: ChildProcess[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 'grant', accounts: [{ invoices: 5, costs: 5 }] });
  database = await testDatabase();
  const key = tokenKey();
  const { auth } = await signInAtSandbox(sandbox, createGrantStore(database.db), {
    key,
    scopes: ['nav', 'cost'],
  });
  const task: GrantProcessTask = {
    databaseUrl: database.url.reveal(),
    baseUrl: sandbox.url,
    clientId: auth.clientId,
    tokenKey: key.reveal(),
  };
  children = Array.from({ length: PROCESSES }, () =>
    fork(childProgram('grant-process'), [JSON.stringify(task)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }),
  );
  await Promise.all(children.map((child) => once(child, 'message')));
});

afterAll(async () => {
  await Promise.all(
    children.map(async (child) => {
      child.send('stop');
      await once(child, 'exit');
    }),
  );
  await database.close();
  await sandbox.close();
});

async function everybodyCalls(calls: number): Promise<readonly Report[]> {
  return Promise.all(
    children.map(async (child) => {
      child.send({ calls });
      const [report] = (await once(child, 'message')) as [Report];
      return report;
    }),
  );
}

function refreshes(): number {
  return sandbox.control
    .journal({ limit: 10_000 })
    .filter(({ endpoint, httpStatus }) => isToken(endpoint) && httpStatus === 200).length;
}

const isToken = (endpoint: string) => endpoint.includes('token');
const replaced = () => sandbox.control.brokenRules().filter(({ rule }) => rule === 'refresh-replaced');

describe('ten processes that share one grant', () => {
  it('refresh once when the stored token is about to expire', async () => {
    const before = refreshes();
    await database.prisma.grant.updateMany({ data: { accessExpiresAt: new Date(Date.now() + 5_000) } });
    const reports = await everybodyCalls(4);
    expect(reports.flatMap(({ failures }) => failures)).toEqual([]);
    expect(reports.map(({ done }) => done)).toEqual(Array.from({ length: PROCESSES }, () => 4));
    expect(refreshes() - before).toBe(1);
  });

  it.each([1, 2, 3])(
    'refresh once when the service says to all of them that it expired (round %i)',
    async () => {
      const before = refreshes();
      sandbox.control.advanceClock(2 * 3_600_000);
      const reports = await everybodyCalls(4);
      expect(reports.flatMap(({ failures }) => failures)).toEqual([]);
      expect(refreshes() - before).toBe(1);
      expect(replaced()).toEqual([]);
    },
  );

  it('leave a grant that is active, unleased, and as many versions on as there were refreshes', async () => {
    const row = await createGrantStore(database.db).read('acme');
    expect(row).toMatchObject({ state: 'active', leaseOwner: null, version: 1 + 4 });
  });
});
