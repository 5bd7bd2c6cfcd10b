// Goes on with runs that nobody works on any more, because their process died or never began. One look every few seconds.
import type { Operations } from './operations.js';

export interface RunKeeper {
  stop(): Promise<void>;
}

const EVERY_MS = 5_000;

export function startRunKeeper(
  operations: Pick<Operations, 'workOff'>,
  onError: (error: unknown) => void,
  everyMs = EVERY_MS,
): RunKeeper {
  const stop = new AbortController();
  let working: Promise<void> | null = null;
  const timer = setInterval(() => {
    working ??= operations
      .workOff({ signal: stop.signal })
      .catch(onError)
      .finally(() => (working = null));
  }, everyMs);
  return {
    stop: async () => {
      clearInterval(timer);
      stop.abort();
      await working;
    },
  };
}
