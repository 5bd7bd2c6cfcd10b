// Companies that have the same schedule fire together, in one question to the database.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TenantStore } from '../../../src/store/tenant-store.js';
import type { Tenant } from '../../../src/tenants/tenant.js';
import { createSchedules } from '../../../src/worker/schedules.js';

const SECOND_MS = 1_000;

function tenant(name: string, cron: string, paused = false): Tenant {
  return { name, paused, schedule: { cron, timeZone: 'Atlantic/Reykjavik' } } as Tenant;
}

function schedulesBed() {
  vi.useFakeTimers({ now: new Date('2026-01-01T00:00:00.500Z') });
  onTestFinished(() => void vi.useRealTimers());
  const asked: { readonly names: readonly string[]; readonly at: string }[] = [];
  const store = {
    tick: (names: readonly string[], at: Date) => {
      asked.push({ names: [...names], at: at.toISOString() });
      return Promise.resolve([...names]);
    },
  } as unknown as TenantStore;
  const onTick = vi.fn();
  const schedules = createSchedules({ owner: 'me', store, onTick, onError: () => undefined });
  onTestFinished(() => schedules.stop());
  return { schedules, asked, onTick };
}

describe('schedules', () => {
  it('fire once for all companies that have the same one, at its own moment', async () => {
    const { schedules, asked, onTick } = schedulesBed();
    await schedules.update([
      tenant('a', '*/2 * * * * *'),
      tenant('b', '*/2 * * * * *'),
      tenant('c', '0 3 * * *'),
    ]);
    await vi.advanceTimersByTimeAsync(2 * SECOND_MS);
    expect(asked).toEqual([{ names: ['a', 'b'], at: '2026-01-01T00:00:02.000Z' }]);
    expect(onTick).toHaveBeenCalledTimes(1);
  });

  it('leave out who is paused, has another schedule by now or is gone', async () => {
    const { schedules, asked } = schedulesBed();
    const every = '*/2 * * * * *';
    await schedules.update([tenant('a', every), tenant('b', every), tenant('c', every), tenant('d', every)]);
    await schedules.update([tenant('a', every), tenant('b', every, true), tenant('c', '0 3 * * *')]);
    await vi.advanceTimersByTimeAsync(2 * SECOND_MS);
    expect(asked.map(({ names }) => names)).toEqual([['a']]);
    await schedules.update([tenant('b', every, true)]);
    await vi.advanceTimersByTimeAsync(4 * SECOND_MS);
    expect(asked).toHaveLength(1);
  });
});
