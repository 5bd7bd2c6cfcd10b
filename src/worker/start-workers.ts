// The workers of one process, and how they stop: no new jobs, those under way get a deadline, and what they held comes back
// to others when its lease runs out.
import { doneInTime } from '../http/in-time.js';
import { seldom } from '../telemetry/seldom.js';
import type { Reconciler } from './reconciler.js';
import { handleSweep, handleTurn, type Workshop } from './handlers.js';
import type { QueueName, Queues, WakeUp } from './queues.js';

export interface WorkerLog {
  debug(facts: Readonly<Record<string, unknown>>, message: string): void;
  info(facts: Readonly<Record<string, unknown>>, message: string): void;
  warn(facts: Readonly<Record<string, unknown>>, message: string): void;
  error(facts: Readonly<Record<string, unknown>>, message: string): void;
}

export interface Workers {
  /** Jobs under way now. */
  busy(): number;
  stop(deadlineMs: number): Promise<void>;
}

export interface WorkersOptions {
  readonly shop: Workshop;
  readonly queues: Queues;
  readonly concurrency: number;
  readonly reconciler: Reconciler;
  readonly log: WorkerLog;
}

export function startWorkers({ shop, queues, concurrency, reconciler, log }: WorkersOptions): Workers {
  let busy = 0;
  const warn = seldom((facts, message) => log.warn(facts, message));
  const handlers: Record<QueueName, { at: number; handle: (wakeUp: WakeUp) => Promise<void> }> = {
    post: { at: concurrency, handle: (wakeUp) => handleTurn(shop, 'post', wakeUp) },
    'write-back': { at: concurrency, handle: (wakeUp) => handleTurn(shop, 'write-back', wakeUp) },
    sweep: { at: Math.ceil(concurrency / 2), handle: (wakeUp) => handleSweep(shop, wakeUp) },
    reconcile: { at: 1, handle: (wakeUp) => reconciler.handle(wakeUp) },
  };
  const workers = Object.entries(handlers).map(([name, { at, handle }]) =>
    queues.work(name as QueueName, at, async (wakeUp) => {
      busy++;
      try {
        await handle(wakeUp);
      } catch (error) {
        warn({ queue: name, wakeUp, err: error }, 'work failed; it comes back by itself');
        throw error;
      } finally {
        busy--;
      }
    }),
  );
  return {
    busy: () => busy,
    stop: async (deadlineMs) => {
      shop.inFlight.close();
      const closing = Promise.all(workers.map((worker) => worker.close()));
      if (await doneInTime(closing, deadlineMs)) return;
      log.warn({ busy }, 'stopped with work in flight; its leases run out');
      for (const worker of workers) worker.abandon();
    },
  };
}
