// A small world of sweeps: a handful of costs that the bridge knows, and people who delete one and approve another long after its
// date. Two processes sweep in turn and may die or find the source away at any step; documents leave the list while it is read.
import type { Guid } from '../../../src/domain/ids.js';
import { NO_FAIL_POINTS } from '../../../src/sync/fail-points.js';
import { FULL_SWEEP_EVERY_MS, sweep } from '../../../src/sync/intake.js';
import type { SweepReport } from '../../../src/sync/intake-records.js';
import type { Life } from '../life.js';
import { memoryIntakeStore } from '../memory-intake-store.js';
import { MemoryRecords, type PostingRow, type StoreFlaws } from '../memory-records.js';
import { SimulatedLedger } from '../simulated-ledger.js';
import { type SimulatedDocument, SimulatedService } from '../simulated-source.js';
import { CUT_OVER, tenantAround } from '../world.js';
import { Actor, type Deed, type ExploredWorld } from './actor.js';
import { brokenByIntake, type Happening, openOf, type Noticed, TICK_MS } from './intake-promises.js';
import { exploredLists } from './network.js';
import { type Path, StillKernel } from './path.js';

export interface IntakeWorldOptions {
  /** Each happens once, at any moment. */
  readonly happens: readonly Happening[];
  readonly store?: StoreFlaws;
  /** The source counts what it was asked to count as none. */
  readonly countsNothing?: boolean;
}

const AGE_MS_MAX = 2 * FULL_SWEEP_EVERY_MS.least;
const PAGE = 2;

export class IntakeWorld implements ExploredWorld {
  readonly kernel = new StillKernel();
  readonly records: MemoryRecords;
  readonly service: SimulatedService;
  readonly ledger: SimulatedLedger;
  readonly noticed: Noticed = { happened: new Map(), halfDone: new Map(), completeFull: -Infinity };
  readonly #options: IntakeWorldOptions;
  readonly #path: Path;
  #actors: Actor[] = [];
  #processes = 0;
  #nextTick: number;

  constructor(options: IntakeWorldOptions, path: Path) {
    this.#options = options;
    this.#path = path;
    this.records = new MemoryRecords(this.kernel, options.store ?? {});
    this.service = new SimulatedService(this.kernel, {});
    this.ledger = new SimulatedLedger(this.kernel, 'look-up', this.records, {});
    this.service.faulty = this.ledger.faulty = false;
    this.service.pageSize = PAGE;
    this.#nextTick = this.kernel.nowMs + TICK_MS;
    this.#actors = [this.#start(), this.#start()];
  }

