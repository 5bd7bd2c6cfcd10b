// REDIS_URL as connection options: one server (redis://, rediss://), or Sentinel as
// redis+sentinel://user:password@host:26379/name?sentinels=host2:26379,host3:26379&db=0.
import type { ConnectionOptions } from 'bullmq';
import type { Secret } from '../domain/secret.js';

const SENTINEL_PORT = 26_379;
/** Between tries to reach a Redis that is gone; work goes on being found by the database meanwhile. */
const RETRY_MS_MAX = 5_000;

export function redisConnection(url: Secret): ConnectionOptions {
  const common = {
    // BullMQ wants its blocking connections to wait for Redis for ever.
    maxRetriesPerRequest: null,
    retryStrategy: (times: number) => Math.min(times * 200, RETRY_MS_MAX),
  };
  const address = new URL(url.reveal());
  if (address.protocol !== 'redis+sentinel:') return { url: url.reveal(), ...common };
  const others = (address.searchParams.get('sentinels') ?? '').split(',').filter((host) => host !== '');
  return {
    ...common,
    name: address.pathname.slice(1),
    sentinels: [address.host, ...others].map(sentinel),
    db: Number(address.searchParams.get('db') ?? 0),
    ...(address.username ? { username: decodeURIComponent(address.username) } : {}),
    ...(address.password ? { password: decodeURIComponent(address.password) } : {}),
  };
}

function sentinel(host: string): { host: string; port: number } {
  const { hostname, port } = new URL(`redis://${host}`);
  return { host: hostname, port: port === '' ? SENTINEL_PORT : Number(port) };
}
