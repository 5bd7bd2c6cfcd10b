// The schedules of the tenants: node-cron in every process, one task for all that have the same schedule, one tick each in the
// database. Whoever writes the tick's row first runs it; the others find it written.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import cron, { type ScheduledTask } from 'node-cron';
import type { TenantName } from '../domain/ids.js';
import type { TenantStore } from '../store/tenant-store.js';
import type { Tenant } from '../tenants/tenant.js';
import type { Runtime, Timers } from '../domain/runtime.js';

export interface Schedules {
  update(tenants: readonly Tenant[]): Promise<void>;
  stop(): Promise<void>;
}

export interface ScheduleOptions {
  readonly owner: string;
  readonly store: TenantStore;
  readonly onTick: () => void;
  readonly onError: (error: unknown) => void;
}

interface Schedule {
  readonly task: ScheduledTask;
  readonly names: TenantName[];
}

export function createSchedules({ owner, store, onTick, onError }: ScheduleOptions): Schedules {
  const schedules = new Map<string, Schedule>();

  async function fire(spec: string, scheduledAt: Date): Promise<void> {
    try {
      // Replicas' clocks differ by less than a second; the schedule's own moment is what they agree on.
      const moment = new Date(Math.floor(scheduledAt.getTime() / 1000) * 1000);
      const fired = await store.tick(schedules.get(spec)?.names ?? [], moment, owner);
      if (fired.length > 0) onTick();
    } catch (error) {
      onError(error);
    }
  }

  function start({ cron: expression, timeZone }: Tenant['schedule'], spec: string): ScheduledTask {
    const options = { timezone: timeZone, noOverlap: true };
    return cron.schedule(expression, (context) => fire(spec, context.date), options);
  }

  async function drop(spec: string): Promise<void> {
    await schedules.get(spec)?.task.destroy();
    schedules.delete(spec);
  }

  return {
    update: async (tenants) => {
      const wanted = new Set(tenants.filter(({ paused }) => !paused).map(specOf));
      for (const spec of [...schedules.keys()]) if (!wanted.has(spec)) await drop(spec);
      for (const { names } of schedules.values()) names.length = 0;
      for (const { name, paused, schedule } of tenants) {
        if (paused) continue;
        const spec = specOf({ schedule });
        const known = schedules.get(spec) ?? { task: start(schedule, spec), names: [] };
        known.names.push(name);
        schedules.set(spec, known);
      }
    },
    stop: async () => {
      for (const spec of [...schedules.keys()]) await drop(spec);
    },
  };
}

function specOf({ schedule }: Pick<Tenant, 'schedule'>): string {
  return `${schedule.timeZone} ${schedule.cron}`;
}

// The real clock, timers and chance, for everything that takes a Runtime.

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
