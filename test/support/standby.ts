// A PostgreSQL and its standby, of the binaries that the bridge brings along, behind one address: for tests in which the server is
// stopped at once, its standby is promoted, or an older copy of its files is put in its place. Whoever is connected is cut off and
// finds whatever stands at the address next.
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { chown, readdir } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './redis.js';
import { type Cluster, ensureCluster, SERVER_LOGIN } from '../../src/store/embedded/cluster.js';
import {
  type Postmaster,
  runningPostmaster,
  startPostmaster,
  stopPostmaster,
} from '../../src/store/embedded/postmaster.js';

/** Nothing of these tests survives a power cut; what a killed server wrote is still with the system. */
const SETTINGS = {
  ...{ fsync: 'off', max_wal_senders: '4', wal_level: 'replica', shared_buffers: '16MB' },
  // A copy of it takes the log along, on a disk that is small on purpose.
  ...{ min_wal_size: '32MB', max_wal_size: '48MB' },
};

/** By a port each, for the proxy before them. */
async function settings(more: Readonly<Record<string, string>> = {}): Promise<Record<string, string>> {
  return { ...SETTINGS, listen_addresses: '127.0.0.1', port: String(await freePort()), ...more };
}

export interface Pair {
  /** Of the address that never changes. */
  readonly url: string;
  /** The present server is stopped cleanly and its files are copied: to a standby, and to a backup. */
  prepare(kind: 'standby' | 'synchronous' | 'backup'): Promise<void>;
  /** From now on the standby receives nothing. */
  lag(): Promise<void>;
  /** The server dies at once (SIGQUIT: "immediate"), and its standby takes its place. */
  promote(): Promise<void>;
  /** The same, and the copy of its files takes its place. */
  putBack(): Promise<void>;
  /** It dies at once and is started again on its own files. */
  stopAtOnce(): Promise<void>;
  /** Every connection is cut, whatever is in the middle of it. */
  cut(): void;
  close(): Promise<void>;
}

interface Member {
  readonly cluster: Cluster;
  server: Postmaster;
}

export async function startPair(root = mkdtempSync(join(tmpdir(), 'ledgerbridge-pair-'))): Promise<Pair> {
  let number = 1;
  const proxy = await startProxy();
  const first = await ensureCluster(join(root, 'one'), { durable: false, isBundled: true });
  let present: Member = { cluster: first, server: await startPostmaster(first, await settings()) };
  let other: Cluster | null = null;
  let standby: Member | null = null;
  proxy.leadTo(present.server.port);
  await admin(present, 'CREATE DATABASE ledgerbridge').catch(() => undefined);

  const replaceBy = async (next: Member) => {
    const old = present;
    if (runningPostmaster(old.cluster)) process.kill(old.server.pid, 'SIGQUIT');
    proxy.leadTo(null);
    proxy.cut();
    while (runningPostmaster(old.cluster)) await sleep(10);
    present = next;
    if (old.cluster.home !== next.cluster.home) rmSync(old.cluster.home, { recursive: true, force: true });
  };
  const pair: Pair = {
    url: `postgresql://${SERVER_LOGIN}:${first.password.reveal()}@127.0.0.1:${proxy.port}/ledgerbridge?sslmode=disable`,
    prepare: async (kind) => {
      proxy.leadTo(null);
      proxy.cut();
      // Every promotion begins a log of its own in the same segment; whatever is before the next one goes when the server stops.
      await admin(present, 'SELECT pg_switch_wal()');
      await stopPostmaster(present.cluster, present.server);
      other = await copyOf(present.cluster, join(root, String(++number)));
      const waits = kind === 'synchronous' ? { synchronous_standby_names: '*' } : {};
      present.server = await startPostmaster(present.cluster, await settings(waits));
      if (kind !== 'backup') standby = await follow(other, present);
      proxy.leadTo(present.server.port);
    },
    lag: async () => {
      if (!standby) throw new Error('there is no standby');
      leadStandby(standby.cluster, '');
      await admin(standby, 'SELECT pg_reload_conf()');
      await received(standby, false);
    },
    promote: async () => {
      const next = standby;
      if (!next) throw new Error('there is no standby');
      standby = null;
      await replaceBy(next);
      await promoted(next);
      proxy.leadTo(next.server.port);
    },
    putBack: async () => {
      if (!other) throw new Error('there is no backup');
      const cluster = other;
      other = null;
      await replaceBy({ cluster, server: { pid: 0, port: 0, host: '' } });
      present.server = await startPostmaster(cluster, await settings());
      proxy.leadTo(present.server.port);
    },
    stopAtOnce: async () => {
      await replaceBy(present);
      present.server = await startPostmaster(present.cluster, await settings());
      proxy.leadTo(present.server.port);
    },
    cut: () => proxy.cut(),
    close: async () => {
      proxy.close();
      for (const member of [present, standby])
        if (member) await stopPostmaster(member.cluster, member.server).catch(() => undefined);
      for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true, force: true });
    },
  };
  return pair;
}

