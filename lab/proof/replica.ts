// One replica of the bridge: sweeps, turns, write-backs and unfinished runs of all its tenants, until it dies and is started again.
import type { TenantName } from '../../src/domain/ids.js';
import { CodedError, retryAfterMs } from '../../src/domain/errors/coded-error.js';
import { workOffRuns } from '../../src/operations/replay.js';
import { sweep } from '../../src/sync/intake.js';
import { beginReleases, beginSummaries, followPayments } from '../../src/sync/begin-follow-ups.js';
import type { BreakerStore } from '../../src/sync/posting-records.js';
import { InFlight } from '../../src/sync/in-flight.js';
import { Rounds, type Stage, STAGES, takeTurn, turnsOf } from '../../src/sync/turns.js';
import { type Bench, benchOf, JOBS, machineOf, PLACES, ROUND, TURNS_AT_ONCE } from './bench.js';
import type { Kernel } from './kernel.js';
import { mortal, type Mortal } from './life.js';
import { maySweep } from './memory-breakers.js';
import { memoryTurns } from './memory-dispatch.js';
import { memoryOriginals } from './memory-originals.js';
import type { MemoryQueues } from './memory-queues.js';
import type { Crowd } from './neighbour.js';
import { carryOutgoing } from './outgoing/carry.js';
import { keepOriginals, memoryVault } from './originals.js';
import { CUT_OVER, type World } from './world.js';

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
