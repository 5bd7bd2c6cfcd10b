// One simulated run: a service with documents, a ledger, two replicas of the bridge that crash, sleep and come back, and people
// who edit. A phase with faults, then a healing phase without; then the promises are checked.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse as parseYaml } from 'yaml';
import type { FailPoints } from '../../../src/pipeline/fail-points.js';
import { sweep } from '../../../src/pipeline/intake/sweep.js';
import { tenantRules } from '../../../src/pipeline/mapping/rules.js';
import { advancePosting } from '../../../src/pipeline/posting/advance-posting.js';
import { POST_TIMING } from '../../../src/pipeline/posting/post-stage.js';
import type { TenantContext } from '../../../src/pipeline/tenant-context.js';
import { writeBack } from '../../../src/pipeline/writeback/write-back.js';
import { Kernel } from './kernel.js';
import {
  memoryIntakeStore,
  memoryPostingStore,
  MemoryRecords,
  NO_BREAKERS,
  type Life,
  type StoreFlaws,
} from './memory-store.js';
import { type ErpFlaws, type ErpKind, simulatedErp, SimulatedLedger } from './simulated-erp.js';
import { echoing, SimulatedService, simulatedSource, type SourceFlaws } from './simulated-source.js';

const rulesFile = new URL('../../../config/rules/default.yaml', import.meta.url);
const RULES = tenantRules.parse(parseYaml(readFileSync(rulesFile, 'utf8')));

export interface RunOptions {
  readonly seed: number;
  readonly erp: ErpKind;
  readonly documents?: number;
  readonly people?: boolean;
  readonly store?: StoreFlaws;
  readonly source?: SourceFlaws;
  readonly erpFlaws?: ErpFlaws;
}

export interface Run {
  readonly kernel: Kernel;
  readonly records: MemoryRecords;
  readonly service: SimulatedService;
  readonly ledger: SimulatedLedger;
  readonly digest: string;
}

const MINUTE_MS = 60_000;
const FAULTS_MS = 90 * MINUTE_MS;
const HEALING_MS = 40 * 60 * MINUTE_MS;
const EVENTS_MAX = 400_000;
const WRITE_BACK_STATES = new Set(['posted', 'writing_back', 'skipped', 'rejected']);

/** It did not come to rest: with a guard taken away, two processes may undo each other's work for ever. */
export class EndlessRun extends Error {}

export async function simulate(options: RunOptions): Promise<Run> {
  const kernel = new Kernel(options.seed);
  const records = new MemoryRecords(kernel, options.store ?? {});
  const service = new SimulatedService(kernel, options.source ?? {});
  const ledger = new SimulatedLedger(kernel, options.erp, records, options.erpFlaws ?? {});
  const world = { kernel, records, service, ledger, faulty: true };
  void handOver(world, options.documents ?? 30);
  if (options.people !== false) void editors(world);
  for (const name of ['a', 'b']) void replica(world, name);
  const start = kernel.nowMs;
  if (!(await kernel.runUntil(start + FAULTS_MS, EVENTS_MAX))) throw new EndlessRun('too many events');
  world.faulty = service.faulty = ledger.faulty = false;
  kernel.note('healing');
  if (!(await kernel.runUntil(start + FAULTS_MS + HEALING_MS, EVENTS_MAX)))
    throw new EndlessRun('too many events while healing');
  const digest = createHash('sha256').update(kernel.trace.join('\n')).digest('hex');
  return { kernel, records, service, ledger, digest };
}

interface World {
  readonly kernel: Kernel;
  readonly records: MemoryRecords;
  readonly service: SimulatedService;
  readonly ledger: SimulatedLedger;
  faulty: boolean;
}

/** Documents appear over time, some backdated, some approved long after their date. */
async function handOver({ kernel, service }: World, count: number): Promise<void> {
  for (let number = 1; number <= count; number++) {
    await kernel.sleep(kernel.between(1_000, (FAULTS_MS * 0.8) / count));
    const net = kernel.between(1, 900) * 100;
    const contradicts = kernel.chance(0.04);
    const day = kernel.chance(0.2) ? '2026-01-15' : '2026-03-01';
    service.documents.set(`guid-${number}`, {
      guid: `guid-${number}`,
      kind: 'invoice',
      number: String(1000 + number),
      amount: contradicts ? net * 3 : net * 1.24,
      net,
      issueDate: day,
      accountingStatus: 'Created',
      status: kernel.chance(0.03) ? 'Cancelled' : 'Sent',
      deleted: false,
      edited: false,
    });
    kernel.note(`handed over ${1000 + number}`);
  }
}

