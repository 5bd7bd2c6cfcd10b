// The real clock, timers and chance, for everything that takes a Runtime.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Runtime } from '../domain/runtime.js';

export const SYSTEM_RUNTIME: Runtime = {
  clock: { now: () => new Date() },
  timers: {
    sleep: async (ms, signal) => {
      await sleep(ms, undefined, signal ? { signal } : {});
    },
  },
  random: { next: () => Math.random(), uuid: () => randomUUID() },
};
