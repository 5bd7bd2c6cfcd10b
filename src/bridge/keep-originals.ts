// The stage of originals, wired: where they are kept, their records, and the keeper that carries them.
import { doneInTime } from '../http/in-time.js';
import type { BridgeSettings } from '../tenants/bridge-settings.js';
import { openVault } from './open-vault.js';
import { type FailPoints, NO_FAIL_POINTS } from '../sync/fail-points.js';
import { POST_TIMING, type PostTiming } from '../sync/work.js';
import type { Database } from '../store/database.js';
import { createLeases } from '../store/dispatch-store.js';
import { createOriginalsStore } from '../store/originals-store.js';
import type { Connections } from '../worker/connections.js';
import { startOriginalsKeeper } from '../worker/originals-keeper.js';
import { SYSTEM_RUNTIME } from '../worker/system-runtime.js';

export interface KeepOriginalsOptions {
  readonly settings: BridgeSettings;
  readonly failPoints?: FailPoints;
  readonly timing?: PostTiming;
}

export function keepOriginals(
  options: KeepOriginalsOptions,
  { prisma }: Database,
  connections: Connections,
  { owner, onError }: { readonly owner: string; readonly onError: (error: unknown) => void },
) {
  const store = createOriginalsStore(prisma);
  const vault = openVault(options.settings);
  const keeper = startOriginalsKeeper({
    owner,
    store,
    stage: {
      runtime: SYSTEM_RUNTIME,
      records: store,
      vault,
      failPoints: options.failPoints ?? NO_FAIL_POINTS,
      timing: options.timing ?? POST_TIMING,
    },
    dispatch: createLeases(prisma),
    connections,
    onError,
  });
  return {
    /** What is under way when the time is up comes back when its lease runs out. */
    stop: async () => {
      await doneInTime(keeper.stop(), options.settings.shutdownMs);
      await vault.close();
    },
  };
}
