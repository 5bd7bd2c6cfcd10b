// Many tenants, several processes, faults on, one process killed every few seconds. Small in CI; the full size is
// SOAK_DOCUMENTS=20000 SOAK_TENANTS=20 npx vitest run --project e2e test/e2e/engine/soak.test.ts
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { brokenPromises, type HttpErp, httpErp } from '../../support/http-erp.js';
import { historyOf, refusedBy, watchDatabase, Witnesses } from '../../support/real-history.js';
import { startRedis, type TestRedis } from '../../support/redis.js';
import { has } from '../../support/services.js';

const DOCUMENTS = Number(process.env['SOAK_DOCUMENTS'] ?? 150);
const TENANTS = Number(process.env['SOAK_TENANTS'] ?? 6);
const TIMEOUT_MS = Math.max(200_000, DOCUMENTS * 90);
const KILL_EVERY_MS = 5_000;
const PROCESSES = 3;
/** Whoever keeps more alive than this dies by itself, which the test would see as a process that nobody killed. */
const HEAP_MB = 128;
/** Readings of a process's memory below which nothing can be said of its growth. */
const FLAT_FROM = 12;
const TIMING = { leaseMs: 8_000, sendByMs: 2_000, erpTimeoutMs: 4_000, networkDelayMaxMs: 500 };
/** As the specification calls it; nothing of a request is on its way after the quiet period. */
const SPECIFIED = {
  kind: 'native-key',
  keyLifeMs: 1_800_000,
  quietPeriodMs: TIMING.sendByMs + 2 * TIMING.erpTimeoutMs,
} as const;
const names = Array.from({ length: TENANTS }, (_, index) => `t${index + 1}`);

