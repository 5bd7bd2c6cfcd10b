// A Redis of one's own: a free port, no files, ended with the test.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';

export interface TestRedis {
  readonly url: string;
  readonly client: Redis;
  /** Kills it; what it held is gone. */
  stop(): Promise<void>;
  /** Starts an empty one at the same address. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function startRedis({ cluster = false } = {}): Promise<TestRedis> {
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), 'ledgerbridge-redis-'));
  const url = `redis://127.0.0.1:${port}`;
  const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
  client.on('error', () => undefined);
  let server: ChildProcess;
  const start = async () => {
    const mode = cluster ? ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1'] : [];
    server = spawn('redis-server', [...SETTINGS, '--port', String(port), '--dir', directory, ...mode], {
      stdio: 'ignore',
    });
    for (let tries = 0; tries < 100; tries++) {
      if ((await client.ping().catch(() => '')) === 'PONG') break;
      await sleep(50);
    }
  };
  const stop = async () => {
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
  };
  await start();
  // A cluster of one node that has all the slots is a cluster.
  if (cluster) await becomeCluster(client);
  return {
    url: cluster ? url.replace('redis:', 'redis+cluster:') : url,
    client,
    start,
    stop,
    close: async () => {
      client.disconnect();
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function becomeCluster(client: Redis): Promise<void> {
  await client.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  for (let looks = 0; looks < 200; looks++) {
    if (String(await client.call('CLUSTER', 'INFO')).includes('cluster_state:ok')) return;
    await sleep(50);
  }
  throw new Error('the cluster never became one');
}

const SETTINGS = [
  '--bind',
  '127.0.0.1',
  '--save',
  '',
  '--appendonly',
  'no',
  '--maxmemory-policy',
  'noeviction',
];

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