  /** All of it was swept once: one waits to be posted, the other is left to a person. */
  async prepare(): Promise<void> {
    for (const name of ['posted', 'deleted']) this.#handOver(name);
    await sweep(this.#stage(STILL), tenantAround(this, STILL), 'cost', CUT_OVER);
    park(this.records, this.#row('deleted'));
    this.noticed.completeFull = this.kernel.nowMs;
  }

  deeds(): Deed[] {
    const running = this.#actors.filter(({ isRunnable }) => isRunnable);
    const deeds = running.map((actor): Deed => ({ label: '', act: () => actor.go() }));
    const free = this.#actors.find(({ isFree }) => isFree);
    const happenings = this.#happenings();
    const isOver = happenings.length === 0 && this.#isQuiet() && running.length === 0;
    if (deeds.length === 0 && free && !isOver) deeds.push(this.#tick(free));
    return [...deeds, ...happenings, ...running.flatMap((one) => this.#misfortunes(one))];
  }

  unsafe(): string[] {
    return brokenByIntake(this.records, this.noticed, this.#path.faults, this.#happenings().length === 0);
  }

  unkept(): string[] {
    return this.unsafe();
  }

  state(): unknown {
    const { kernel, records, noticed } = this;
    const age = (moment: number) => Math.min(kernel.nowMs - moment, AGE_MS_MAX);
    const isBusy = this.#actors.some(({ job }) => job !== null);
    const rows = [...records.rows.values()].map(({ posting, sourceStatus, lastSeenAt }) => [
      [posting.guid, posting.state, sourceStatus],
      // Whether it was seen since a sweep began matters to that sweep only.
      isBusy ? age(lastSeenAt) : 0,
    ]);
    const cursors = [...records.cursors.values()].map(({ fullSweepDue, lastFullAt, version }) => [
      [fullSweepDue, lastFullAt === null ? null : age(lastFullAt)],
      isBusy ? version : 0,
    ]);
    const actors = this.#actors.map((actor) => actor.state(kernel.nowMs, AGE_MS_MAX));
    const open = openOf(records, noticed).map((moment) => (moment === null ? null : age(moment)));
    const happened = [...noticed.happened.keys()].sort();
    return [rows, cursors, actors, happened, open, this.#nextTick - kernel.nowMs];
  }

  /** Nothing is on its way that could go wrong, whatever happens. */
  #isQuiet(): boolean {
    const known = this.service.created().every(({ guid }) => this.records.byGuid.has(guid));
    const gone = [...this.service.documents.values()].every(
      ({ guid, deleted }) => !deleted || this.records.byGuid.get(guid)?.sourceStatus !== 'Created',
    );
    return known && gone;
  }

  #tick(actor: Actor): Deed {
    const act = () => {
      this.kernel.passUntil(this.#nextTick);
      this.#nextTick = this.kernel.nowMs + TICK_MS;
      this.kernel.note(`${actor.name} sweeps`);
      actor.begin('sweep', () => this.#sweep(actor));
    };
    return { label: '', act };
  }

  async #sweep(actor: Actor): Promise<void> {
    const wires = {
      path: this.#path,
      service: this.service,
      countsNothing: this.#options.countsNothing === true,
    };
    const began = this.kernel.nowMs;
    const askedForAll = () => void this.noticed.halfDone.set(actor.name, began);
    const source = exploredLists(wires, actor, askedForAll);
    const stage = this.#stage(actor.life, actor);
    const tenant = { ...tenantAround(this, actor.life), source };
    const report = await sweep(stage, tenant, 'cost', CUT_OVER);
    this.#ended(report, began);
  }

  #ended({ mode, outcome }: SweepReport, began: number): void {
    this.kernel.note(`that was a ${mode} sweep, ${outcome}`);
    if (mode !== 'full' || outcome !== 'complete') return;
    this.noticed.completeFull = Math.max(this.noticed.completeFull, began);
    for (const [name, at] of this.noticed.halfDone) if (at <= began) this.noticed.halfDone.delete(name);
  }

  #stage(life: Life, actor?: Actor) {
    const store = memoryIntakeStore(this.records, life);
    return {
      runtime: {
        clock: { now: () => new Date(this.kernel.nowMs) },
        timers: { sleep: () => Promise.resolve() },
        random: { next: () => 0.5, uuid: () => 'u' },
      },
      store: actor ? actor.hears('store', store) : store,
      failPoints: NO_FAIL_POINTS,
      // Even a list of two pages is long here: it is read from its end.
      batch: 1,
    };
  }

  #misfortunes(actor: Actor): Deed[] {
    const die = () => {
      actor.alive = false;
      this.#actors = this.#actors.map((one) => (one === actor ? this.#start() : one));
    };
    return [{ label: `${actor.name} dies, and another is started`, isFault: true, act: die }];
  }

  #happenings(): Deed[] {
    const open = this.#options.happens.filter((what) => !this.noticed.happened.has(what));
    return open.map((what) => ({
      label: what,
      act: () => {
        this.noticed.happened.set(what, this.kernel.nowMs);
        this.#happen(what);
      },
    }));
  }

  #happen(what: Happening): void {
    switch (what) {
      case 'one is deleted':
        this.#document('deleted').deleted = true;
        return;
      case 'one is approved late':
        this.#handOver('late');
        return;
      case 'one is posted': {
        const row = this.#row('posted');
        this.#document('posted').accountingStatus = row.sourceStatus = 'Posted';
        this.records.move(row, 'acknowledged', 'posted and told');
      }
    }
  }

  #start(): Actor {
    const name = 'abcdefgh'[this.#processes++] ?? `p${this.#processes}`;
    return new Actor(name, (event) => this.kernel.note(event));
  }

  #row(guid: Guid): PostingRow {
    const row = this.records.byGuid.get(guid);
    if (!row) throw new Error(`${guid} was not found`);
    return row;
  }

  #document(guid: Guid): SimulatedDocument {
    const document = this.service.documents.get(guid);
    if (!document) throw new Error(`there is no ${guid}`);
    return document;
  }

  #handOver(guid: Guid): void {
    const facts = { accountingStatus: 'Created', status: '', deleted: false, version: 1, amounts: [1240] };
    const money = { amount: 1240, net: 1000, costCode: '2093', issueDate: '2026-01-15' };
    this.service.documents.set(guid, { guid, kind: 'cost', number: guid, ...facts, ...money });
  }
}

const STILL = { step: () => Promise.resolve() };

function park(records: MemoryRecords, row: PostingRow): void {
  records.move(row, 'parked', 'left to a person');
  row.dueAt = null;
  row.posting.reason = { code: 'AMBIGUOUS_VAT', params: {}, subject: '' };
}
