// Documents by the thousand are replayed, and the bridge that works at it is killed in the middle of a batch. Six hundred
// in CI; the full size is REPLAY_DOCUMENTS=5000 npx vitest run test/integration/operations/replay-crash.test.ts
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openOperations, type OpenedOperations } from '../../../src/bridge/open-operations.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type HttpErp, httpErp } from '../../support/http-erp.js';
import { historyOf, refusedBy, watchDatabase, Witnesses } from '../../support/real-history.js';
import { startRedis, type TestRedis } from '../../support/redis.js';
import { has } from '../../support/services.js';

const DOCUMENTS = Number(process.env['REPLAY_DOCUMENTS'] ?? '600');
/** Everything is done for real, some tens of documents a second on two cores. */
const PATIENCE_MS = 60_000 + DOCUMENTS * 150;
/** Batches of a hundred: the process dies in the one that holds this document, with all before it done. */
const BEFORE = Math.floor(DOCUMENTS / 250) * 100;
const IN_THE_MIDDLE = BEFORE + 50;
const ACT = { actor: 'Jón', reason: 'the ERP lacked an account all night' };
/** Shorter than in production, in the same proportions: what a killed worker held is free again after five seconds. */
const TIMING = { leaseMs: 5_000, sendByMs: 1_000, erpTimeoutMs: 2_000, networkDelayMaxMs: 500 };
const SPECIFIED = {
  kind: 'native-key',
  keyLifeMs: 1_800_000,
  quietPeriodMs: TIMING.sendByMs + 2 * TIMING.erpTimeoutMs,
} as const;

describe.skipIf(!has('redis-server'))(`a replay of ${DOCUMENTS} documents`, () => {
  let bed: Bed;
  let erp: HttpErp;
  let redis: TestRedis;
  let beside: OpenedOperations;
  let witnesses: Witnesses;
  const children: ChildProcess[] = [];

  // For each attempt anew: a second one finds nothing of the first.
  beforeEach(async () => {
    redis = await startRedis();
    witnesses = new Witnesses();
    erp = await httpErp({ onEffect: witnesses.onEffect });
    bed = await bridgeBed({
      sandbox: { onStatus: witnesses.onStatus },
      accounts: [{ username: 'mikid', invoices: 0, costs: 0, seed: 'replay' }],
      tenants: [
        {
          name: 'mikid',
          account: 'mikid',
          erp: erp.erp({ requestsPerSecond: 1000, deadlineMs: 2_000 }),
          more: {
            limits: {
              source: { requestsPerSecond: 1000, concurrency: 8 },
              erp: { postingsPerSecond: 1000 },
            },
            weight: 8,
          },
        },
      ],
      env: erp.env,
      redisUrl: redis.url,
      processes: true,
      concurrency: 16,
    });
    await watchDatabase(bed.database);
    for (let number = 1; number <= DOCUMENTS; number++)
      bed.sandbox.control.issueInvoice('mikid', { unitPrice: String(1_000 + number) });
    beside = await openOperations({ settings: bed.settings, env: {}, version: 'test' });
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await beside.close();
    await bed.close();
    await erp.ledger.close();
    await redis.close();
  });

  const bridge = async () => {
    const child = bed.child({ timing: TIMING });
    children.push(child);
    await once(child, 'message');
    return child;
  };
  const until = async (what: string, done: () => Promise<boolean>, timeoutMs = PATIENCE_MS) => {
    const deadline = Date.now() + timeoutMs;
    while (!(await done())) {
      if (Date.now() > deadline) throw new Error(`not ${what} after ${timeoutMs} ms`);
      await sleep(100);
    }
  };

  /** As after a night in which the ERP refused everything: how they came to be held is not what is tested here. */
  const holdAll = async () => {
    const { prisma } = bed.database;
    await until('found', async () => (await prisma.posting.count()) === DOCUMENTS);
    await prisma.$executeRaw`UPDATE posting SET state = 'held', state_since = now(), due_at = NULL, reason = 'ERP_CONFIGURATION',
      reason_subject = '', reason_sentence = 'The ERP lacks account 3200.'`;
    await prisma.tenant.updateMany({ data: { planConfirmedAt: new Date(), planConfirmedBy: 'test' } });
  };

  /** A batch that waits for this document is surely under way: its transaction has begun and cannot end. */
  const inTheWayOf = async (number: number) => {
    const client = new pg.Client({ connectionString: bed.database.url.reveal() });
    await client.connect();
    await client.query('BEGIN');
    await client.query(
      'SELECT 1 FROM posting WHERE id = (SELECT id FROM posting ORDER BY id OFFSET $1 LIMIT 1) FOR UPDATE',
      [number],
    );
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return {
      blocks: async () => {
        const waiting = await bed.database.prisma.$queryRaw<unknown[]>`
          SELECT 1 FROM pg_stat_activity WHERE ${rows[0]!.pid} = ANY(pg_blocking_pids(pid))`;
        return waiting.length > 0;
      },
      stepAside: () => client.end(),
    };
  };

  test(
    'goes on after a SIGKILL in the middle of a batch, posts every document once, and says how far it is',
    async () => {
      const first = await bridge();
      await holdAll();
      const obstacle = await inTheWayOf(IN_THE_MIDDLE);
      const started = await beside.operations.startReplay({ tenant: 'mikid', states: ['held'] }, ACT, {
        perSecond: 1000,
      });
      expect(started).toMatchObject({ total: DOCUMENTS, done: 0, arrived: 0, state: 'running' });
      await until('in the middle of a batch', obstacle.blocks);
      first.kill('SIGKILL');
      await once(first, 'exit');
      await obstacle.stepAside();
      const halfway = await beside.operations.run(started.id);
      expect(halfway).toMatchObject({ state: 'running', done: BEFORE, moved: BEFORE, refused: 0 });
      expect(erp.ledger.control.counts().entries).toBeLessThanOrEqual(BEFORE);

      const second = await bridge();
      await until('replayed', async () => (await beside.operations.run(started.id)).state === 'done');
      await bed.settled(PATIENCE_MS);
      second.kill('SIGTERM');
      await once(second, 'exit');
      expect(await beside.operations.run(started.id)).toMatchObject({
        total: DOCUMENTS,
        done: DOCUMENTS,
        moved: DOCUMENTS,
        refused: 0,
        arrived: DOCUMENTS,
      });
      const perKey = new Map<string, number>();
      for (const key of erp.ledger.control.keys()) perKey.set(key, erp.ledger.control.liveCount(key));
      const keys = await bed.database.prisma.posting.findMany({ select: { key: true } });
      expect(keys.filter(({ key }) => perKey.get(key) !== 1)).toEqual([]);
      expect(erp.ledger.control.counts()).toMatchObject({ entries: DOCUMENTS, duplicatedKeys: 0 });
      expect(await bed.states()).toEqual({ acknowledged: DOCUMENTS });
      const replayed = await bed.database.prisma.auditEntry.count({
        where: { action: 'posting.replayed', ...ACT },
      });
      expect(replayed).toBe(DOCUMENTS);
      const history = await historyOf(bed.database, witnesses);
      expect(history.filter(({ what }) => what === 'acknowledge')).toHaveLength(DOCUMENTS);
      expect(refusedBy(SPECIFIED, history)).toEqual([]);
    },
    2 * PATIENCE_MS,
  );
});
