// A small world of the other direction: one record of an origin, the customer that it needs, two replicas and an invoicing service that
// merges nothing. At every moment the path decides who goes on, what becomes of a request, who dies or sleeps, and when time passes.
import { submissionKey, type SubmissionKind } from '../../../src/domain/submission.js';
import type { Origin, Told } from '../../../src/origins/origin.js';
import { NO_FAIL_POINTS } from '../../../src/sync/fail-points.js';
import { advanceSubmission } from '../../../src/outbound/advance-submission.js';
import { OUTBOUND_TIMING, type OutboundTenant, type OutboundTiming } from '../../../src/outbound/stage.js';
import { MemorySubmissions, type SubmissionFlaws, type SubmissionRow } from '../memory-submissions.js';
import { Actor, type Deed, type ExploredWorld } from './actor.js';
import { KNOWN_TASK } from './explored-looks.js';
import { exploredTarget, type TargetFlaws, TargetService } from './explored-target.js';
import { type Path, StillKernel } from './path.js';

export interface OutgoingWorldOptions {
  readonly kind: SubmissionKind;
  /** The customer is to be made first. */
  readonly newCustomer?: boolean;
  /** AI reads receipts before anything shows them; true unless given. */
  readonly costAi?: boolean;
  /** A history that was lost has sent it: it stands there, or is on its way. `unsaid`: nobody has told that it was lost. */
  readonly forgotten?: 'effect' | 'request' | 'unsaid';
  readonly store?: SubmissionFlaws;
  readonly target?: TargetFlaws;
  readonly timing?: Partial<OutboundTiming>;
  /** A process takes the time from when its job began, whatever it slept through. */
  readonly clocksStop?: boolean;
}

const KNOWN_CUSTOMER = 'guid-c';
const HORIZON_MS = 12 * 3_600_000;
const AGE_MS_MAX = 3_600_000;
const KENNITALA = '5402696029';
const IDENTITY = { environment: 'production', sourceAccount: '1', series: '' } as const;
const CONTENT = JSON.stringify({
  customer: { kennitala: KENNITALA, name: 'Prufa ehf.', email: 'a@b.is' },
  issue_date: '2026-03-01',
  lines: [{ item_number: '1', description: 'Vara', qty: '1', unit_price: '1000', tax: 'S' }],
});
const COST = JSON.stringify({ date: '2026-03-01', description: 'Kvittun' });
const TASK = JSON.stringify({
  customer: { kennitala: KENNITALA, name: 'Prufa ehf.' },
  ...{ name: 'Ráðgjöf', unit_price: '1000', tax: 'S' },
});
const SUBSCRIPTION = JSON.stringify({
  customer: { kennitala: KENNITALA, name: 'Prufa ehf.' },
  ...{ name: 'Vefhýsing', interval: 'monthly', start_date: '2026-03-01' },
  lines: [{ item_number: '1', description: 'Vefhýsing', qty: '1', unit_price: '1000', tax: 'S' }],
});
const HOURS = JSON.stringify({ task: 'T-1', date: '2026-03-01', from: '08:00', to: '09:00' });
const CUSTOMER = JSON.stringify({ kennitala: KENNITALA, name: 'Prufa ehf.', email: 'a@b.is' });

export class OutgoingWorld implements ExploredWorld {
  readonly kernel = new StillKernel();
  readonly records: MemorySubmissions;
  readonly service: TargetService;
  readonly actors: readonly Actor[];
  readonly told: Told[] = [];
  readonly #options: OutgoingWorldOptions;
  readonly #path: Path;

  constructor(options: OutgoingWorldOptions, path: Path) {
    this.#options = options;
    this.#path = path;
    this.records = new MemorySubmissions(this.kernel, options.store ?? {});
    this.service = new TargetService(this.kernel);
    this.actors = ['a', 'b'].map((name) => new Actor(name, (event) => this.kernel.note(event)));
  }

  async prepare(): Promise<void> {
    const { kind, newCustomer, forgotten } = this.#options;
    if (kind === 'hours') this.#known('task', 'T-1', TASK, KNOWN_TASK);
    else if (kind !== 'customer' && kind !== 'cost' && newCustomer !== true)
      this.#known('customer', KENNITALA, CUSTOMER, KNOWN_CUSTOMER);
    const reference = kind === 'customer' ? KENNITALA : 'SO-1';
    const key = submissionKey({ ...IDENTITY, kind, reference });
    this.records.add({
      id: 'd',
      origin: 'orders',
      kind,
      reference,
      key,
      content: CONTENTS[kind] ?? CONTENT,
    });
    if (forgotten) this.#forget(key, forgotten);
    return Promise.resolve();
  }