async function copyOf(cluster: Cluster, home: string): Promise<Cluster> {
  cpSync(cluster.home, join(home, 'postgres'), { recursive: true, preserveTimestamps: true });
  await owned(join(home, 'postgres', 'cluster'), cluster);
  return ensureCluster(home, { durable: false, isBundled: true });
}

async function owned(directory: string, { user }: Cluster): Promise<void> {
  if (user === null) return;
  await chown(directory, user.uid, user.gid);
  for (const entry of await readdir(directory, { recursive: true }))
    await chown(join(directory, entry), user.uid, user.gid);
}

async function follow(cluster: Cluster, { server }: Member): Promise<Member> {
  writeFileSync(join(cluster.directory, 'standby.signal'), '');
  leadStandby(
    cluster,
    `host=127.0.0.1 port=${server.port} user=${SERVER_LOGIN} password=${cluster.password.reveal()}`,
  );
  const more = { hot_standby: 'on', wal_retrieve_retry_interval: '100ms' };
  const member = { cluster, server: await startPostmaster(cluster, await settings(more)) };
  await received(member, true);
  return member;
}

function leadStandby(cluster: Cluster, primary: string): void {
  writeFileSync(join(cluster.directory, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
}

/** Until it follows, or does so no longer. */
async function received(member: Member, wanted: boolean): Promise<void> {
  const streams = "SELECT 1 FROM pg_stat_wal_receiver WHERE status = 'streaming'";
  for (let tries = 0; tries < 800; tries++) {
    if ((await admin(member, streams)).rowCount === (wanted ? 1 : 0)) return;
    await sleep(25);
  }
  throw new Error(wanted ? 'the standby does not follow' : 'the standby still follows');
}

async function promoted(member: Member): Promise<void> {
  await admin(member, 'SELECT pg_promote(true, 60)');
  for (let tries = 0; tries < 400; tries++) {
    const { rows } = await admin(member, 'SELECT pg_is_in_recovery() AS behind');
    if ((rows as { behind: boolean }[])[0]?.behind === false) return;
    await sleep(25);
  }
  throw new Error('the standby was not promoted');
}

async function admin({ cluster, server }: Member, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port: server.port,
    user: SERVER_LOGIN,
    password: cluster.password.reveal(),
    database: 'postgres',
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end().catch(() => undefined);
  }
}

interface Proxy {
  readonly port: number;
  leadTo(port: number | null): void;
  cut(): void;
  close(): void;
}

async function startProxy(): Promise<Proxy> {
  let target: number | null = null;
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    if (target === null) return void client.destroy();
    const upstream = connect(target, '127.0.0.1');
    for (const [one, two] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => two.destroy());
      one.on('close', () => {
        sockets.delete(one);
        two.destroy();
      });
      one.pipe(two);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (port) => void (target = port),
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