/** People who edit and delete what has not been Posted. */
async function editors({ kernel, service }: World): Promise<void> {
  for (let acts = 0; acts < 6; acts++) {
    await kernel.sleep(kernel.between(2, 12) * MINUTE_MS);
    const open = service.created();
    if (open.length === 0) continue;
    const document = kernel.pick(open);
    if (kernel.chance(0.3)) document.deleted = true;
    else document.edited = true;
    kernel.note(`a person ${document.deleted ? 'deletes' : 'edits'} ${document.number}`);
  }
}

/** A process that works until it dies, and is started again. */
async function replica(world: World, name: string): Promise<void> {
  const { kernel } = world;
  for (let life = 1; life < 1_000; life++) {
    await liveOnce(world, `${name}${life}`);
    await kernel.sleep(kernel.between(1_000, 60_000));
  }
}

async function liveOnce(world: World, owner: string): Promise<void> {
  const { kernel, records } = world;
  const death = new AbortController();
  const buried = new Promise<void>((resolve) =>
    death.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  const isDead = () => death.signal.aborted;
  const forever = new Promise<never>(() => undefined);
  const die = () => {
    kernel.note(`${owner} dies`);
    death.abort();
    return forever;
  };
  const life: Life = {
    step: async (ms) => {
      if (isDead()) return forever;
      await kernel.sleep(ms);
      if (isDead()) return forever;
      if (world.faulty && kernel.chance(0.0008)) return die();
    },
  };
  const failPoints: FailPoints = {
    reach: async () => {
      if (isDead()) return forever;
      if (!world.faulty) return;
      if (kernel.chance(0.01)) return die();
      // A process that is stopped for minutes and goes on as if nothing had happened.
      if (kernel.chance(0.01)) await kernel.sleep(kernel.between(1_000, 200_000));
    },
  };
  void work(world, owner, life, failPoints, records);
  await buried;
}

async function work(
  world: World,
  owner: string,
  life: Life,
  failPoints: FailPoints,
  records: MemoryRecords,
): Promise<void> {
  const { kernel, service, ledger } = world;
  const source = simulatedSource(service, life);
  const tenant: TenantContext = {
    name: 'prufa',
    environment: 'production',
    sourceAccount: '4504013150',
    cutOver: '2026-01-01',
    rules: RULES,
    rulesVersion: 'v1',
    source: service.flaws.echoReadBack ? echoing(source) : source,
    erp: simulatedErp(ledger, life),
  };
  const runtime = {
    clock: { now: () => new Date(kernel.nowMs) },
    timers: { sleep: (ms: number) => kernel.sleep(ms) },
    random: { next: () => kernel.next(), uuid: () => `u${kernel.between(1, 1e9)}` },
  };
  const stage = {
    runtime,
    store: memoryPostingStore(records, life),
    breakers: NO_BREAKERS,
    failPoints,
    timing: POST_TIMING,
  };
  const intake = { runtime, store: memoryIntakeStore(records, life), failPoints };
  const sweeps = async () => {
    for (let round = 0; round < 2_000; round++) {
      // Once everything heals, hours pass with little to do.
      await life.step(kernel.between(20_000, 90_000) * (world.faulty ? 1 : 20));
      await sweep(intake, tenant, 'invoice', '2026-01-01').catch(() => undefined);
    }
  };
  const postings = async () => {
    for (let round = 0; round < 20_000; round++) {
      await life.step(kernel.between(200, 3_000));
      // The queue may hand the same posting to several; the lease decides.
      for (const row of records.due().slice(0, 4)) {
        const advance = WRITE_BACK_STATES.has(row.posting.state) ? writeBack : advancePosting;
        void advance(stage, tenant, row.posting.id, owner).catch(() => undefined);
      }
      if (records.due().length === 0) await life.step(world.faulty ? 15_000 : 300_000);
    }
  };
  await Promise.all([sweeps(), postings(), postings()]);
}
