// When a tenant is swept next, by its own file: every process can say so, whether it runs the schedules or not.
import cron from 'node-cron';
import type { Tenant } from './tenant.js';

const REMEMBERED_MAX = 5_000;
const remembered = new Map<string, Date>();

/** null: paused in its file. Worked out once per run: reading a cron expression takes milliseconds. */
export function nextRunOf(tenant: Pick<Tenant, 'paused' | 'schedule'>, now: Date): Date | null {
  if (tenant.paused) return null;
  const { cron: expression, timeZone } = tenant.schedule;
  const name = `${timeZone} ${expression}`;
  const known = remembered.get(name);
  if (known && known > now) return known;
  const task = cron.createTask(expression, () => undefined, { timezone: timeZone });
  const next = task.getNextRuns(1)[0] ?? null;
  void task.destroy();
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  if (next) remembered.set(name, next);
  return next;
}
