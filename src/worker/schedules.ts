// The schedules of the tenants: node-cron in every process, one tick in the database. Whoever writes the tick's row first
// runs it; the others find it written.
import type { TenantName } from '../domain/ids.js';
import cron, { type ScheduledTask } from 'node-cron';
import type { TenantStore } from '../store/tenant-store.js';
import type { Tenant } from '../tenants/tenant.js';

export interface Schedules {
  update(tenants: readonly Tenant[]): Promise<void>;
  nextRun(tenantName: TenantName): Date | null;
  stop(): Promise<void>;
}

export interface ScheduleOptions {
  readonly owner: string;
  readonly store: TenantStore;
  readonly onTick: (tenantName: TenantName) => void;
  readonly onError: (error: unknown) => void;
}

export function createSchedules({ owner, store, onTick, onError }: ScheduleOptions): Schedules {
  const tasks = new Map<string, { readonly spec: string; readonly task: ScheduledTask }>();

  async function fire(tenantName: TenantName, scheduledAt: Date): Promise<void> {
    try {
      // Replicas' clocks differ by less than a second; the schedule's own moment is what they agree on.
      const moment = new Date(Math.floor(scheduledAt.getTime() / 1000) * 1000);
      if (await store.tick(tenantName, moment, owner)) onTick(tenantName);
    } catch (error) {
      onError(error);
    }
  }

  async function drop(name: string): Promise<void> {
    await tasks.get(name)?.task.destroy();
    tasks.delete(name);
  }

  return {
    update: async (tenants) => {
      const wanted = new Map(
        tenants.filter((tenant) => !tenant.paused).map((tenant) => [tenant.name, tenant]),
      );
      for (const [name, { spec }] of tasks) {
        const tenant = wanted.get(name);
        if (!tenant || specOf(tenant) !== spec) await drop(name);
      }
      for (const tenant of wanted.values()) {
        if (tasks.has(tenant.name)) continue;
        const task = cron.schedule(tenant.schedule.cron, (context) => fire(tenant.name, context.date), {
          timezone: tenant.schedule.timeZone,
          noOverlap: true,
        });
        tasks.set(tenant.name, { spec: specOf(tenant), task });
      }
    },
    nextRun: (name) => tasks.get(name)?.task.getNextRun() ?? null,
    stop: async () => {
      for (const name of [...tasks.keys()]) await drop(name);
    },
  };
}

function specOf(tenant: Tenant): string {
  return `${tenant.schedule.timeZone} ${tenant.schedule.cron}`;
}
