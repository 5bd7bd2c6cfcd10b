// One simulated run: a service with documents, a ledger, one to four replicas of the bridge that crash, sleep and come back, people who
// edit and reopen, operators who act, and sides that are down for minutes. A phase with faults, then a healing phase without; then
// the promises are checked.
import { isHeldByOperator } from '../../src/domain/posting.js';
import { createHash } from 'node:crypto';
import { cancellers } from './cancellers.js';
import { type Chance, SeededChance } from './chance.js';
import { Kernel } from './kernel.js';
import { MemoryRecords, type StoreFlaws } from './memory-records.js';
import { bookkeepers, operators, pausers, tidyUp } from './operators.js';
import { MemoryQueues } from './memory-dispatch.js';
import { type Outage, beginOutage, someOutage } from './outages.js';
import { Crowd, comeInCrowds, CROWDED_MS, neighbourOf } from './neighbour.js';
import {
  consenters,
  editors,
  garblers,
  handOver,
  mixUpCredentials,
  payers,
  reloaders,
  reopeners,
  swapLate,
} from './people.js';
import { seeToAll } from './outgoing/clerks.js';
import { type OutgoingFlaws, type OutgoingSide, outgoingSide } from './outgoing/outgoing-side.js';
import { tidyDesk } from './outgoing/desk-people.js';
import { beginOutgoing } from './outgoing/begin-outgoing.js';
import { replica } from './replica.js';
import { type ErpFlaws, type ErpKind, SimulatedLedger } from './simulated-ledger.js';
import { consent, newGrant } from './signed-in.js';
import { SimulatedService, type SourceFlaws } from './simulated-source.js';
import { strangerOf } from './stranger.js';
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
  /** A second tenant on the same bridge, which comes in crowds. */
  readonly neighbour?: boolean;
  /**
   * Records of the source become unreadable, the database refuses the numbers of some entries, and answers of commits are lost on their
   * way.
   */
  readonly brittle?: boolean;
  /** Now and then the credentials of another company are in the tenant file. */
  readonly mixesUp?: boolean;
  /** People cancel invoices, most with a credit note. */
  readonly cancels?: boolean;
  /** The source wants tokens, which expire and rotate. */
  readonly signsIn?: boolean;
  /** Income is released in the month of its delivery. */
  readonly spreads?: boolean;
  /** The documents of a day are one journal. */
  readonly summarises?: boolean;
  /** What goes into the service: how many records, items and invoices of an ERP, and which guard is taken away. Left out: nothing does. */
  readonly outgoing?: OutgoingFlaws & {
    readonly records?: number;
    readonly items?: number;
    readonly shared?: number;
    readonly posted?: number;
    readonly invoiced?: number;
  };
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
  readonly outgoing?: OutgoingSide;
  readonly stranger?: SimulatedService;
  /** The second tenant's side of it. */
  readonly neighbour?: Run;
  readonly digest: string;
}

/** Until everything rests, and at most so long. */
const HEALING_MS = { first: 9 * 60 * MINUTE_MS, then: 4 * 60 * MINUTE_MS, most: 40 * 60 * MINUTE_MS };
const EVENTS_MAX = 100_000;

/** It did not come to rest: with a guard taken away, two processes may undo each other's work for ever. */
export class EndlessRun extends Error {}

export async function simulate(options: RunOptions): Promise<Run> {
  const kernel = new Kernel(options.chance ?? new SeededChance(options.seed));
  const world = worldFor(kernel, options);
  const { records, service, ledger, phase } = world;
  const crowd = new Crowd();
  const neighbour = options.neighbour
    ? neighbourOf(world, options.store ?? {}, options.erpFlaws ?? {})
    : undefined;
  const worlds = [world, ...(neighbour ? [neighbour] : [])];
  const outages = populate(world, options.documents ?? 24);
  if (options.brittle) void garblers(world);
  if (world.stranger) void mixUpCredentials(world, world.stranger);
  if (options.cancels) void cancellers(world);
  if (world.outgoing) beginOutgoing(world, world.outgoing, options.outgoing ?? {});
  startBridge(kernel, worlds, crowd);
  const run = async (forMs: number, name: string) => {
    if (!(await kernel.runUntil(kernel.nowMs + forMs, EVENTS_MAX)))
      throw new EndlessRun(`too many events while ${name}`);
  };
  if (neighbour) void handOver(neighbour, NEIGHBOURLY, 'other');
  if (options.secondBridge) startSecondBridge(world, options.store ?? {});
  if (options.restored) void restoreFromBackup(world);
  await run(FAULTS_MS, 'faulty');
  phase.isFaulty = phase.isBusy = false;
  for (const one of worlds) one.service.faulty = one.ledger.faulty = one.records.losesAnswers = false;
  if (world.stranger) world.stranger.service.faulty = false;
  for (const shelf of world.outgoing?.shelves ?? []) shelf.faulty = false;
  if (world.outgoing?.desk) tidyDesk(world.outgoing.desk);
  kernel.note('healing');
  if (options.nightMs !== undefined) {
    void beginOutage(kernel, 'erp', ledger, { afterMs: 0, forMs: options.nightMs, how: 'away' });
    await run(options.nightMs, 'down for a night');
  }
  void tidyUp(world);
  if (world.outgoing) void seeToAll(world, world.outgoing);
  void swapLate(world);
  if (neighbour) {
    phase.isBusy = true;
    void comeInCrowds(world, neighbour, crowd);
    await run(CROWDED_MS, 'crowded');
    phase.isBusy = false;
  }
  await run(HEALING_MS.first, 'healing');
  for (let ms = HEALING_MS.first; ms < HEALING_MS.most && !worlds.every(isAtRest); ms += HEALING_MS.then)
    await run(HEALING_MS.then, 'healing');
  // What was parked at the end of the table of waits is seen by another full sweep.
  if (options.brittle) await run(HEALING_MS.then, 'healing');
  const digest = createHash('sha256').update(kernel.trace.join('\n')).digest('hex');
  const end = { kernel, outages, digest };
  const { outgoing } = world;
  return {
    ...{ records, service, ledger, ...end },
    ...(outgoing ? { outgoing } : {}),
    ...(world.stranger ? { stranger: world.stranger.service } : {}),
    ...(neighbour ? { neighbour: { ...end, outages: [], ...pick(neighbour) } } : {}),
  };
}

