// A world that is small enough to be explored to its end: one document, one database, two replicas. At every moment the path
// decides who goes on, what becomes of a request, who dies or sleeps, and when time passes.
import { sweep } from '../../../src/sync/intake.js';
import { paymentGuid } from '../../../src/sync/follow-up-records.js';
import { advancePosting } from '../../../src/sync/advance.js';
import { POST_TIMING, type PostTiming } from '../../../src/sync/work.js';
import { NO_FAIL_POINTS } from '../../../src/sync/fail-points.js';
import { memoryBreakers } from '../memory-dispatch.js';
import { memoryIntakeStore } from '../memory-intake-store.js';
import { memoryPostingStore } from '../memory-posting-store.js';
import { MemoryRecords, type PostingRow, type StoreFlaws } from '../memory-records.js';
import { type ErpFlaws, type ErpKind, SimulatedLedger } from '../simulated-ledger.js';
import { type HistoryChecker, checkerFor, isRefusal } from '../specification/check-history.js';
import { type SimulatedDocument, SimulatedService, type SourceFlaws } from '../simulated-source.js';
import { CUT_OVER, tenantAround } from '../world.js';
import { Actor, type Deed, type ExploredWorld } from './actor.js';
import { exploredErp, exploredSource, type Request, send } from './network.js';
import { type Path, settle, StillKernel } from './path.js';
import { followPayments } from '../../../src/sync/begin-follow-ups.js';
import { journalFromJson, journalToJson } from '../../../src/domain/journal-json.js';
import { settlementKey } from '../../../src/domain/posting-key.js';
import type { Runtime } from '../../../src/domain/runtime.js';
import type { Kernel } from '../kernel.js';
import { memoryPaymentStore } from '../memory-release-store.js';
import { brokenPromises } from '../invariants.js';

export interface SmallWorldOptions {
  readonly erp: ErpKind;
  /** A paid invoice is two entries. */
  readonly paid?: boolean;
  /** The invoice is in the books when it is paid; its payment is what is explored. */
  readonly paidLater?: boolean;
  /** People edit and delete, each as a fault. */
  readonly people?: boolean;
  /**
   * The database was restored: it has forgotten an entry, or a request that is still on its way; of an invoice that is paid later,
   * that it was settled together with its posting.
   */
  readonly forgotten?: 'entry' | 'request' | 'settlement';
  readonly store?: StoreFlaws;
  readonly source?: SourceFlaws;
  readonly erpFlaws?: ErpFlaws;
  readonly timing?: Partial<PostTiming>;
  /** A process takes the time from when its job began, whatever it slept through. */
  readonly clocksStop?: boolean;
}

/** Whoever slept past this may not send any more. */
const PAST_SEND_BY_MS = POST_TIMING.sendByMs + 1;
/** Longer than a native key lives. */
const STANDSTILL_MS = 3_600_000;
/** What rests for longer than this rests. */
const HORIZON_MS = 4 * 3_600_000;

export class SmallWorld implements ExploredWorld {
  readonly kernel = new StillKernel();
  readonly records: MemoryRecords;
  readonly service: SimulatedService;
  readonly ledger: SimulatedLedger;
  readonly actors: readonly Actor[];
  readonly onItsWay: Request[] = [];
  readonly document: SimulatedDocument;
  readonly #options: SmallWorldOptions;
  readonly #path: Path;
  readonly #checker: HistoryChecker;

  constructor(options: SmallWorldOptions, path: Path) {
    this.#options = options;
    this.#path = path;
    this.records = new MemoryRecords(this.kernel, options.store ?? {});
    this.service = new SimulatedService(this.kernel, options.source ?? {});
    this.ledger = new SimulatedLedger(this.kernel, options.erp, this.records, options.erpFlaws ?? {});
    this.#checker = checkerFor(this.ledger);
    this.service.faulty = this.ledger.faulty = false;
    this.actors = ['a', 'b'].map((name) => new Actor(name, (event) => this.kernel.note(event)));
    this.document = documentOf(options.paid === true);
    this.service.documents.set(this.document.guid, this.document);
  }

