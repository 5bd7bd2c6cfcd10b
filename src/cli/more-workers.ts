// One JavaScript thread uses one core. `serve --workers N` starts N - 1 processes more, of the role `worker`, on the same records;
// one that dies is started again, ever less often if it keeps dying, and all of them stop with the first.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Log } from '../telemetry/log.js';

export interface MoreWorkersOptions {
  readonly count: number;
  /** Of one more worker: the program and its arguments. */
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  /** Before the first of several starts in a row. */
  readonly againMs?: number;
}

/** In a worker that was started so: aborted when the process that started it is gone. */
export function parentGone(): AbortSignal {
  const gone = new AbortController();
  process.once('disconnect', () => gone.abort());
  // It tells, and keeps nobody from ending.
  process.channel?.unref();
  return gone.signal;
}

export interface MoreWorkers {
  stop(): Promise<void>;
}

const AGAIN_MS = 1_000;
const AGAIN_MAX_MS = 60_000;
/** Whoever ran for this long is not one that keeps dying. */
const STEADY_MS = 60_000;

export function startMoreWorkers(options: MoreWorkersOptions): MoreWorkers {
  const stopping = new AbortController();
  const kept = Array.from({ length: options.count }, (_, index) =>
    keepRunning(options, index + 1, stopping.signal),
  );
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(kept);
    },
  };
}

async function keepRunning(options: MoreWorkersOptions, number: number, signal: AbortSignal): Promise<void> {
  const firstMs = options.againMs ?? AGAIN_MS;
  let againMs = firstMs;
  const isStopping = () => signal.aborted;
  while (!isStopping()) {
    const startedAt = performance.now();
    const how = await runToItsEnd(options, signal);
    if (isStopping()) return;
    if (performance.now() - startedAt > STEADY_MS) againMs = firstMs;
    options.log.error({ worker: number, ...how, againMs }, 'a worker process ended; it is started again');
    await waitFor(againMs, signal);
    againMs = Math.min(2 * againMs, AGAIN_MAX_MS);
  }
}

interface Ended {
  readonly code: number | null;
  readonly killedBy: string | null;
}

async function runToItsEnd({ command, env }: MoreWorkersOptions, signal: AbortSignal): Promise<Ended> {
  const [program, ...args] = command;
  // The channel is how a worker learns that this process was killed: nobody would stop it otherwise.
  const child: ChildProcess = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  try {
    const [code, killedBy] = (await once(child, 'exit')) as [number | null, string | null];
    return { code, killedBy };
  } catch {
    // It could not even be started.
    return { code: null, killedBy: null };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
