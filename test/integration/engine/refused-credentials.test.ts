// Credentials that are refused leave one line in the log for whoever reads nothing else: who, which side, what to do. Never
// the secret, and not again with every try.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import type { BridgeEvent } from '../../../src/domain/bridge-event.js';
import { createBreakerStore } from '../../../src/store/breaker-store.js';
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
    const { db } = database;
    await createTenantStore(db, 'test').register({
      ...{ name: 'hraun', environment: 'development', ledger: 'l', rulesVersion: 'v' },
      ...{ weight: 1, postingsPerSecond: 5 },
    });
    const told: BridgeEvent[] = [];
    const [one, another] = [1, 2].map(() => createBreakerStore(db, (event) => told.push(event)));
    const names = () => told.map((event) => `${event.event} ${'side' in event ? event.side : ''}`);
    await one!.failed('hraun', 'source', 'a cough');
    await one!.refused('hraun', 'source', 'Invalid api_key');
    await Promise.all([another!, one!].map((store) => store.refused('hraun', 'source', 'Invalid api_key')));
    const refusal = {
      event: 'credentials.refused',
      tenant: 'hraun',
      side: 'source',
      reason: 'Invalid api_key',
    };
    expect(told).toEqual([refusal]);
    await another!.refused('hraun', 'erp', 'bad signature');
    expect(names()).toEqual(['credentials.refused source', 'credentials.refused erp']);
    told.length = 0;
    await sleep(QUIET_MS);
    await one!.succeeded('hraun', 'source');
    await one!.refused('hraun', 'source', 'Invalid api_key');
    expect(names()).toEqual(['breaker.closed source', 'credentials.refused source']);
  });

  test('a side that does not answer is told of when its breaker opens and when it closes, once each', async () => {
    const told: string[] = [];
    const store = createBreakerStore(database.db, ({ event }) => told.push(event));
    const closed = { state: 'closed', failures: 0 };
    await database.prisma.breaker.updateMany({ where: { side: 'erp' }, data: closed });
    for (let failure = 1; failure <= 8; failure++) await store.failed('hraun', 'erp', 'connect ECONNREFUSED');
    expect(told).toEqual(['breaker.opened']);
    await Promise.all([store.succeeded('hraun', 'erp'), store.succeeded('hraun', 'erp')]);
    expect(told).toEqual(['breaker.opened', 'breaker.closed']);
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
      expect(line).toMatchObject({ msg: 'credentials.refused', event: 'credentials.refused' });
      expect(line!['reason']).not.toBe('');
      expect(written).not.toContain(WRONG_SECRET);
    } finally {
      await bed.close();
      await erp.ledger.close();
    }
  });
});
