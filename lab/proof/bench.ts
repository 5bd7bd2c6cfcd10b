// What one process of a simulated bridge has at hand for one of its tenants.
import { advanceClaimed, type Claimed } from '../../src/sync/advance.js';
import { leaseMsOf, POST_TIMING } from '../../src/sync/work.js';
import type { Turn } from '../../src/sync/turns.js';
import type { Life, Mortal } from './life.js';
import { memoryBreakers } from './memory-breakers.js';
import { pickDue } from './memory-dispatch.js';
import { memoryIntakeStore } from './memory-intake-store.js';
import { memoryPaymentStore } from './memory-payment-store.js';
import { memoryPostingStore, takeUp } from './memory-posting-store.js';
import { memoryReleaseStore } from './memory-release-store.js';
import { memorySummaryStore } from './memory-summary-store.js';
import type { Crowd } from './neighbour.js';
import { operationsDeps } from './operations-deps.js';
import { tokensOf } from './signed-in.js';
import { tenantOf, type World } from './world.js';

const CLOCK_OFF_MS_MAX = 5 * 60_000;
/** A process hears of an edited file by itself, or looks again after ten seconds. */
const FILE_LAG_MS_MAX = 15_000;

/** Documents of a round, and at least so many of each tenant. */
export const ROUND = { round: 8, turnMin: 2 };
/** Documents of a job at least: each turn is one, or those of several tenants go together. */
export const JOBS = [1, ROUND.round / 2];
/** Documents that one process works on at once, and turns that it takes at once at each stage. */
export const PLACES = 4;
export const TURNS_AT_ONCE = 1;
/** Two rounds, and what every process has taken up before: the bound of docs/explanation/how-it-works.md. */
const OVERTAKEN_MAX = 2 * ROUND.round + 4 * TURNS_AT_ONCE * (ROUND.round / 2);

export type Bench = ReturnType<typeof benchOf>;

/** A claimed document: what is done with it is told apart from what others of its process do. */
export interface ClaimOfJob extends Claimed {
  readonly job: Life;
}

/** Of a process, over all its tenants. Its machine's clock is minutes off; only the database's counts between processes. */
export function machineOf({ kernel }: World) {
  const offMs = kernel.between('how far its clock is off', -CLOCK_OFF_MS_MAX, CLOCK_OFF_MS_MAX);
  const runtime = {
    clock: { now: () => new Date(kernel.nowMs + offMs) },
    timers: { sleep: (ms: number) => kernel.sleep(ms) },
    random: {
      next: () => kernel.next('a wait is so long', 0.5),
      uuid: () => `u${kernel.between('an id', 1, 1e9)}`,
    },
  };
  return { runtime, lagMs: kernel.between('how soon it reads an edited file', 0, FILE_LAG_MS_MAX) };
}

export function benchOf(
  world: World,
  owner: string,
  { life, failPoints }: Mortal,
  { runtime, lagMs }: ReturnType<typeof machineOf>,
  crowd: Crowd,
) {
  const { records, kernel } = world;
  const { grant } = world.service;
  const tokens = grant
    ? tokensOf(records, grant, life, { runtime, isFaulty: () => world.phase.isFaulty })
    : undefined;
  const machine = { lagMs, tokens };
  const breakers = memoryBreakers(records, life);
  const store = memoryPostingStore(records, life);
  const stage = { runtime, breakers, failPoints, store, timing: POST_TIMING };
  return {
    world,
    life,
    stage,
    breakers,
    /** As its file was when the work began. */
    tenant: () => tenantOf(world, life, machine),
    // A list of more than a page is a long one here.
    intake: { runtime, store: memoryIntakeStore(records, life), failPoints, batch: world.service.pageSize },
    payments: { runtime, store: memoryPaymentStore(records, life), failPoints },
    releases: { runtime, store: memoryReleaseStore(records, life) },
    summaries: { store: memorySummaryStore(records, life) },
    deps: operationsDeps(world, life, owner, machine),
    claim: async (turn: Turn, most: number): Promise<readonly ClaimOfJob[]> => {
      const askedAtMs = records.flaws.tellsLate ? Infinity : runtime.clock.now().getTime();
      await life.step(kernel.between('a claim takes', 1, 4));
      const leaseMs = leaseMsOf(stage, tenantOf(world, life, machine));
      const claims = pickDue(records, turn, most).map((row) => {
        const job = { ...life, worker: kernel.history.newWorker(owner) };
        crowd.begin(world, turn.stage, row, OVERTAKEN_MAX);
        takeUp(records, row, leaseMs, job.worker);
        return { claim: records.toClaim(row), askedAtMs, job };
      });
      await life.step(1);
      return claims;
    },
    carry: async ({ job, ...claimed }: ClaimOfJob): Promise<void> => {
      const work = { ...stage, store: memoryPostingStore(records, job) };
      await advanceClaimed(work, tenantOf(world, job, machine), claimed).catch(() => undefined);
    },
    /** Once everything heals, hours pass with little to do. */
    pause: (low: number, high: number) =>
      life.step(kernel.between('a pause', low, high) * (world.phase.isBusy ? 1 : 20)),
  };
}
