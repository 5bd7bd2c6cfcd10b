// Hands out turns, fairly. One process leads at a time. A round gives every tenant that has work one turn at each stage, in an order
// of chance, and the next round begins when half of them have been taken up: so a tenant with 100,000 waiting documents delays one
// with three by no more than two rounds, whose size does not depend on what waits. What is begun is finished first: a document in
// the books does not wait for its acknowledgement until all others are in the books too. The bound is written down in
// docs/how-it-works.md and measured by a test.
import { doneInTime } from '../http/in-time.js';
import { type DispatchStore, type Stage, STAGES, type Turn } from '../store/dispatch-store.js';
import type { Queues } from './queues.js';
import { TokenBuckets } from './token-buckets.js';

export interface DispatcherOptions {
  readonly owner: string;
  /** Tenants that are connected and not paused by their file. */
  readonly tenants: () => readonly string[];
  /** Documents of a round, over all tenants; but each tenant's turn has at least `turnMin`, times its weight. */
  readonly round: number;
  readonly turnMin: number;
  readonly intervalMs: number;
  readonly onError: (error: unknown) => void;
}

/** A wake-up that led to nothing (a lost queue, a killed process) is handed out again after this; a probe is another's turn then. */
const AGAIN_AFTER_MS = 30_000;
/** When the leader is killed, nothing is handed out for this long. It renews several times a second. */
const LEAD_MS = 2_000;
const OUTBOX_ROOM = 20;
const STOP_MS_MAX = 2_000;

export interface Dispatcher {
  /** Looks at once instead of at the next interval. */
  poke(): void;
  stop(): Promise<void>;
}

export function startDispatcher(
  store: DispatchStore,
  queues: Queues,
  options: DispatcherOptions,
): Dispatcher {
  let stopped = false;
  let wakeUp: (() => void) | null = null;
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const isStopped = () => stopped;
  const rounds = new Map(STAGES.map((stage) => [stage, new Rounds(store, queues, options, stage)]));
  const dispatchOnce = async () => {
    // Nothing is taken that could not be handed on: while the queues are away the lead is kept, and rows wait unmarked.
    await queues.depth('sweep');
    const outbox = await store.takeOutbox(OUTBOX_ROOM, AGAIN_AFTER_MS);
    for (const { id, topic } of outbox) await queues.add(topic, [{ id, tenantName: null }]);
    let handedOut = outbox.length;
    for (const round of rounds.values()) handedOut += await round.next();
    return handedOut;
  };
  const run = async () => {
    while (!isStopped()) {
      let handedOut = 0;
      try {
        if (await store.lead(options.owner, LEAD_MS)) handedOut = await dispatchOnce();
      } catch (error) {
        options.onError(error);
      }
      // More may be waiting; the next round follows as soon as this one is half taken up.
      if (!isStopped()) await pause(handedOut > 0 ? options.intervalMs / 4 : options.intervalMs);
    }
  };
  const running = run();
  return {
    poke: () => wakeUp?.(),
    stop: async () => {
      stopped = true;
      wakeUp?.();
      // It may be waiting for a queue that does not answer; it holds nothing that anybody would miss.
      await doneInTime(running, STOP_MS_MAX);
    },
  };
}

/** The rounds of one stage. */
class Rounds {
  readonly #store: DispatchStore;
  readonly #queues: Queues;
  readonly #options: DispatcherOptions;
  readonly #stage: Stage;
  readonly #buckets = new TokenBuckets();
  /** Turns of the round before. */
  #size = 0;

  constructor(store: DispatchStore, queues: Queues, options: DispatcherOptions, stage: Stage) {
    this.#store = store;
    this.#queues = queues;
    this.#options = options;
    this.#stage = stage;
  }

  async next(): Promise<number> {
    const waiting = await this.#queues.depth(this.#stage);
    if (waiting > 0 && waiting > this.#size / 2) return 0;
    const tenants = this.#options.tenants();
    const due = await this.#store.turnsDue({
      stage: this.#stage,
      tenants,
      perTenant: Math.max(
        this.#options.turnMin,
        Math.floor(this.#options.round / Math.max(1, tenants.length)),
      ),
      probeMs: AGAIN_AFTER_MS,
    });
    if (due.length === 0) return 0;
    await this.#buckets.refill(() => this.#store.rates());
    const turns = due.flatMap((turn) => this.#allowed(turn));
    await this.#queues.add(
      this.#stage,
      turns.map(({ tenantName, share, isProbe }) => ({ id: '', tenantName, share, isProbe })),
    );
    this.#size = turns.length;
    return turns.length;
  }

  /** No more than its tenant's limits let through now. */
  #allowed(turn: Turn): Turn[] {
    const share = Math.min(turn.share, this.#buckets.allowance(turn.tenantName));
    if (share <= 0) return [];
    this.#buckets.spend(turn.tenantName, share);
    return [{ ...turn, share }];
  }
}
