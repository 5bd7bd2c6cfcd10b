// One replica of the bridge: sweeps, turns, write-backs and unfinished runs of all its tenants, until it dies and is started again.
import type { TenantName } from '../../src/domain/ids.js';
import { CodedError, retryAfterMs } from '../../src/domain/errors/coded-error.js';
import { workOffRuns } from '../../src/operations/replay.js';
import { sweep } from '../../src/sync/intake.js';
import { beginReleases, beginSummaries, followPayments } from '../../src/sync/begin-follow-ups.js';
import type { BreakerStore } from '../../src/sync/posting-records.js';
import { InFlight } from '../../src/sync/in-flight.js';
import { Rounds, type Stage, STAGES, takeTurn, turnsOf, type Turn } from '../../src/sync/turns.js';
import type { Kernel } from './kernel.js';
import { mortal, type Mortal, type Life } from './life.js';
import { maySweep, memoryBreakers, memoryTurns, pickDue, type MemoryQueues } from './memory-dispatch.js';
import { memoryOriginals } from './memory-originals.js';
import type { Crowd } from './neighbour.js';
import { carryOutgoing } from './outgoing/carry.js';
import { keepOriginals, memoryVault } from './originals.js';
import { CUT_OVER, type World, tenantOf } from './world.js';
import { advanceClaimed, type Claimed } from '../../src/sync/advance.js';
import { leaseMsOf, POST_TIMING } from '../../src/sync/work.js';
import { memoryIntakeStore } from './memory-intake-store.js';
import { memoryPaymentStore, memoryReleaseStore } from './memory-release-store.js';
import { memoryPostingStore, takeUp } from './memory-posting-store.js';
import { memorySummaryStore } from './memory-summary-store.js';
import { operationsDeps } from './operations-deps.js';
import { tokensOf } from './signed-in.js';

/** Processes on one database and one set of queues, for all tenants. */
export interface Bridge {
  readonly kernel: Kernel;
  /** One for each tenant. */
  readonly worlds: readonly World[];
  readonly queues: MemoryQueues;
  readonly crowd: Crowd;
}

/** Daily in the world; here the people hurry too, and less so when all is well. */
const FOLLOW_UP_EVERY_MS = { faulty: 600_000, healing: 2 * 3_600_000 };
const DIES_NOW_AND_THEN = { dies: 0.0008, stops: 0, stoppedMsMax: 0 };
const LEAD_MS = 4_000;

export async function replica(bridge: Bridge, name: string): Promise<void> {
  const { kernel, worlds } = bridge;
  const [first] = worlds;
  if (!first) return;
  for (let life = 1; life < 1_000; life++) {
    const owner = `${name}${life}`;
    const process = mortal(kernel, owner, DIES_NOW_AND_THEN, () => first.phase.isFaulty);
    first.processes.add(process);
    void work(bridge, owner, process);
    await process.buried;
    first.processes.delete(process);
    await kernel.sleep(kernel.between('how soon it is started again', 1_000, 60_000));
  }
}

async function work(bridge: Bridge, owner: string, process: Mortal): Promise<void> {
  const [first] = bridge.worlds;
  if (!first) return;
  const machine = machineOf(first);
  const benches = bridge.worlds.map((world) => benchOf(world, owner, process, machine, bridge.crowd));
  const inFlight = new InFlight({ places: PLACES, timers: machine.runtime.timers });
  const turns = Array.from({ length: TURNS_AT_ONCE }, () =>
    STAGES.map((stage) => takeTurns(bridge, benches, { process, stage, inFlight })),
  );
  await Promise.all([
    handOut(bridge, owner, process),
    ...turns.flat(),
    ...benches.flatMap((bench) => [sweeps(bench), runs(bench, owner), originals(bench)]),
    ...bridge.worlds.flatMap((world) =>
      world.outgoing
        ? [carryOutgoing({ world, side: world.outgoing, owner, process, runtime: machine.runtime })]
        : [],
    ),
  ]);
}

/** Whoever leads hands out turns to all tenants. */
async function handOut({ kernel, worlds, queues }: Bridge, owner: string, { life }: Mortal): Promise<void> {
  const records = worlds.map((world) => world.records);
  const turns = memoryTurns(kernel, records, life);
  const options = {
    ...ROUND,
    jobMin: kernel.pick('documents of a job', JOBS),
    tenants: () => records.map(({ company }) => company.name),
    nowMs: () => kernel.nowMs,
  };
  const rounds = STAGES.map((stage) => new Rounds(turns, queues, options, stage));
  for (let look = 0; look < 20_000; look++) {
    await life.step(kernel.between('how soon it looks', 200, 3_000));
    let handedOut = 0;
    if (queues.lead(owner, LEAD_MS)) for (const round of rounds) handedOut += await round.next();
    if (handedOut === 0) await life.step(worlds.some(({ phase }) => phase.isBusy) ? 8_000 : 300_000);
  }
}

