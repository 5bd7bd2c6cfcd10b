// Redis, where the queues live in it. It may lose everything without harm; what it must not do is drop jobs silently.
import type { BridgeSettings } from '../../tenants/bridge-settings.js';
import { readRedisFacts } from '../../worker/redis-facts.js';
import { type DoctorFinding, failureOf, ok, warning } from './finding.js';

const AREA = 'redis';

export async function checkRedis({ redisUrl }: BridgeSettings): Promise<DoctorFinding[]> {
  if (redisUrl === null) return [ok(AREA, 'not used: the queues live in PostgreSQL')];
  try {
    const { version, maxMemoryPolicy, appendOnly } = await readRedisFacts(redisUrl);
    const findings = [ok(AREA, `Redis ${version}`)];
    if (maxMemoryPolicy !== 'noeviction') {
      const message = `maxmemory-policy is ${maxMemoryPolicy}: Redis would drop jobs when it is full.`;
      findings.push(warning(AREA, message, 'Set `maxmemory-policy noeviction` in redis.conf.'));
    } else findings.push(ok(AREA, 'maxmemory-policy noeviction'));
    if (appendOnly) findings.push(ok(AREA, 'append-only file on'));
    else {
      const message = 'The append-only file is off: a restart of Redis forgets what was queued.';
      const remedy =
        'Set `appendonly yes`. Nothing is lost without it, but work waits up to a minute to be woken again.';
      findings.push(warning(AREA, message, remedy));
    }
    return findings;
  } catch (error) {
    return [failureOf(AREA, error)];
  }
}
