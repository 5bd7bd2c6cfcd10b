// A bridge in a process of its own, for tests that kill it. Told by the environment: BED (JSON of the settings), FAIL_AT
// (`point:count:signal`): the process sends itself the signal when it reaches the point for the count-th time. Told by a message: a point
// at which it is killed when each of several tenants has reached it. Whoever is there first waits, so that one death finds all of them at that step.
import { Secret } from '../../src/domain/secret.js';
import { type BridgeOptions, startBridge } from '../../src/bridge/start-bridge.js';
import type { Reaching } from '../../src/pipeline/fail-points.js';
import { createLog } from '../../src/telemetry/log.js';
import type { BridgeSettings } from '../../src/tenants/bridge-settings.js';
import type { PostTiming } from '../../src/pipeline/posting/post-stage.js';

interface Given {
  readonly settings: Omit<BridgeSettings, 'databaseUrl' | 'redisUrl'>;
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  readonly timing: PostTiming;
  readonly outgoing: Pick<BridgeOptions, 'outgoingTiming' | 'outgoingPace'>;
}

/** Of these tenants, each with a record of this kind; a step that has none is the tenant's own. */
export interface KilledTogether {
  readonly point: string;
  readonly tenants: readonly string[];
  readonly kind: string;
}

const given = JSON.parse(process.env['BED'] ?? '{}') as Given;
const [point, count, signal] = (process.env['FAIL_AT'] ?? '').split(':');
let reached = 0;
let together: KilledTogether | undefined;
const awaited = new Set<string>();

function reachTogether({ tenantName, kind }: Reaching): Promise<void> {
  if ((kind !== undefined && kind !== together?.kind) || !awaited.delete(tenantName))
    return Promise.resolve();
  if (awaited.size === 0) process.kill(process.pid, 'SIGKILL');
  // Tenants are looked at one after the other: what was taken in stays as it is until all were.
  return kind === undefined ? Promise.resolve() : new Promise<never>(() => undefined);
}

process.on('message', (message: KilledTogether) => {
  together = message;
  for (const tenant of message.tenants) awaited.add(tenant);
  process.send?.({ awaits: message.tenants });
});

const bridge = await startBridge({
  settings: {
    ...given.settings,
    databaseUrl: new Secret(given.databaseUrl),
    redisUrl: given.redisUrl === null ? null : new Secret(given.redisUrl),
  },
  env: process.env,
  role: 'all',
  version: 'test',
  log: createLog({
    level: (process.env['BED_LOG'] as 'info' | undefined) ?? 'fatal',
    format: 'json',
    isTty: false,
  }),
  timing: given.timing,
  ...given.outgoing,
  failPoints: {
    reach: (at, who) => {
      if (at === point && ++reached === Number(count)) process.kill(process.pid, signal);
      return at === together?.point && who ? reachTogether(who) : Promise.resolve();
    },
  },
});
process.send?.({ url: bridge.http?.url });
process.on('SIGTERM', () => void bridge.close().then(() => process.exit(0)));
