// One simulated run: a service with documents, a ledger, one to four replicas of the bridge that crash, sleep and come back, people who
// edit and reopen, operators who act, and sides that are down for minutes. A phase with faults, then a healing phase without; then
// the promises are checked.
import { isHeldByOperator } from '../domain/posting.js';
import { createHash } from 'node:crypto';
import { type Chance, SeededChance } from './chance.js';
import { Kernel } from './kernel.js';
import { MemoryRecords, type StoreFlaws } from './memory-records.js';
import { bookkeepers, operators, pausers, tidyUp } from './operators.js';
import { type Outage, outageOf, someOutage } from './outages.js';
import { editors, handOver, payers, reopeners, swapLate } from './people.js';
import { replica } from './replica.js';
import { type ErpFlaws, type ErpKind, SimulatedLedger } from './simulated-ledger.js';
import { SimulatedService, type SourceFlaws } from './simulated-source.js';
import { FAULTS_MS, MINUTE_MS, type World } from './world.js';

export interface RunOptions {
  readonly seed: number;
  /** What decides instead of the seed. */
  readonly chance?: Chance;
  readonly erp: ErpKind;
  readonly documents?: number;
  /** The ERP is down for this long once the other faults are over. */
  readonly nightMs?: number;
  /** Half-way, all processes are stopped and the database is put back to what it was a while ago. */
  readonly restored?: boolean;
  /** Another bridge, with a database of its own, on the same account and books. */
  readonly secondBridge?: boolean;
  /** Originals are carried to their entries; or the source is told only when they are there. */
  readonly carries?: 'originals' | 'originals-first';
  /** Income is released in the month of its delivery. */
  readonly spreads?: boolean;
  /** The documents of a day are one journal. */
  readonly summarises?: boolean;
  readonly store?: StoreFlaws;
  readonly source?: SourceFlaws;
  readonly erpFlaws?: ErpFlaws;
}

export interface Run {
  readonly kernel: Kernel;
  readonly records: MemoryRecords;
  readonly service: SimulatedService;
  readonly ledger: SimulatedLedger;
  readonly outages: readonly Outage[];
  readonly digest: string;
}

const HEALING_MS = 40 * 60 * MINUTE_MS;
const EVENTS_MAX = 400_000;

/** It did not come to rest: with a guard taken away, two processes may undo each other's work for ever. */
export class EndlessRun extends Error {}

export async function simulate(options: RunOptions): Promise<Run> {
  const kernel = new Kernel(options.chance ?? new SeededChance(options.seed));
  const records = new MemoryRecords(kernel, options.store ?? {});
  const service = new SimulatedService(kernel, options.source ?? {});
  const ledger = new SimulatedLedger(kernel, options.erp, records, options.erpFlaws ?? {});
  const isGentle = options.restored === true || options.secondBridge === true;
  records.carries = options.carries ?? 'nothing';
  records.spreads = options.spreads ?? false;
  records.summarises = options.summarises ?? false;
  const world: World = {
    ...{ kernel, records, service, ledger, faulty: true, isGentle },
    ...{ files: new Map(), processes: new Set() },
  };
  const outages = populate(world, options.documents ?? 24);
  const run = async (forMs: number, phase: string) => {
    if (!(await kernel.runUntil(kernel.nowMs + forMs, EVENTS_MAX)))
      throw new EndlessRun(`too many events while ${phase}`);
  };
  if (options.secondBridge) startSecondBridge(world, options.store ?? {});
  if (options.restored) void restoreFromBackup(world);
  await run(FAULTS_MS, 'faulty');
  world.faulty = service.faulty = ledger.faulty = false;
  kernel.note('healing');
  if (options.nightMs !== undefined) {
    void outageOf(kernel, 'erp', ledger, { afterMs: 0, forMs: options.nightMs, how: 'away' });
    await run(options.nightMs, 'down for a night');
  }
  void tidyUp(world);
  void swapLate(world);
  await run(HEALING_MS, 'healing');
  const digest = createHash('sha256').update(kernel.trace.join('\n')).digest('hex');
  return { kernel, records, service, ledger, outages, digest };
}

function startSecondBridge(world: World, flaws: StoreFlaws): void {
  const second = { ...world, records: new MemoryRecords(world.kernel, flaws) };
  second.records.summarises = world.records.summarises;
  for (const name of ['c', 'd']) void replica(second, name);
}

/** A backup is taken, work goes on, and the disk is lost. Whoever restores stops everything first, and says so afterwards. */
async function restoreFromBackup({ kernel, records, ledger, processes }: World): Promise<void> {
  await kernel.sleep(kernel.between('when the backup is made', 20, 50) * MINUTE_MS);
  const backup = records.backUp();
  await kernel.sleep(kernel.between('how soon the disk is lost', 1, 20) * MINUTE_MS);
  for (const process of processes) process.kill();
  records.restore(backup);
  ledger.held.clear();
  for (const { posting } of records.rows.values()) if (isHeldByOperator(posting)) ledger.held.add(posting.id);
  kernel.note('the database is restored from a backup');
}

function populate(world: World, documents: number): readonly Outage[] {
  const { kernel, service, ledger } = world;
  const outages: Outage[] = [];
  const keep = (outage: Outage) => outages.push(outage);
  service.reconsiders = kernel.chance('the service reconsiders', 0.5);
  void outageOf(kernel, 'source', service, someOutage(kernel)).then(keep);
  void outageOf(kernel, 'erp', ledger, someOutage(kernel)).then(keep);
  void handOver(world, documents);
  for (const habit of [editors, payers, reopeners, operators, pausers, bookkeepers]) void habit(world);
  const replicas = ['a', 'b', 'e', 'f'].slice(0, kernel.between('how many replicas', 1, 4));
  for (const name of replicas) void replica(world, name);
  return outages;
}
