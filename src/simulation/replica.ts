// One replica of the bridge: sweeps, postings, write-backs and unfinished runs, until it dies and is started again.
import { CodedError } from '../domain/errors/coded-error.js';
import { workOffRuns } from '../operations/replay.js';
import { sweep } from '../pipeline/intake/sweep.js';
import { followPayments } from '../pipeline/payments/follow-up.js';
import { beginReleases } from '../pipeline/releases/begin-releases.js';
import { beginSummaries } from '../pipeline/summaries/begin-summaries.js';
import { advancePosting } from '../pipeline/posting/advance-posting.js';
import { POST_TIMING } from '../pipeline/posting/post-stage.js';
import type { BreakerStore } from '../pipeline/records.js';
import { mortal, type Mortal } from './life.js';
import { maySweep, memoryBreakers, takeDue } from './memory-breakers.js';
import { memoryIntakeStore } from './memory-intake-store.js';
import { memoryOriginals } from './memory-originals.js';
import { memoryPaymentStore } from './memory-payment-store.js';
import { memoryReleaseStore } from './memory-release-store.js';
import { memoryPostingStore } from './memory-posting-store.js';
import type { PostingRow } from './memory-records.js';
import { memorySummaryStore } from './memory-summary-store.js';
import { operationsDeps } from './operations-deps.js';
import { keepOriginals, memoryVault } from './originals.js';
import { CUT_OVER, tenantOf, type World } from './world.js';

/** Daily in the world; here the people hurry too, and less so when all is well. */
const FOLLOW_UP_EVERY_MS = { faulty: 600_000, healing: 2 * 3_600_000 };

const CLOCK_OFF_MS_MAX = 5 * 60_000;
const DIES_NOW_AND_THEN = { dies: 0.0008, stops: 0, stoppedMsMax: 0 };

export async function replica(world: World, name: string): Promise<void> {
  const { kernel } = world;
  for (let life = 1; life < 1_000; life++) {
    const owner = `${name}${life}`;
    const process = mortal(kernel, owner, DIES_NOW_AND_THEN, () => world.faulty);
    world.processes.add(process);
    void work(world, owner, process);
    await process.buried;
    world.processes.delete(process);
    await kernel.sleep(kernel.between('how soon it is started again', 1_000, 60_000));
  }
}

/** What one process has at hand while it lives. */
type Workshop = ReturnType<typeof workshopOf>;

function workshopOf(world: World, owner: string, { life, failPoints }: Mortal) {
  const { kernel, records } = world;
  // Its machine's clock is minutes off; only the database's counts between processes.
  const offMs = kernel.between('how far its clock is off', -CLOCK_OFF_MS_MAX, CLOCK_OFF_MS_MAX);
  const runtime = {
    clock: { now: () => new Date(kernel.nowMs + offMs) },
    timers: { sleep: (ms: number) => kernel.sleep(ms) },
    random: {
      next: () => kernel.next('a wait is so long', 0.5),
      uuid: () => `u${kernel.between('an id', 1, 1e9)}`,
    },
  };
  const breakers = memoryBreakers(records, life);
  return {
    world,
    owner,
    life,
    tenant: tenantOf(world, life),
    breakers,
    stage: { runtime, breakers, failPoints, timing: POST_TIMING },
    intake: { runtime, store: memoryIntakeStore(records, life), failPoints },
    payments: { runtime, store: memoryPaymentStore(records, life), failPoints },
    releases: { runtime, store: memoryReleaseStore(records, life) },
    summaries: { store: memorySummaryStore(records, life) },
    deps: operationsDeps(world, life, owner),
    /** Once everything heals, hours pass with little to do. */
    pause: (low: number, high: number) =>
      life.step(kernel.between('a pause', low, high) * (world.faulty ? 1 : 20)),
  };
}

async function work(world: World, owner: string, process: Mortal): Promise<void> {
  const shop = workshopOf(world, owner, process);
  await Promise.all([sweeps(shop), postings(shop), postings(shop), runs(shop), originals(shop)]);
}

async function originals({ world, stage, tenant, life, pause }: Workshop): Promise<void> {
  const { records } = world;
  if (records.carries === 'nothing') return;
  const { runtime, failPoints, timing } = stage;
  const vault = memoryVault(world.files, life);
  const keeping = { runtime, failPoints, timing, vault, records: memoryOriginals(records, life) };
  await keepOriginals(records, keeping, tenant, () => pause(1_000, 5_000));
}

async function sweeps({
  world,
  intake,
  payments,
  releases,
  summaries,
  tenant,
  breakers,
  pause,
}: Workshop): Promise<void> {
  for (let round = 0; round < 2_000; round++) {
    await pause(30_000, 110_000);
    if (!maySweep(world.records)) continue;
    const sweepBoth = async () => {
      await sweep(intake, tenant, 'invoice', CUT_OVER);
      await sweep(intake, tenant, 'cost', CUT_OVER);
      if (world.records.spreads) await beginReleases(releases, tenant);
      if (world.records.summarises) await beginSummaries(summaries, tenant);
      await followPayments(payments, tenant, FOLLOW_UP_EVERY_MS[world.faulty ? 'faulty' : 'healing']);
      await breakers.succeeded(tenant.name, 'source');
    };
    await sweepBoth().catch((error: unknown) => tellOfFailure(breakers, tenant.name, error));
  }
}

async function postings(shop: Workshop): Promise<void> {
  const { world, life } = shop;
  for (let round = 0; round < 20_000; round++) {
    await life.step(world.kernel.between('how soon it looks', 200, 3_000));
    const writeBacks = takeDue(world.records, 'write-back', 4);
    for (const row of writeBacks) wake(shop, row);
    const toPost = takeDue(world.records, 'post', 4);
    for (const row of toPost) wake(shop, row);
    if (writeBacks.length + toPost.length === 0) await life.step(world.faulty ? 15_000 : 300_000);
  }
}

/** A queue loses a wake-up now and then, and brings others twice. */
function wake({ world, stage, life, owner }: Workshop, { posting }: PostingRow): void {
  const { kernel, faulty, records } = world;
  const times =
    faulty && kernel.chance('a wake-up goes astray', 0.05) ? kernel.pick('lost or twice', [0, 2]) : 1;
  for (let time = 0; time < times; time++) {
    // A claim of its own: what it does is told apart from what others of its process do.
    const job = { ...life, worker: kernel.history.newWorker(owner) };
    const work = { ...stage, store: memoryPostingStore(records, job) };
    void advancePosting(work, tenantOf(world, job), posting.id, owner).catch(() => undefined);
  }
}

async function runs({ world, deps, owner, pause }: Workshop): Promise<void> {
  for (let round = 0; round < 2_000; round++) {
    await pause(10_000, 40_000);
    if (world.records.runs.some(({ state }) => state === 'running')) await workOffRuns(deps, owner);
  }
}

/** As the worker does (worker/handlers.ts). */
async function tellOfFailure(breakers: BreakerStore, tenantName: string, error: unknown): Promise<void> {
  if (!(error instanceof CodedError)) return;
  const { disposition } = error.definition;
  if (disposition === 'pause-tenant') await breakers.refused(tenantName, 'source', error.message);
  else if (disposition !== 'stop') await breakers.failed(tenantName, 'source', error.message);
}
