// Credentials that are refused leave one line in the log for whoever reads nothing else: who, which side, what to do. Never
// the secret, and not again with every try.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { createBreakerStore, type Refusal } from '../../../src/store/breaker-store.js';
import { createTenantStore } from '../../../src/store/tenant-store.js';
import { createLog } from '../../../src/telemetry/log.js';
import { bridgeBed } from '../../support/bridge-bed.js';
import { testDatabase } from '../../support/database.js';
import { httpErp } from '../../support/http-erp.js';

const WRONG_SECRET = 'canary-of-a-wrong-ledger-secret-9c41';
/** Longer than a success is kept back. */
const QUIET_MS = 2_100;

const database = await testDatabase();
afterAll(() => database.close());

describe('refused credentials', () => {
  test('are told of once a transition, on each side for itself', async () => {
    const { prisma } = database;
    await createTenantStore(prisma, 'test').register({
      ...{ name: 'hraun', environment: 'development', ledger: 'l', rulesVersion: 'v' },
      ...{ weight: 1, postingsPerSecond: 5 },
    });
    const told: Refusal[] = [];
    const [one, another] = [1, 2].map(() => createBreakerStore(prisma, (refusal) => told.push(refusal)));
    await one!.failed('hraun', 'source', 'a cough');
    await one!.refused('hraun', 'source', 'Invalid api_key');
    await Promise.all([another!, one!].map((store) => store.refused('hraun', 'source', 'Invalid api_key')));
    expect(told).toMatchObject([{ tenantName: 'hraun', side: 'source', reason: 'Invalid api_key' }]);
    expect(told[0]!.nextStep).toContain('ledgerbridge tenant check hraun');
    await another!.refused('hraun', 'erp', 'bad signature');
    expect(told.map(({ side }) => side)).toEqual(['source', 'erp']);
    await sleep(QUIET_MS);
    await one!.succeeded('hraun', 'source');
    await one!.refused('hraun', 'source', 'Invalid api_key');
    expect(told.map(({ side }) => side)).toEqual(['source', 'erp', 'source']);
  });

  test('of an ERP are one error line of a running bridge, without the secret', async () => {
    const erp = await httpErp();
    const lines: Record<string, unknown>[] = [];
    let written = '';
    const destination = {
      write: (line: string) => {
        written += line;
        lines.push(JSON.parse(line) as Record<string, unknown>);
      },
    };
    const bed = await bridgeBed({
      accounts: [{ username: 'hraun', invoices: 4, costs: 0, seed: 'refused', difficulty: 'tidy' }],
      tenants: [{ name: 'hraun', account: 'hraun', erp: erp.erp() }],
      env: { LEDGER_SECRET: WRONG_SECRET },
      bridge: { log: createLog({ level: 'info', format: 'json', isTty: false, destination }) },
    });
    const refusals = () => lines.filter(({ side }) => side === 'erp');
    try {
      for (let look = 0; look < 300 && refusals().length === 0; look++) await sleep(100);
      // Whatever else was under way is refused too by now.
      await sleep(2_000);
      expect(refusals()).toMatchObject([{ level: 'error', tenant: 'hraun', side: 'erp' }]);
      const [line] = refusals();
      expect(line!['msg']).toBe('The ERP refuses the credentials of hraun');
      expect(line!['whatToDo']).toContain('ledgerbridge tenant check hraun');
      expect(written).not.toContain(WRONG_SECRET);
    } finally {
      await bed.close();
      await erp.ledger.close();
    }
  });
});