describe.skipIf(!has('redis-server'))('soak', () => {
  let bed: Bed;
  let erp: HttpErp;
  let redis: TestRedis;
  const witnesses = new Witnesses();

  beforeAll(async () => {
    redis = await startRedis();
    erp = await httpErp({
      onEffect: witnesses.onEffect,
      behaviour: {
        seed: 11,
        faults: { 'reset-after-effect': 0.03, 'error-before-effect': 0.03, 'late-reply': 0.03 },
        delayMs: 300,
      },
    });
    bed = await bridgeBed({
      accounts: names.map((username) => ({
        username,
        invoices: Math.ceil((DOCUMENTS / TENANTS) * 0.7),
        costs: Math.floor((DOCUMENTS / TENANTS) * 0.3),
        seed: username,
      })),
      sandbox: {
        onStatus: witnesses.onStatus,
        onItsWayMs: 1_000,
        faults: [
          { kind: 'server-error', probability: 0.01 },
          { kind: 'reset-after', probability: 0.01 },
          { kind: 'latency', probability: 0.1, delayMs: 30 },
          { kind: 'rate-limit', probability: 0.002, retryAfterSeconds: 2 },
        ],
      },
      tenants: names.map((name) => ({
        name,
        account: name,
        erp: erp.erp({ deadlineMs: 4_000 }),
        more: { limits: { erp: { postingsPerSecond: 200 } } },
      })),
      env: erp.env,
      redisUrl: redis.url,
      processes: true,
    });
    await watchDatabase(bed.database);
  });
  const children: ChildProcess[] = [];
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await bed.close();
    await erp.ledger.close();
    await redis.close();
  });

  test(
    'entries equal documents, statuses agree and memory stays flat while processes are killed',
    async () => {
      const startedAt = Date.now();
      const told = new Set<ChildProcess>();
      const diedAlone: string[] = [];
      const end = async (child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM') => {
        told.add(child);
        const gone = child.exitCode !== null || child.signalCode !== null || once(child, 'exit');
        child.kill(signal);
        await gone;
      };
      const start = async () => {
        const child = bed.child({ timing: TIMING, heapMb: HEAP_MB });
        child.once('exit', (code, signal) => {
          if (!told.has(child))
            diedAlone.push(`${String(code ?? signal)}, ${String(children.length)} others`);
        });
        await Promise.race([once(child, 'message'), once(child, 'exit')]);
        children.push(child);
      };
      for (let number = 0; number < PROCESSES; number++) await start();
      await bed.database.prisma.tenant.updateMany({
        data: { planConfirmedAt: new Date(), planConfirmedBy: 'test' },
      });
      const settled = { yet: false };
      const settling = bed.settled(TIMEOUT_MS).finally(() => (settled.yet = true));
      let kills = 0;
      let memoryMax = 0;
      const survivor: { pid: number | undefined; mb: number[] } = { pid: undefined, mb: [] };
      while (!settled.yet) {
        await Promise.race([sleep(KILL_EVERY_MS), settling]);
        memoryMax = Math.max(memoryMax, ...children.map((child) => residentMb(child.pid)));
        // Everybody dies in turn, whoever leads included; in the second half one is spared, so that it can show its memory.
        const spared = survivor.pid !== undefined || (await acknowledged()) > DOCUMENTS / 2;
        if (spared) {
          survivor.pid ??= children[0]?.pid;
          survivor.mb.push(residentMb(survivor.pid));
        }
        const [victim] = children.splice(spared ? 1 : 0, 1);
        if (!victim) break;
        await end(victim, 'SIGKILL');
        kills++;
        await start();
      }
      await settling;
      for (const child of children) await end(child, 'SIGTERM');
      const done = await acknowledged();
      const seconds = Math.round((Date.now() - startedAt) / 1000);
      process.stdout.write(
        `soak: ${done} of ${DOCUMENTS} acknowledged over ${TENANTS} tenants in ${seconds} s, ${kills} kills, ` +
          `at most ${memoryMax} MB resident in one process; the one that was spared, every ${String(KILL_EVERY_MS / 1000)} s and more: ` +
          `${survivor.mb.join(' ')} MB\nnot acknowledged: ${JSON.stringify(await others())}\n`,
      );
      expect(done).toBeGreaterThan(DOCUMENTS * 0.75);
      expect(await brokenPromises(bed, erp.ledger)).toEqual([]);
      expect(bed.sandbox.control.brokenRules().filter(({ rule }) => rule === 'retry-after')).toEqual([]);
      const history = await historyOf(bed.database, witnesses);
      expect(history.filter(({ what }) => what === 'acknowledge').length).toBeGreaterThan(DOCUMENTS * 0.75);
      expect(refusedBy(SPECIFIED, history)).toEqual([]);
      const withoutIntents = history.filter(({ what }) => what !== 'intend');
      expect(refusedBy(SPECIFIED, withoutIntents).length).toBeGreaterThan(DOCUMENTS / 2);
      expect(kills).toBeGreaterThan(0);
      expect(diedAlone).toEqual([]);
      expect(memoryMax).toBeLessThan(600);
      if (survivor.mb.length >= FLAT_FROM) {
        const half = Math.floor(survivor.mb.length / 2);
        const [earlier, later] = [survivor.mb.slice(0, half), survivor.mb.slice(half)];
        expect(Math.max(...later), 'memory stays flat').toBeLessThan(Math.max(...earlier) * 1.15);
      }
    },
    TIMEOUT_MS + 60_000,
  );

  const acknowledged = async () => (await bed.states())['acknowledged'] ?? 0;
  /** State and reason → how many. */
  const others = async () => {
    const rows = await bed.database.prisma.posting.groupBy({
      by: ['state', 'reason'],
      where: { state: { not: 'acknowledged' } },
      _count: true,
    });
    return Object.fromEntries(rows.map((row) => [`${row.state} ${row.reason ?? ''}`, row._count]));
  };
});

function residentMb(pid: number | undefined): number {
  try {
    const pages = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1];
    return Math.round(Number(pages ?? 0) / 1024);
  } catch {
    return 0;
  }
}
