// A process that starts while PostgreSQL is away waits for it, for a bounded time, and says so: after a power cut everything
// starts at once, and whoever gives up first needs a person.
import { setTimeout as sleep } from 'node:timers/promises';
import { isCoded } from '../domain/errors/coded-error.js';
import { type Database, type DatabaseOptions, openDatabase } from './database.js';

export interface Patience {
  readonly waitMs: number;
  /** Told at the first failure and about twice a minute from then on. */
  readonly onWaiting: (error: unknown, leftMs: number) => void;
}

const PAUSE_MS = 1_000;
const SAID_EVERY_MS = 30_000;

/** Only for one that cannot be reached: what a server refuses it refuses again. */
export async function awaitDatabase(options: DatabaseOptions, patience: Patience): Promise<Database> {
  const until = performance.now() + patience.waitMs;
  let saidAt = -Infinity;
  for (;;) {
    try {
      return await openDatabase(options);
    } catch (error) {
      const leftMs = until - performance.now();
      if (!isCoded(error, 'DATABASE_UNREACHABLE') || leftMs <= 0) throw error;
      if (performance.now() - saidAt >= SAID_EVERY_MS) {
        saidAt = performance.now();
        patience.onWaiting(error, leftMs);
      }
      await sleep(Math.min(PAUSE_MS, leftMs));
    }
  }
}
