// A bridge in a process of its own, for tests that kill it. Told by the environment: BED (JSON of the settings), FAIL_AT
// (`point:count:signal`): the process sends itself the signal when it reaches the point for the count-th time. Told by a message: holds, at
// which records of several tenants wait, each where it came to first. Each is reported, so that one death finds every step.
import { Secret } from '../../src/domain/secret.js';
import { type BridgeOptions, startBridge } from '../../src/bridge/start-bridge.js';
import type { Reaching } from '../../src/sync/fail-points.js';
import { createLog } from '../../src/telemetry/log.js';
import type { BridgeSettings } from '../../src/tenants/bridge-settings.js';
import type { PostTiming } from '../../src/sync/work.js';

interface Given {
  readonly settings: Omit<BridgeSettings, 'databaseUrl' | 'redisUrl' | 'key'>;
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  readonly key: string | null;
  readonly timing: PostTiming;
  readonly outgoing: Pick<BridgeOptions, 'outgoingTiming' | 'outgoingPace'>;
}

/** A record of this kind waits here; null: the step is the tenant's own, and nobody waits but the last. */
export interface Hold {
  readonly point: string;
  readonly tenant: string;
  readonly kind: string | null;
}

export interface KilledTogether {
  readonly holds: readonly Hold[];
}

const given = JSON.parse(process.env['BED'] ?? '{}') as Given;
const [point, count, signal] = (process.env['FAIL_AT'] ?? '').split(':');
let reached = 0;
const awaited = new Set<string>();
const nameOf = ({ point: at, tenant, kind }: Hold) => `${at} ${tenant} ${kind ?? ''}`;

function reachTogether(at: string, { tenantName: tenant, kind }: Reaching): Promise<void> {
  if (!awaited.delete(nameOf({ point: at, tenant, kind: kind ?? null }))) return Promise.resolve();
  process.send?.({ held: `${at} ${tenant} ${kind ?? ''}` });
  // Tenants are looked at one after the other: what was taken in stays as it is until all were.
  return kind === undefined && awaited.size > 0 ? Promise.resolve() : new Promise<never>(() => undefined);
}

process.on('message', ({ holds }: KilledTogether) => {
  for (const hold of holds) awaited.add(nameOf(hold));
  process.send?.({ awaits: awaited.size });
});

const bridge = await startBridge({
  settings: {
    ...given.settings,
    databaseUrl: new Secret(given.databaseUrl),
    redisUrl: given.redisUrl === null ? null : new Secret(given.redisUrl),
    key: given.key === null ? null : new Secret(given.key),
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
      return who ? reachTogether(at, who) : Promise.resolve();
    },
  },
});
process.send?.({ url: bridge.http?.url });
process.on('SIGTERM', () => void bridge.close().then(() => process.exit(0)));
