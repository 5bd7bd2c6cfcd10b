// Hands due work to the queues, fairly. One process leads at a time. The queues are kept shallow: what waits in each is at
// most `depthMax`, and every tenant gets its turn in each round, so a tenant with 100,000 waiting documents delays one with
// three by no more than one shallow queue. What is begun is finished first: a document in the books does not wait for its
// acknowledgement until all others are in the books too. The bound is written down in docs/how-it-works.md and measured by a
// test.
import { doneInTime } from '../http/in-time.js';
import { type DispatchStore, type Stage, STAGES } from '../store/dispatch-store.js';
import type { Queues } from './queues.js';
import { TokenBuckets } from './token-buckets.js';

export interface DispatcherOptions {
  readonly owner: string;
  /** Tenants that are connected and not paused by their file. */
  readonly tenants: () => readonly string[];
  readonly depthMax: number;
  readonly perTenant: number;
  readonly intervalMs: number;
  readonly onError: (error: unknown) => void;
}

/** A wake-up that led to nothing (a lost queue, a killed process) is handed out again after this. */
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
  const buckets: Buckets = { 'write-back': new TokenBuckets(), post: new TokenBuckets() };
  const run = async () => {
    while (!isStopped()) {
      let handedOut = 0;
      try {
        if (await store.lead(options.owner, LEAD_MS))
          handedOut = await dispatchOnce(store, queues, options, buckets);
      } catch (error) {
        options.onError(error);
      }
      // A full round means that more is waiting; the next one follows as soon as the queue has room.
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

type Buckets = Readonly<Record<Stage, TokenBuckets>>;

async function dispatchOnce(
  store: DispatchStore,
  queues: Queues,
  options: DispatcherOptions,
  buckets: Buckets,
): Promise<number> {
  // Nothing is taken that could not be handed on: while the queues are away the lead is kept, and rows wait unmarked.
  await queues.depth('sweep');
  const outbox = await store.takeOutbox(OUTBOX_ROOM, AGAIN_AFTER_MS);
  for (const { id, topic } of outbox) await queues.add(topic, [{ id, tenantName: null }]);
  let handedOut = outbox.length;
  for (const stage of STAGES) handedOut += await dispatchStage(store, queues, options, stage, buckets[stage]);
  return handedOut;
}

async function dispatchStage(
  store: DispatchStore,
  queues: Queues,
  options: DispatcherOptions,
  stage: Stage,
  buckets: TokenBuckets,
): Promise<number> {
  const room = options.depthMax - (await queues.depth(stage));
  // Rounds, not single places: with room for one, the same tenant could be first every time.
  if (room < options.depthMax / 2) return 0;
  await buckets.refill(() => store.rates());
  const due = await store.takeDue({
    stage,
    tenants: options.tenants(),
    perTenant: options.perTenant,
    room,
    againAfterMs: AGAIN_AFTER_MS,
    allowances: buckets.allowances(),
  });
  for (const { tenantName } of due) buckets.spend(tenantName);
  await queues.add(stage, due);
  return due.length;
}
