// The real clock, timers and chance, for everything that takes a Runtime.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Runtime, Timers } from '../domain/runtime.js';

export const SYSTEM_RUNTIME: Runtime = {
  clock: { now: () => new Date() },
  timers: {
    sleep: async (ms, signal) => {
      await sleep(ms, undefined, signal ? { signal } : {});
    },
  },
  random: { next: () => Math.random(), uuid: () => randomUUID() },
};

/** Of what goes on only while others do: keeps no process alive. */
export const IDLE_TIMERS: Timers = {
  sleep: async (ms, signal) => {
    await sleep(ms, undefined, { ref: false, ...(signal ? { signal } : {}) });
  },
};

/** Holds leases. Unique for each start: two containers may have one hostname, and the process 1 each. */
export function processOwner(): string {
  return `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
}
