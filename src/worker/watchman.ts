// Silence is a signal. One process at a time makes the round: tenants that went quiet, sweeps that are overdue, grants that
// would die unused, the nightly reconciliation, and old rows that nobody will ask for.
import { setTimeout as sleep } from 'node:timers/promises';
import type { DispatchStore } from '../store/dispatch-store.js';
import type { WatchStore } from '../store/watch-store.js';
import type { Tenant } from '../tenants/tenant.js';

export interface WatchmanOptions {
  readonly owner: string;
  readonly store: WatchStore;
  readonly dispatch: DispatchStore;
  readonly tenants: () => readonly Tenant[];
  readonly keepAlive: (tenant: Tenant) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

const ROUND_MS = 10 * 60 * 1000;
const DAYS_BUSY = 5;
const DAYS_SILENT = 3;
const OVERDUE_MS = 6 * 60 * 60 * 1000;
const RECONCILED_DAYS = 35;
const DAYS_KEPT = 90;

export interface Watchman {
  stop(): Promise<void>;
}

export function startWatchman(options: WatchmanOptions): Watchman {
  const stopped = new AbortController();
  const rounds = async () => {
    while (!stopped.signal.aborted) {
      try {
        if (await options.dispatch.take('watchman', options.owner, ROUND_MS)) await makeRound(options);
      } catch (error) {
        options.onError(error);
      }
      await sleep(ROUND_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  };
  const running = rounds();
  return {
    stop: async () => {
      stopped.abort();
      await running;
    },
  };
}

export async function makeRound({ store, tenants, keepAlive, onError }: WatchmanOptions): Promise<void> {
  await store.openSilence(DAYS_BUSY, DAYS_SILENT);
  await store.openOverdue(OVERDUE_MS);
  await store.requestReconciliations(RECONCILED_DAYS);
  await store.forget(DAYS_KEPT);
  for (const tenant of tenants()) await keepAlive(tenant).catch(onError);
}
