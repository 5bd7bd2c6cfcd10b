// One replica of the bridge: sweeps, postings, write-backs and unfinished runs, until it dies and is started again.
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import { workOffRuns } from '../../../src/operations/replay.js';
import { sweep } from '../../../src/pipeline/intake/sweep.js';
import { advancePosting } from '../../../src/pipeline/posting/advance-posting.js';
import { POST_TIMING } from '../../../src/pipeline/posting/post-stage.js';
import type { BreakerStore } from '../../../src/pipeline/records.js';
import { writeBack } from '../../../src/pipeline/writeback/write-back.js';
import { mortal, type Mortal } from './life.js';
import { maySweep, memoryBreakers, type Stage, takeDue } from './memory-breakers.js';
import { memoryIntakeStore } from './memory-intake-store.js';
import { memoryPostingStore } from './memory-posting-store.js';
import { operationsDeps } from './operations-deps.js';
import { CUT_OVER, tenantOf, type World } from './world.js';

const DIES_NOW_AND_THEN = { dies: 0.0008, stops: 0, stoppedMsMax: 0 };

export async function replica(world: World, name: string): Promise<void> {
  const { kernel } = world;
  for (let life = 1; life < 1_000; life++) {
    const owner = `${name}${life}`;
    const process = mortal(kernel, owner, DIES_NOW_AND_THEN, () => world.faulty);
    void work(world, owner, process);
    await process.buried;
    await kernel.sleep(kernel.between(1_000, 60_000));
  }
}

async function work(world: World, owner: string, { life, failPoints }: Mortal): Promise<void> {
  const { kernel, records } = world;
  const tenant = tenantOf(world, life);
  const runtime = {
    clock: { now: () => new Date(kernel.nowMs) },
    timers: { sleep: (ms: number) => kernel.sleep(ms) },
    random: { next: () => kernel.next(), uuid: () => `u${kernel.between(1, 1e9)}` },
  };
  const breakers = memoryBreakers(records, life);
  const store = memoryPostingStore(records, life);
  const stage = { runtime, store, breakers, failPoints, timing: POST_TIMING };
  const intake = { runtime, store: memoryIntakeStore(records, life), failPoints };
  /** Once everything heals, hours pass with little to do. */
  const pause = (low: number, high: number) => life.step(kernel.between(low, high) * (world.faulty ? 1 : 20));

  const sweeps = async () => {
    for (let round = 0; round < 2_000; round++) {
      await pause(30_000, 110_000);
      if (!maySweep(records)) continue;
      const sweepBoth = async () => {
        await sweep(intake, tenant, 'invoice', CUT_OVER);
        await sweep(intake, tenant, 'cost', CUT_OVER);
        await breakers.succeeded(tenant.name, 'source');
      };
      await sweepBoth().catch((error: unknown) => tellOfFailure(breakers, tenant.name, error));
    }
  };
  const advance = async (which: Stage, id: string) => {
    // A queue loses a wake-up now and then, and brings others twice.
    const times = world.faulty && kernel.chance(0.05) ? kernel.pick([0, 2]) : 1;
    for (let time = 0; time < times; time++) {
      const done = which === 'post' ? advancePosting : writeBack;
      void done(stage, tenant, id, owner).catch(() => undefined);
    }
  };
  const postings = async () => {
    for (let round = 0; round < 20_000; round++) {
      await life.step(kernel.between(200, 3_000));
      let handedOut = 0;
      for (const which of ['write-back', 'post'] as const) {
        for (const row of takeDue(records, which, 4)) {
          handedOut++;
          void advance(which, row.posting.id);
        }
      }
      if (handedOut === 0) await life.step(world.faulty ? 15_000 : 300_000);
    }
  };
  const deps = operationsDeps(world, life, owner);
  const runs = async () => {
    for (let round = 0; round < 2_000; round++) {
      await pause(10_000, 40_000);
      if (records.runs.some(({ state }) => state === 'running')) await workOffRuns(deps, owner);
    }
  };
  await Promise.all([sweeps(), postings(), postings(), runs()]);
}

/** As the worker does (worker/handlers.ts). */
async function tellOfFailure(breakers: BreakerStore, tenantName: string, error: unknown): Promise<void> {
  if (!(error instanceof CodedError)) return;
  const { disposition } = error.definition;
  if (disposition === 'pause-tenant') await breakers.refused(tenantName, 'source', error.message);
  else if (disposition !== 'stop') await breakers.failed(tenantName, 'source', error.message);
}