function pick({ records, service, ledger }: World) {
  return { records, service, ledger };
}

/** Documents of the second tenant while anything may go wrong. */
const NEIGHBOURLY = 6;

function worldFor(kernel: Kernel, options: RunOptions): World {
  const records = new MemoryRecords(kernel, options.store ?? {});
  const service = new SimulatedService(kernel, options.source ?? {});
  const ledger = new SimulatedLedger(kernel, options.erp, records, options.erpFlaws ?? {});
  records.carries = options.carries ?? 'nothing';
  records.spreads = options.spreads ?? false;
  records.summarises = options.summarises ?? false;
  records.refusesNumbers = records.losesAnswers = options.brittle ?? false;
  if (options.signsIn) consent(records, (service.grant = newGrant(kernel)));
  return {
    ...{ kernel, records, service, ledger, phase: { isFaulty: true, isBusy: true } },
    isGentle: options.restored === true || options.secondBridge === true,
    ...{ files: new Map(), processes: new Set(), file: { editedAt: [] } },
    ...(options.mixesUp ? { stranger: strangerOf(kernel) } : {}),
    ...(options.outgoing ? { outgoing: outgoingSide(kernel, service, options.outgoing) } : {}),
  };
}

/** Nothing of it is due any more: what else would happen in it, a sweep of the first hours has shown. */
function isAtRest({ records, kernel, outgoing }: World): boolean {
  const isOver = ({ dueAt, leaseUntil }: { dueAt: number | null; leaseUntil: number }) =>
    dueAt === null && leaseUntil < kernel.nowMs;
  // What waits for another document is looked at for days, and everybody sees why.
  const rows = [...records.rows.values()].filter(({ posting }) => posting.state !== 'deferred');
  // So is what waits for its customer.
  const submissions = [...(outgoing?.records.rows.values() ?? [])].filter(
    ({ record }) => record.state !== 'held',
  );
  return [...rows, ...records.originals.values(), ...submissions].every(isOver);
}

function startSecondBridge(world: World, flaws: StoreFlaws): void {
  const { kernel } = world;
  const second = { ...world, records: new MemoryRecords(kernel, flaws) };
  second.records.summarises = world.records.summarises;
  startReplicas(kernel, [second], new Crowd(), ['c', 'd']);
}

/** A backup is taken, work goes on, and the disk is lost. Whoever restores stops everything first, and says so afterwards. */
async function restoreFromBackup({ kernel, records, ledger, processes, outgoing }: World): Promise<void> {
  await kernel.sleep(kernel.between('when the backup is made', 20, 50) * MINUTE_MS);
  const backup = records.backUp();
  const submissions = outgoing?.records.backUp();
  await kernel.sleep(kernel.between('how soon the disk is lost', 1, 20) * MINUTE_MS);
  for (const process of processes) process.kill();
  records.restore(backup);
  if (submissions) outgoing?.records.restore(submissions);
  ledger.held.clear();
  for (const { posting } of records.rows.values()) if (isHeldByOperator(posting)) ledger.held.add(posting.id);
  kernel.note('the database is restored from a backup');
}

function populate(world: World, documents: number): readonly Outage[] {
  const { kernel, service, ledger } = world;
  const outages: Outage[] = [];
  const keep = (outage: Outage) => outages.push(outage);
  service.reconsiders = kernel.chance('the service reconsiders', 0.5);
  void beginOutage(kernel, 'source', service, someOutage(kernel)).then(keep);
  void beginOutage(kernel, 'erp', ledger, someOutage(kernel)).then(keep);
  void handOver(world, documents);
  for (const habit of [editors, payers, reopeners, reloaders, consenters, operators, pausers, bookkeepers])
    void habit(world);
  return outages;
}

function startBridge(kernel: Kernel, worlds: readonly World[], crowd: Crowd): void {
  startReplicas(
    kernel,
    worlds,
    crowd,
    ['a', 'b', 'e', 'f'].slice(0, kernel.between('how many replicas', 1, 4)),
  );
}

function startReplicas(
  kernel: Kernel,
  worlds: readonly World[],
  crowd: Crowd,
  names: readonly string[],
): void {
  const queues = new MemoryQueues(kernel, () => worlds.some(({ phase }) => phase.isFaulty));
  for (const name of names) void replica({ kernel, worlds, queues, crowd }, name);
}
