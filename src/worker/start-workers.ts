// The workers of one process, and how they stop: no new jobs, those under way get a deadline, and what they held comes back
// to others when its lease runs out.
import { doneInTime } from '../http/in-time.js';
import { seldom } from '../telemetry/log.js';
import type { Reconciler } from './reconciler.js';
import { type About, handleSweep, handleTurns, type Workshop } from './handlers.js';
import type { Stage, WakeUp } from '../sync/turns.js';
import type { QueueName, Queues } from './queues.js';

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

/** More at once, when hundreds of companies are swept together, would only keep documents from being posted meanwhile. */
const SWEEPS_MAX = 16;

type Handle = (wakeUp: WakeUp, about: About) => Promise<void>;

export function startWorkers({ shop, queues, concurrency, reconciler, log }: WorkersOptions): Workers {
  let busy = 0;
  const warn = seldom((facts, message) => log.warn(facts, message));
  const tellFailed = (queue: string, wakeUp: WakeUp, about: About, error: unknown) =>
    warn({ queue, ...about, wakeUp, err: error }, 'work failed; it comes back by itself');
  const turns = (stage: Stage) => ({
    at: concurrency,
    handle: (wakeUp: WakeUp, about: About) =>
      handleTurns(shop, stage, wakeUp, about, (other, error) => tellFailed(stage, wakeUp, other, error)),
  });
  const handlers: Record<QueueName, { at: number; handle: Handle }> = {
    post: turns('post'),
    'write-back': turns('write-back'),
    sweep: {
      at: Math.min(SWEEPS_MAX, Math.ceil(concurrency / 2)),
      handle: (wakeUp, about) =>
        handleSweep(shop, wakeUp, undefined, about, (other, error) =>
          tellFailed('sweep', wakeUp, other, error),
        ),
    },
    reconcile: { at: 1, handle: (wakeUp) => reconciler.handle(wakeUp) },
  };
  const workers = Object.entries(handlers).map(([name, { at, handle }]) =>
    queues.work(name as QueueName, at, async (wakeUp) => {
      busy++;
      const about: About = wakeUp.tenantName ? { tenant: wakeUp.tenantName } : {};
      try {
        await handle(wakeUp, about);
      } catch (error) {
        tellFailed(name, wakeUp, about, error);
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