interface Hand {
  readonly process: Mortal;
  readonly stage: Stage;
  readonly inFlight: InFlight;
}

async function takeTurns({ kernel, queues }: Bridge, benches: readonly Bench[], hand: Hand): Promise<void> {
  const { process, stage, inFlight } = hand;
  for (let taken = 0; taken < 20_000; taken++) {
    const turns = turnsOf(stage, await queues.take(stage, process));
    await process.life.step(kernel.between('a wake-up takes', 1, 20));
    const taking = turns.map(async (turn) => {
      const { tenantName: tenant, share } = turn;
      const bench = benches.find(({ world }) => world.records.company.name === tenant);
      if (!bench) return;
      const claim = (most: number) => bench.claim(turn, most);
      await takeTurn({ inFlight, tenant, claim, carry: bench.carry }, share);
    });
    await Promise.all(taking);
  }
}

async function originals({ world, stage, tenant, life, pause }: Bench): Promise<void> {
  const { records } = world;
  if (records.carries === 'nothing') return;
  const { runtime, failPoints, timing } = stage;
  const vault = memoryVault(world.files, life);
  const keeping = { runtime, failPoints, timing, vault, records: memoryOriginals(records, life) };
  await keepOriginals(records, keeping, tenant(), () => pause(1_000, 5_000));
}

async function sweeps(bench: Bench): Promise<void> {
  const { world, breakers, pause } = bench;
  for (let round = 0; round < 2_000; round++) {
    await pause(30_000, 110_000);
    if (!maySweep(world.records)) continue;
    const { name } = world.records.company;
    await sweepOnce(bench).catch((error: unknown) => tellOfFailure(breakers, name, error));
  }
}

/** As the worker does (worker/handlers.ts). */
async function sweepOnce({
  world,
  intake,
  payments,
  releases,
  summaries,
  tenant,
  breakers,
}: Bench): Promise<void> {
  const now = tenant();
  await sweep(intake, now, 'invoice', CUT_OVER);
  await sweep(intake, now, 'cost', CUT_OVER);
  if (world.records.spreads) await beginReleases(releases, now);
  if (world.records.summarises) await beginSummaries(summaries, now);
  await followPayments(payments, now, FOLLOW_UP_EVERY_MS[world.phase.isFaulty ? 'faulty' : 'healing']);
  await breakers.succeeded(now.name, 'source');
}

async function runs({ world, deps, pause }: Bench, owner: string): Promise<void> {
  for (let round = 0; round < 2_000; round++) {
    await pause(10_000, 40_000);
    if (world.records.runs.some(({ state }) => state === 'running')) await workOffRuns(deps, owner);
  }
}

/** As the worker does (worker/handlers.ts). */
async function tellOfFailure(breakers: BreakerStore, tenantName: TenantName, error: unknown): Promise<void> {
  if (!(error instanceof CodedError)) return;
  const { disposition } = error.definition;
  if (disposition === 'pause-tenant') await breakers.refused(tenantName, 'source', error.message);
  else if (disposition !== 'stop')
    await breakers.failed(tenantName, 'source', error.message, retryAfterMs(error));
}

// What one process of a simulated bridge has at hand for one of its tenants.

const CLOCK_OFF_MS_MAX = 5 * 60_000;
/** A process hears of an edited file by itself, or looks again after ten seconds. */
const FILE_LAG_MS_MAX = 15_000;

/** Documents of a round, and at least so many of each tenant. */
const ROUND = { round: 8, turnMin: 2 };
/** Documents of a job at least: each turn is one, or those of several tenants go together. */
const JOBS = [1, ROUND.round / 2];
/** Documents that one process works on at once, and turns that it takes at once at each stage. */
const PLACES = 4;
const TURNS_AT_ONCE = 1;
/** Two rounds, and what every process has taken up before: the bound of docs/explanation/how-it-works.md. */
const OVERTAKEN_MAX = 2 * ROUND.round + 4 * TURNS_AT_ONCE * (ROUND.round / 2);

type Bench = ReturnType<typeof benchOf>;

/** A claimed document: what is done with it is told apart from what others of its process do. */
interface ClaimOfJob extends Claimed {
  readonly job: Life;
}

/** Of a process, over all its tenants. Its machine's clock is minutes off; only the database's counts between processes. */
function machineOf({ kernel }: World) {
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

function benchOf(
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
