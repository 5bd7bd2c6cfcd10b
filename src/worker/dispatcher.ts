// Hands out turns, fairly, in rounds (sync/turns.ts). One process leads at a time. What is begun is finished first: a
// document in the books does not wait for its acknowledgement until all others are in the books too. The bound is written down in
// docs/explanation/how-it-works.md and measured by a test.
import { doneInTime } from '../http/in-time.js';
import { AGAIN_AFTER_MS, Rounds, type RoundsOptions, STAGES } from '../sync/turns.js';
import { ALL_DUE, type DispatchStore } from '../store/dispatch-store.js';
import type { Queues } from './queues.js';

export interface DispatcherOptions extends Omit<RoundsOptions, 'nowMs'> {
  readonly owner: string;
  readonly intervalMs: number;
  readonly onError: (error: unknown) => void;
}

/** When the leader is killed, nothing is handed out for this long. It renews twice a second. */
const LEAD_MS = 2_000;
const RENEW_MS = LEAD_MS / 4;
/** Nothing was due: the queues are asked all the same once in so many rounds, so that it is noticed when they are away. */
const QUIET_ROUNDS_MAX = 8;
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
  const pace = { ...options, nowMs: () => performance.now() };
  const rounds = STAGES.map((stage) => ({ stage, turns: new Rounds(store, queues, pace, stage) }));
  let renewAt = 0;
  const leads = async () => {
    if (performance.now() < renewAt) return true;
    const isLeader = await store.lead(options.owner, LEAD_MS);
    renewAt = isLeader ? performance.now() + RENEW_MS : 0;
    return isLeader;
  };
  let quietRounds = 0;
  const lookWhatIsDue = async () => {
    const due = await store.whatIsDue(options.tenants());
    const isQuiet = !Object.values(due).includes(true);
    quietRounds = isQuiet ? (quietRounds + 1) % (QUIET_ROUNDS_MAX + 1) : 0;
    return isQuiet && quietRounds === 0 ? ALL_DUE : due;
  };
  const handOutOrders = async () => {
    // Nothing is taken that could not be handed on: while the queues are away the lead is kept, and rows wait unmarked.
    await queues.depth('sweep');
    const outbox = await store.takeOutbox(OUTBOX_ROOM, AGAIN_AFTER_MS);
    for (const { id, topic } of outbox) await queues.add(topic, [{ id, tenantName: null }]);
    return outbox.length;
  };
  const dispatchOnce = async () => {
    const due = await lookWhatIsDue();
    let handedOut = due.orders ? await handOutOrders() : 0;
    for (const { stage, turns } of rounds) if (due[stage]) handedOut += await turns.next();
    return handedOut;
  };
  const run = async () => {
    while (!isStopped()) {
      let handedOut = 0;
      try {
        if (await leads()) handedOut = await dispatchOnce();
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
