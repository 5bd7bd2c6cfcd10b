// What is around the bridge goes away and comes back: nothing is lost, nothing is posted twice, nobody has to help.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FAIL_POINTS } from '../../../src/sync/fail-points.js';
import { createLog } from '../../../src/telemetry/log.js';
import { type Bed, type BedOptions, bridgeBed } from '../../support/bridge-bed.js';
import { brokenPromises, type HttpErp, httpErp } from '../../support/http-erp.js';
import { historyOf, refusedBy, watchDatabase, Witnesses } from '../../support/real-history.js';
import { startRedis, type TestRedis } from '../../support/redis.js';
import { has } from '../../support/services.js';

/** Everything shorter than in production, in the same proportions. */
const TIMING = { leaseMs: 5_000, sendByMs: 1_000, erpTimeoutMs: 2_000, networkDelayMaxMs: 500 };

interface Scene {
  readonly bed: Bed;
  readonly erp: HttpErp;
  readonly witnesses: Witnesses;
}

async function scene(name: string, options: Partial<BedOptions> = {}): Promise<Scene> {
  const witnesses = new Witnesses();
  const erp = await httpErp({ behaviour: { latencyMs: 20 }, onEffect: witnesses.onEffect });
  const bed = await bridgeBed({
    sandbox: { onStatus: witnesses.onStatus },
    accounts: [{ username: name, invoices: 40, costs: 20, seed: name }],
    tenants: [{ name, account: name, erp: erp.erp({ deadlineMs: 2_000 }) }],
    env: erp.env,
    bridge: { timing: TIMING },
    ...options,
  });
  onTestFinished(async () => {
    await bed.close();
    await erp.ledger.close();
  });
  return { bed, erp, witnesses };
}

/** In the middle: some are in the books, most are not. */
async function underWay({ erp }: Scene): Promise<void> {
  await expect.poll(() => erp.ledger.control.counts().entries, { timeout: 60_000 }).toBeGreaterThan(3);
}

async function endsWell({ bed, erp }: Scene): Promise<void> {
  await bed.settled(150_000);
  expect((await bed.states())['acknowledged']).toBeGreaterThan(30);
  expect(await brokenPromises(bed, erp.ledger)).toEqual([]);
}

async function redisScene(
  name: string,
  more: Partial<BedOptions> = {},
): Promise<Scene & { redis: TestRedis }> {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  return { redis, ...(await scene(name, { redisUrl: redis.url, ...more })) };
}

describe.skipIf(!has('redis-server'))('Redis', () => {
  test('is killed, stays away and comes back empty: the rest is posted, once', async () => {
    const { redis, ...it } = await redisScene('redis-gone');
    await underWay(it);
    await redis.stop();
    await sleep(3_000);
    await redis.start();
    await endsWell(it);
  });

  // One after the other under the same work: whatever the queues lose or refuse, the rows say what is due.
  test('is flushed, then takes no writes, then is full for a while: the rest is posted afterwards, once', async () => {
    const { redis, ...it } = await redisScene('redis-refuses');
    await underWay(it);
    await redis.client.flushall();
    await sleep(500);
    await redis.client.config('SET', 'min-replicas-to-write', '1');
    await sleep(2_000);
    await redis.client.config('SET', 'min-replicas-to-write', '0');
    await redis.client.config('SET', 'maxmemory-policy', 'noeviction');
    await redis.client.config('SET', 'maxmemory', '1');
    await expect(redis.client.set('full', '?')).rejects.toThrow(/OOM/);
    await sleep(2_000);
    await redis.client.config('SET', 'maxmemory', '0');
    await endsWell(it);
  });

  test('is away: each failure is one line, the bridge is known to run, is not ready, and stops in time when told to', async () => {
    const lines: { msg: string; err?: { message: string } }[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[0]) };
    const log = createLog({ level: 'warn', format: 'json', isTty: false, destination });
    const { redis, bed } = await redisScene('redis-away', { bridge: { timing: TIMING, log } });
    await bed.settled(100_000);
    const ready = () => fetch(`${bed.bridge.http?.url ?? ''}/ready`);
    expect((await ready()).status).toBe(200);
    lines.length = 0;
    await redis.stop();
    const answer = await ready();
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ database: 'ok', queues: 'unreachable' });
    expect((await fetch(`${bed.bridge.http?.url ?? ''}/health`)).status).toBe(200);
    await sleep(4_000);
    // It works: it only cannot wake anybody. Whoever asks must not be told that nobody is there.
    expect(await bed.bridge.operations.isBridgeRunning()).toBe(true);
    const kinds = lines.map(({ msg, err }) => `${msg} ${err?.message.replaceAll(/\d+/g, '#') ?? ''}`);
    expect(kinds.length, kinds.join('\n')).toBe(new Set(kinds).size);
    const started = performance.now();
    await bed.bridge.close();
    expect(performance.now() - started).toBeLessThan(2 * bed.settings.shutdownMs);
    bed.bridge = { close: () => Promise.resolve() } as Bed['bridge'];
    await redis.start();
  });
});

describe('PostgreSQL', () => {
  test('drops every connection and lets nobody in for a while: the rest is posted, once', async () => {
    const it = await scene('postgres-gone');
    await underWay(it);
    const admin = new pg.Client(it.bed.database.url.reveal().replace(/\/[^/]*$/, '/postgres'));
    await admin.connect();
    onTestFinished(() => admin.end());
    const { name } = it.bed.database;
    await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    await sleep(3_000);
    await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    await endsWell(it);
  });
});

describe('a process', () => {
  // `STOPS=1`: at every fail point.
  test.each(process.env['STOPS'] === '1' ? FAIL_POINTS : (['after-intent', 'after-source-check'] as const))(
    'that sleeps %s until its lease is gone finds that somebody else did it, and does it no more',
    async (point) => {
      const it = await scene(`asleep-${point}`, { processes: true });
      await watchDatabase(it.bed.database);
      const asleep = it.bed.child({ failAt: `${point}:2:SIGSTOP`, timing: TIMING });
      await once(asleep, 'message');
      await it.bed.database.prisma.tenant.updateMany({
        data: { planConfirmedAt: new Date(), planConfirmedBy: 'test' },
      });
      await expect.poll(() => stateOf(asleep.pid), { timeout: 60_000 }).toBe('T');
      const other = it.bed.child({ timing: TIMING });
      await once(other, 'message');
      await it.bed.settled(100_000);
      asleep.kill('SIGCONT');
      await sleep(3_000);
      await endsWell(it);
      const quietPeriodMs = TIMING.sendByMs + 2 * TIMING.erpTimeoutMs;
      const specified = { kind: 'native-key', keyLifeMs: 1_800_000, quietPeriodMs };
      expect(refusedBy(specified, await historyOf(it.bed.database, it.witnesses))).toEqual([]);
    },
  );
});

function stateOf(pid: number | undefined): string {
  return /^\d+ \(.*\) (\w)/.exec(readFileSync(`/proc/${String(pid)}/stat`, 'utf8'))?.[1] ?? '';
}
