// REDIS_URL as something BullMQ connects with: one server (redis://, rediss://); Sentinel as
// redis+sentinel://user:password@host:26379/name?sentinels=host2:26379,host3:26379&db=0; Cluster as
// redis+cluster://user:password@host:6379?nodes=host2:6379,host3:6379 (any of its nodes will do; `tls=1` for TLS).
import type { RedisOptions } from 'bullmq';
import { Cluster } from 'ioredis';
import type { Secret } from '../domain/secret.js';

const SENTINEL_PORT = 26_379;
const REDIS_PORT = 6_379;
/** Between tries to reach a Redis that is gone; work goes on being found by the database meanwhile. */
const RETRY_MS_MAX = 5_000;

const retryStrategy = (times: number) => Math.min(times * 200, RETRY_MS_MAX);
// BullMQ wants its blocking connections to wait for Redis for ever.
const PATIENT = { maxRetriesPerRequest: null, retryStrategy };

/** Of a cluster: its first node alone, which is enough to ask what it is. */
export function redisConnection(url: Secret): RedisOptions {
  const address = new URL(url.reveal());
  if (isCluster(url))
    return { ...PATIENT, ...hostsOf(address, 'nodes', REDIS_PORT)[0], ...accessOf(address) };
  if (address.protocol !== 'redis+sentinel:') return { url: url.reveal(), ...PATIENT };
  return {
    ...PATIENT,
    name: address.pathname.slice(1),
    sentinels: hostsOf(address, 'sentinels', SENTINEL_PORT),
    db: Number(address.searchParams.get('db') ?? 0),
    ...accessOf(address),
  };
}

export function isCluster(url: Secret): boolean {
  return new URL(url.reveal()).protocol === 'redis+cluster:';
}

/** A client of all its nodes; whoever made it closes it, since BullMQ only borrows it. */
export function clusterConnection(url: Secret): Cluster {
  const address = new URL(url.reveal());
  const cluster = new Cluster(hostsOf(address, 'nodes', REDIS_PORT), {
    clusterRetryStrategy: retryStrategy,
    redisOptions: { maxRetriesPerRequest: null, ...accessOf(address) },
  });
  // Said by the queues that use it.
  cluster.on('error', () => undefined);
  return cluster;
}

function accessOf({ username, password, searchParams }: URL) {
  return {
    ...(searchParams.get('tls') === '1' ? { tls: {} } : {}),
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
  };
}

function hostsOf(address: URL, others: string, defaultPort: number): { host: string; port: number }[] {
  const named = (address.searchParams.get(others) ?? '').split(',').filter((host) => host !== '');
  return [address.host, ...named].map((text) => {
    const { hostname, port } = new URL(`redis://${text}`);
    return { host: hostname, port: port === '' ? defaultPort : Number(port) };
  });
}