  /** The sweep that finds the document, and what the database has forgotten. */
  async prepare(): Promise<void> {
    const life = { step: () => Promise.resolve() };
    const tenant = tenantAround(this, life);
    const intake = {
      runtime: this.#runtime(0),
      store: memoryIntakeStore(this.records, life),
      failPoints: NO_FAIL_POINTS,
    };
    await sweep(intake, tenant, 'invoice', CUT_OVER);
    if (this.#options.paidLater) await postThenPay(this, this.#runtime(0));
    if (!this.#options.forgotten) return;
    if (this.#options.forgotten === 'settlement') {
      settleBefore(this);
      return;
    }
    const other = new SmallWorld({ erp: this.#options.erp }, this.#path);
    const request = await other.firstRequest();
    const sent = send(this, null, () => this.ledger.take(request));
    const { history } = this.kernel;
    for (const step of ['claim', 'intend', 'send'] as const) history.note(step, this.row.posting, 'before');
    this.kernel.note('a history that is lost now has sent it');
    if (this.#options.forgotten === 'entry') sent.arrive();
    this.records.restoredAt = this.kernel.nowMs;
    history.mark('restore');
  }

  /** What a bridge would send, worked on without any fault until it does. */
  async firstRequest(): Promise<{ key: string; request: string }> {
    await this.prepare();
    const actor = new Actor('before', () => undefined);
    this.#begin(actor, this.row);
    for (let steps = 0; steps < 200; steps++) {
      await settle();
      const [attempt] = this.row.attempts;
      if (attempt) return attempt;
      actor.go();
    }
    throw new Error('nothing was ever sent');
  }

  get #isSound(): boolean {
    const { store, source, erpFlaws, timing, clocksStop } = this.#options;
    return [store, source, erpFlaws, timing, clocksStop].every((flaw) => flaw === undefined);
  }

  get row(): PostingRow {
    const { guid } = this.document;
    const { byGuid } = this.records;
    const row = byGuid.get(paymentGuid(guid, 1)) ?? byGuid.get(guid);
    if (!row) throw new Error('it was not found');
    return row;
  }

  /** With a guard taken away the promises themselves are to be broken; that the specification refuses it too is told elsewhere. */
  unsafe(): string[] {
    const refused = this.#isSound ? this.#checker.check(this.kernel.history.steps) : [];
    return [...unsafeIn(this), ...refused];
  }

  unkept(): string[] {
    return unkeptIn(this).filter((one) => this.#isSound || !isRefusal(one));
  }

  state(): unknown {
    return stateOf(this);
  }

  deeds(): Deed[] {
    const running = this.actors.filter(({ isRunnable }) => isRunnable);
    const events = this.#events();
    const deeds = running.map((actor): Deed => ({ label: '', act: () => actor.go() }));
    if (deeds.length === 0) deeds.push(...this.#whenIdle(events));
    const standstill = running.length === 0 ? this.#standstill() : [];
    if (deeds.length + events.length === 0) return [];
    return [
      ...deeds,
      ...events,
      ...standstill,
      ...running.flatMap((actor) => this.#misfortunes(actor)),
      ...this.#people(),
    ];
  }

  /** What comes by itself: a request that nobody waits for arrives, a process that slept wakes up. */
  #events(): Deed[] {
    const arrivals = this.onItsWay
      .filter(({ sender }) => !sender?.isRunnable)
      .map((request) => ({ label: 'a request arrives that nobody waits for', act: () => request.arrive() }));
    const wakers = this.actors
      .filter(({ alive, stalledAt }) => alive && stalledAt !== null)
      .map((actor) => ({ label: `${actor.name} wakes up`, act: () => void (actor.stalledAt = null) }));
    return [...arrivals, ...wakers];
  }

  #whenIdle(events: readonly Deed[]): Deed[] {
    const { row, kernel } = this;
    const overdue = this.onItsWay.some(({ arrivesBy }) => arrivesBy <= kernel.nowMs);
    if (overdue) return [];
    const actor = this.actors.find(({ isFree, stalledAt }) => isFree && stalledAt === null);
    const isDue = row.dueAt !== null && row.dueAt <= kernel.nowMs;
    const mayClaim =
      !this.records.isLeased(row) ||
      this.records.flaws.ignoreFence === true ||
      this.records.flaws.ignoreLease === true;
    if (actor && isDue && mayClaim) return [{ label: '', act: () => this.#begin(actor, row) }];
    const next = this.#nextMoment(actor !== undefined);
    if (next === null || kernel.elapsedMs > HORIZON_MS) return [];
    const pass = { label: '', act: () => kernel.passUntil(next) };
    return events.length > 0 || actor ? [pass] : [];
  }

  #standstill(): Deed[] {
    const isOver =
      this.#nextMoment(true) === null || this.onItsWay.length > 0 || this.kernel.elapsedMs > HORIZON_MS;
    const pass = () => this.kernel.passUntil(this.kernel.nowMs + STANDSTILL_MS);
    return isOver ? [] : [{ label: 'nothing runs for an hour', isFault: true, act: pass }];
  }

  #nextMoment(canWork: boolean): number | null {
    const { nowMs } = this.kernel;
    const { dueAt, leaseUntil } = this.row;
    const moments = [
      ...(canWork && dueAt !== null ? [dueAt, leaseUntil + 1] : []),
      ...this.onItsWay.map(({ arrivesBy }) => arrivesBy),
      ...this.actors.flatMap(({ stalledAt }) =>
        stalledAt === null ? [] : [stalledAt + PAST_SEND_BY_MS, leaseUntil + 1],
      ),
    ].filter((moment) => moment > nowMs);
    return moments.length > 0 ? Math.min(...moments) : null;
  }

  #misfortunes(actor: Actor): Deed[] {
    const die = () => {
      actor.alive = false;
    };
    const stall = () => {
      actor.stalledAt = this.kernel.nowMs;
    };
    return [
      { label: `${actor.name} dies`, isFault: true, act: die },
      { label: `${actor.name} falls asleep`, isFault: true, act: stall },
    ];
  }

  #people(): Deed[] {
    if (!this.#options.people || this.document.accountingStatus !== 'Created' || this.document.deleted)
      return [];
    const { document } = this;
    const edit = () => {
      document.version++;
      document.net += 1000;
      document.amount = document.net * 1.24;
      document.amounts.push(document.amount);
    };
    return [
      { label: 'a person edits the document', isFault: true, act: edit },
      { label: 'a person deletes the document', isFault: true, act: () => void (document.deleted = true) },
    ];
  }

  #begin(actor: Actor, { posting }: PostingRow): void {
    const { records, service, ledger, onItsWay } = this;
    actor.claimAs(this.kernel.history.newWorker(actor.name));
    const wires = { path: this.#path, records, service, ledger, onItsWay };
    const stage = {
      runtime: this.#runtime(this.kernel.nowMs),
      store: actor.hears('store', memoryPostingStore(this.records, actor.life)),
      breakers: actor.hears('breakers', memoryBreakers(this.records, actor.life)),
      failPoints: NO_FAIL_POINTS,
      timing: { ...POST_TIMING, ...this.#options.timing },
    };
    const ports = { source: exploredSource(wires, actor), erp: exploredErp(wires, actor) };
    const tenant = { ...tenantAround(this, actor.life), ...ports };
    this.kernel.note(`${actor.name} takes up the document, which is ${posting.state}`);
    actor.begin(posting.state, () => advancePosting(stage, tenant, posting.id, actor.name));
  }

  #runtime(jobBegan: number) {
    const now = () => new Date(this.#options.clocksStop ? jobBegan : this.kernel.nowMs);
    return {
      clock: { now },
      timers: { sleep: () => Promise.resolve() },
      random: { next: () => 0.5, uuid: () => 'u' },
    };
  }
}

function documentOf(isPaid: boolean): SimulatedDocument {
  return {
    guid: 'guid-1',
    kind: 'invoice',
    number: '1001',
    amount: 1240,
    net: 1000,
    issueDate: '2026-03-01',
    costCode: '',
    accountingStatus: 'Created',
    status: isPaid ? 'Paid' : 'Sent',
    deleted: false,
    version: 1,
    amounts: [1240],
  };
}

// An invoice that is in the books, is paid, and was found so by a follow-up: from here on its payment is what is explored.

interface Paid {
  readonly kernel: Kernel;
  readonly records: MemoryRecords;
  readonly service: SimulatedService;
  readonly ledger: SimulatedLedger;
  readonly document: SimulatedDocument;
}

/** A history that is lost now had settled it: the restored database knows of the invoice only, and of the payment that it sees. */
function settleBefore({ kernel, records, ledger, document }: Paid): void {
  const invoice = records.byGuid.get(document.guid)?.posting;
  if (!invoice?.journal) throw new Error('it is not in the books');
  const { history } = kernel;
  const key = settlementKey(invoice.key);
  const journal = journalFromJson(invoice.journal);
  const lines = journal.lines.map((line) => ({ ...line, debit: line.credit, credit: line.debit }));
  history.note('claim', invoice, 'lost');
  for (const step of ['intend', 'send'] as const) history.note(step, { guid: invoice.guid, key }, 'lost');
  ledger.take({ key, request: journalToJson({ ...journal, lines }) });
  for (const entry of ledger.entries) entry.state = 'posted';
  kernel.note('a history that is lost now has settled it');
  records.restoredAt = kernel.nowMs;
  history.mark('restore');
}

/** Nothing goes wrong until then. */
async function postThenPay(world: Paid, runtime: Runtime): Promise<void> {
  const { records, ledger, document } = world;
  const life = { step: () => Promise.resolve(), worker: 'before' };
  const tenant = tenantAround(world, life);
  const erp = {
    ...tenant.erp,
    post: (prepared: Parameters<typeof tenant.erp.post>[0]) => {
      ledger.noteFate(['send'], prepared.key, life.worker);
      const outcome = ledger.take(prepared);
      for (const entry of ledger.entries) entry.state = 'posted';
      ledger.noteFate(['answer'], prepared.key, life.worker);
      return Promise.resolve(outcome);
    },
  };
  const stage = {
    runtime,
    store: memoryPostingStore(records, life),
    breakers: memoryBreakers(records, life),
    failPoints: NO_FAIL_POINTS,
    timing: POST_TIMING,
  };
  const id = records.byGuid.get(document.guid)?.posting.id ?? '';
  await advancePosting(stage, { ...tenant, erp }, id, 'before');
  document.status = 'Paid';
  const store = memoryPaymentStore(records, life);
  const begun = await followPayments({ runtime, store, failPoints: NO_FAIL_POINTS }, tenant, 0);
  if (begun !== 1) throw new Error('no payment was begun');
}

// What is promised in a small world, and all that its future depends on.

interface Seen {
  readonly kernel: StillKernel;
  readonly records: MemoryRecords;
  readonly service: SimulatedService;
  readonly ledger: SimulatedLedger;
  readonly actors: readonly Actor[];
  readonly onItsWay: readonly Request[];
  readonly document: SimulatedDocument;
}

function unsafeIn({ ledger, records, document }: Seen): string[] {
  const broken = [...records.violations, ...ledger.violations];
  for (const key of new Set(ledger.entries.map((entry) => entry.key)))
    if (ledger.live(key).length > 1)
      broken.push(`1: the document is in the books ${ledger.live(key).length} times`);
  if (document.accountingStatus === 'Posted' && ledger.entries.length === 0)
    broken.push('2: the source says Posted, and nothing is in the books');
  return broken;
}

function unkeptIn({ kernel, records, service, ledger, actors }: Seen): string[] {
  if (!actors.some(({ alive }) => alive)) return [];
  return brokenPromises({ kernel, records, service, ledger, outages: [], digest: '' });
}

/** Longer ago than any wait of the protocol and the life of any key. */
const AGE_MS_MAX = 3_600_000;

function stateOf({ records, ledger, kernel, actors, document, onItsWay }: Seen): unknown {
  const now = kernel.nowMs;
  const until = (moment: number | null) => (moment === null ? null : Math.max(0, moment - now));
  const age = (moment: number) => Math.min(now - moment, AGE_MS_MAX);
  const rows = [...records.rows.values()].map((row) => [
    { ...row.posting, stateAgeMs: 0, discoveredAgeMs: 0 },
    [until(row.dueAt), until(row.leaseUntil), row.sourceStatus, age(row.stateSince)],
    row.attempts.map(({ outcome, sends, key, startedAt, lastSentAt }) => [
      outcome,
      sends,
      key,
      age(startedAt),
      age(lastSentAt),
    ]),
    row.writeBacks.map(({ state, wanted, sends }) => [state, wanted, sends]),
  ]);
  const people = actors.map((actor) => actor.state(now, AGE_MS_MAX));
  const entries = ledger.entries.map(({ key, state }) => [key, state]);
  const breakers = [...records.breakers].map(([side, { state, failures, openUntil }]) => [
    side,
    state,
    failures,
    until(openUntil),
  ]);
  const requests = onItsWay.map(({ sender, arrivesBy }) => [sender?.name, until(arrivesBy)]);
  const { accountingStatus, version, deleted } = document;
  const restored = records.restoredAt === null ? null : age(records.restoredAt);
  const source = [accountingStatus, version, deleted];
  return [rows, people, entries, breakers, requests, source, restored];
}
