// A bridge in a process of its own, for tests that kill it. Told by the environment: BED (JSON of the settings), FAIL_AT
// (`point:count:signal`): the process sends itself the signal when it reaches the point for the count-th time.
import { Secret } from '../../src/domain/secret.js';
import { type BridgeOptions, startBridge } from '../../src/bridge/start-bridge.js';
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

const given = JSON.parse(process.env['BED'] ?? '{}') as Given;
const [point, count, signal] = (process.env['FAIL_AT'] ?? '').split(':');
let reached = 0;

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
    reach: (at) => {
      if (at === point && ++reached === Number(count)) process.kill(process.pid, signal);
      return Promise.resolve();
    },
  },
});
process.send?.({ url: bridge.http?.url });
process.on('SIGTERM', () => void bridge.close().then(() => process.exit(0)));