  /** It was made before the world began. */
  #known(kind: SubmissionKind, reference: string, content: string, guid: string): void {
    const key = submissionKey({ ...IDENTITY, kind, reference });
    const row = this.records.add({ id: guid, origin: '', kind, reference, key, content });
    Object.assign(row.record, { state: 'acknowledged', guid });
    row.dueAt = null;
  }

  #forget(key: string, forgotten: 'effect' | 'request' | 'unsaid'): void {
    const { kind } = this.#options;
    const body =
      kind === 'cost' ? { description: key } : { booking: key, amount: '1240.00', issue_date: '2026-03-01' };
    const sent = this.service.send(null, { act: 'create', kind, body }, key);
    this.kernel.note('a history that is lost now has sent it');
    if (forgotten !== 'request') sent.arrive();
    if (forgotten !== 'unsaid') this.records.restoredAt = this.kernel.nowMs;
  }

  unsafe(): string[] {
    const broken = [...this.records.violations];
    for (const kind of new Set(this.service.stands.map((one) => one.kind))) {
      const count = this.service.stands.filter((one) => one.kind === kind).length;
      if (count > 1) broken.push(`21: the ${kind} stands at the service ${String(count)} times`);
    }
    return broken;
  }

  unkept(): string[] {
    if (!this.actors.some(({ alive }) => alive)) return [];
    return [...this.records.rows.values()].flatMap(({ record }) => this.#unkeptOf(record));
  }

  #unkeptOf({ kind, state, guid, reason, origin }: SubmissionRow['record']): string[] {
    const stands = this.service.stands.filter((one) => one.kind === kind);
    if (state === 'parked') return reason === null ? [`22: the ${kind} is parked without a reason`] : [];
    if (state !== 'acknowledged') return [`22: the ${kind} rests as ${state}`];
    if (guid !== KNOWN_CUSTOMER && guid !== KNOWN_TASK && stands.length === 0)
      return [`22: the ${kind} counts as created and does not stand there`];
    if (origin !== '' && !this.told.some((one) => one.guid === guid))
      return [`23: the origin was not told of the ${kind}`];
    return [];
  }

  state(): unknown {
    const { nowMs } = this.kernel;
    const until = (moment: number | null) => (moment === null ? null : Math.max(0, moment - nowMs));
    const age = (moment: number | null) => (moment === null ? null : Math.min(nowMs - moment, AGE_MS_MAX));
    const rows = [...this.records.rows.values()].map(({ record, sentAt, dueAt, leaseUntil }) => [
      record,
      [age(sentAt), until(dueAt), until(leaseUntil)],
    ]);
    const stands = this.service.stands.map(({ kind, at }) => [kind, age(at)]);
    const leaving = this.service.onItsWay.map(({ sender, arrivesBy }) => [sender?.name, until(arrivesBy)]);
    const actors = this.actors.map((actor) => actor.state(nowMs, AGE_MS_MAX));
    return [rows, stands, leaving, actors, this.told.length > 0, age(this.records.restoredAt)];
  }

  deeds(): Deed[] {
    const running = this.actors.filter(({ isRunnable }) => isRunnable);
    const events = this.#events();
    const deeds = running.map((actor): Deed => ({ label: '', act: () => actor.go() }));
    if (deeds.length === 0) deeds.push(...this.#whenIdle(events));
    if (deeds.length + events.length === 0) return [];
    return [...deeds, ...events, ...running.flatMap((actor) => this.#misfortunes(actor))];
  }

  #events(): Deed[] {
    const arrivals = this.service.onItsWay
      .filter(({ sender }) => !sender?.isRunnable)
      .map((leaving) => ({ label: 'a request arrives that nobody waits for', act: () => leaving.arrive() }));
    const wakers = this.actors
      .filter(({ alive, stalledAt }) => alive && stalledAt !== null)
      .map((actor) => ({ label: `${actor.name} wakes up`, act: () => void (actor.stalledAt = null) }));
    return [...arrivals, ...wakers];
  }

  #whenIdle(events: readonly Deed[]): Deed[] {
    const { nowMs } = this.kernel;
    if (this.service.onItsWay.some(({ arrivesBy }) => arrivesBy <= nowMs)) return [];
    const actor = this.actors.find(({ isFree, stalledAt }) => isFree && stalledAt === null);
    const due = [...this.records.rows.values()].find(
      (row) => row.dueAt !== null && row.dueAt <= nowMs && !this.records.isLeased(row),
    );
    if (actor && due) return [{ label: '', act: () => this.#begin(actor, due) }];
    const next = this.#nextMoment(actor !== undefined);
    if (next === null || this.kernel.elapsedMs > HORIZON_MS) return [];
    return events.length > 0 || actor ? [{ label: '', act: () => this.kernel.passUntil(next) }] : [];
  }

  #nextMoment(canWork: boolean): number | null {
    const { nowMs } = this.kernel;
    const rows = [...this.records.rows.values()];
    const moments = [
      ...(canWork
        ? rows.flatMap(({ dueAt, leaseUntil }) => (dueAt === null ? [] : [dueAt, leaseUntil + 1]))
        : []),
      ...this.service.onItsWay.map(({ arrivesBy }) => arrivesBy),
      ...this.actors.flatMap(({ stalledAt }) =>
        stalledAt === null
          ? []
          : [stalledAt + OUTBOUND_TIMING.sendByMs + 1, ...rows.map((row) => row.leaseUntil + 1)],
      ),
    ].filter((moment) => moment > nowMs);
    return moments.length > 0 ? Math.min(...moments) : null;
  }

  #misfortunes(actor: Actor): Deed[] {
    const die = () => void (actor.alive = false);
    const stall = () => void (actor.stalledAt = this.kernel.nowMs);
    return [
      { label: `${actor.name} dies`, isFault: true, act: die },
      { label: `${actor.name} falls asleep`, isFault: true, act: stall },
    ];
  }

  #begin(actor: Actor, row: SubmissionRow): void {
    const { records, service } = this;
    const timing = { ...OUTBOUND_TIMING, ...this.#options.timing };
    const claimed = records.claim(row, timing.leaseMs);
    if (!claimed) return;
    const began = this.kernel.nowMs;
    const now = () => new Date(this.#options.clocksStop ? began : this.kernel.nowMs);
    const stage = {
      runtime: {
        clock: { now },
        timers: { sleep: () => Promise.resolve() },
        random: { next: () => 0.5, uuid: () => 'u' },
      },
      store: actor.hears('store', records.store(actor.life)),
      breakers: QUIET_BREAKERS,
      failPoints: NO_FAIL_POINTS,
      timing,
    };
    const flaws = this.#options.target ?? {};
    const target = exploredTarget({ path: this.#path, service, records, flaws, now }, actor, row.record.key);
    this.kernel.note(`${actor.name} takes up the ${row.record.kind}, which is ${row.record.state}`);
    actor.begin(`${row.record.kind} ${row.record.state}`, () =>
      advanceSubmission(stage, this.#tenant(actor, target), claimed, began),
    );
  }

  #tenant(actor: Actor, target: OutboundTenant['target']): OutboundTenant {
    const origin: Origin = {
      name: 'orders',
      changes: () => Promise.resolve({ records: [], problems: [], looked: [], cursor: '', more: false }),
      read: () => Promise.resolve(null),
      tell: async (told) => {
        await actor.life.step(1);
        this.told.push(told);
      },
      close: () => Promise.resolve(),
    };
    return {
      ...{ name: 'prufa', environment: 'production', sourceAccount: '1', target },
      wish: { mark: 'booking', customers: 'update', settlementDays: 7, costAi: this.#options.costAi ?? true },
      origins: new Map([['orders', origin]]),
      series: {},
    };
  }
}

const CONTENTS: Readonly<Partial<Record<SubmissionKind, string>>> = {
  customer: CUSTOMER,
  cost: COST,
  task: TASK,
  hours: HOURS,
  subscription: SUBSCRIPTION,
};

const QUIET_BREAKERS = {
  succeeded: () => Promise.resolve(),
  failed: () => Promise.resolve(),
  refused: () => Promise.resolve(),
};
