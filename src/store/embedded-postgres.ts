// With no DATABASE_URL the records live in a PostgreSQL of our own under the data directory. Whoever comes first starts
// it, everybody else joins, the last one out stops it; a server whose bridge was killed is found and used again. No lock
// files: who runs is in PostgreSQL's pid file, who uses it in its advisory locks, and both survive a kill -9 of anybody.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { CodedError } from '../domain/errors/coded-error.js';
import { Secret } from '../domain/secret.js';
import { type Cluster, ensureCluster, SERVER_LOGIN } from './embedded/cluster.js';
import {
  type Postmaster,
  runningPostmaster,
  startPostmaster,
  stopPostmaster,
} from './embedded/postmaster.js';
import { type DatabaseRole, enter, leave, LOCK_SPACE, MAKING } from './embedded/presence.js';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PRIVATE_FILE } from '../domain/private-files.js';

export interface EmbeddedPostgres {
  /** Of the role that owns nothing. Carries the password. */
  readonly url: Secret;
  /** Of the role that owns the tables, and the server. */
  readonly ownerUrl: Secret;
  readonly serverPid: number;
  readonly serverVersion: string;
  /** Comes with the bridge, and is not the machine's. */
  readonly isBundled: boolean;
  /** Leaves; stops the server when nobody else uses it. */
  close(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly dataDirectory: string;
  readonly role: DatabaseRole;
  /** Server settings on top of ours; they only count for whoever starts the server. */
  readonly settings?: Readonly<Record<string, string>>;
  /** False for tests, which can lose everything: then nothing waits for the disk. */
  readonly durable?: boolean;
  /** Always the PostgreSQL that comes with the bridge, for tests. */
  readonly isBundled?: boolean;
  /** Heard when the server was lost and could not be had again. */
  readonly onLost?: (error: unknown) => void;
}

const DATABASE = 'ledgerbridge';
const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off' };
const ENTER_MS_MAX = 60_000;
const REJOIN_ATTEMPTS_MAX = 60;
const REJOIN_PAUSE_MS = 1_000;

interface Joined {
  readonly server: Postmaster;
  readonly session: pg.Client;
}

export async function joinOrStart(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const cluster = await ensureCluster(options.dataDirectory, {
    durable: options.durable ?? true,
    isBundled: options.isBundled ?? false,
  });
  let joined = await joinCluster(cluster, options);
  let serverVersion: string;
  let password: Secret;
  try {
    serverVersion = await ensureDatabase(joined.session);
    password = await ensureRuntimeLogin(joined.session, cluster);
  } catch (error) {
    await depart(cluster, joined);
    throw error;
  }
  let closed = false;
  let rejoining: Promise<void> = Promise.resolve();

  const watch = (session: pg.Client): void => {
    session.once('end', () => {
      if (!closed) rejoining = rejoin();
    });
  };
  const rejoin = async (): Promise<void> => {
    // The same socket: pools and queues out there go on using the address they were given.
    for (let attempt = 1; !closed; attempt++) {
      try {
        joined = await joinCluster(cluster, options);
        watch(joined.session);
        return;
      } catch (error) {
        if (attempt >= REJOIN_ATTEMPTS_MAX) return options.onLost?.(error);
        await sleep(REJOIN_PAUSE_MS);
      }
    }
  };
  watch(joined.session);

  return {
    url: connectionUrl(RUNTIME_LOGIN, password, joined.server),
    ownerUrl: connectionUrl(SERVER_LOGIN, cluster.password, joined.server),
    serverVersion,
    isBundled: cluster.programs.isBundled,
    get serverPid() {
      return joined.server.pid;
    },
    close: async () => {
      if (closed) return;
      closed = true;
      // Whoever is just coming back is let in first: what nobody holds, nobody stops.
      await rejoining;
      await depart(cluster, joined);
    },
  };
}

async function joinCluster(cluster: Cluster, options: EmbeddedOptions): Promise<Joined> {
  const deadline = performance.now() + ENTER_MS_MAX;
  for (;;) {
    const server =
      runningPostmaster(cluster) ??
      (await startPostmaster(cluster, {
        ...(options.durable === false ? NOT_DURABLE : {}),
        ...options.settings,
      }));
    const entry = await enter(cluster, server, options.role);
    if (entry.kind === 'entered') return { server, session: entry.session };
    if (performance.now() > deadline) {
      throw new CodedError(
        'EMBEDDED_DATABASE_START',
        `The embedded PostgreSQL (process ${server.pid}) accepts no connection.`,
        { details: { pid: server.pid } },
      );
    }
    await sleep(50);
  }
}

async function depart(cluster: Cluster, { server, session }: Joined): Promise<void> {
  // When the session is lost the server is gone, or others keep it: nothing for us to stop.
  const last = await leave(session).catch(() => false);
  if (last) await stopPostmaster(cluster, server);
  await session.end().catch(() => undefined);
}

const DUPLICATE_DATABASE = '42P04';

/** Says of which version the server is. */
async function ensureDatabase(session: pg.Client): Promise<string> {
  const { rows } = await session.query<{ version: string; there: boolean }>(
    `SELECT current_setting('server_version') AS version,
       EXISTS (SELECT FROM pg_database WHERE datname = $1) AS there`,
    [DATABASE],
  );
  const version = rows[0]?.version ?? '';
  if (rows[0]?.there) return version;
  try {
    await session.query(`CREATE DATABASE ${DATABASE}`);
  } catch (error) {
    const { code } = error as { code?: string };
    // Two first starts at once: the other one made it. (23505 when both were in the catalogue at the same moment.)
    if (code !== DUPLICATE_DATABASE && code !== '23505') throw error;
  }
  return version;
}

function connectionUrl(login: string, password: Secret, { host, port }: Postmaster): Secret {
  const url = new URL(`postgresql://${login}:${password.reveal()}@localhost:${port}/${DATABASE}`);
  url.searchParams.set('host', host);
  url.searchParams.set('sslmode', 'disable');
  return new Secret(url.href);
}

// The role that a bridge on the embedded server works as: it owns nothing there. Made when it is missing, also in the files of an earlier version or
// of a backup. Its password is beside the server's own, so this holds against statements, not against who reads the files.

export const RUNTIME_LOGIN = 'ledgerbridge_runtime';

/** Its password. `session` is of the server's own login. */
export async function ensureRuntimeLogin(session: pg.Client, { home }: Cluster): Promise<Secret> {
  const file = join(home, 'runtime-password');
  const there = async () =>
    (await session.query('SELECT FROM pg_roles WHERE rolname = $1', [RUNTIME_LOGIN])).rowCount === 1;
  if (existsSync(file) && (await there())) return readPassword(file);
  await session.query('SELECT pg_advisory_lock($1, $2)', [LOCK_SPACE, MAKING]);
  try {
    const isThere = await there();
    if (existsSync(file) && isThere) return readPassword(file);
    const password = existsSync(file)
      ? readPassword(file)
      : new Secret(randomBytes(24).toString('base64url'));
    await session.query(
      `${isThere ? 'ALTER' : 'CREATE'} ROLE ${RUNTIME_LOGIN} LOGIN NOSUPERUSER NOCREATEROLE NOCREATEDB
       PASSWORD ${session.escapeLiteral(password.reveal())}`,
    );
    // After the role: a file without one is found out, a password that the role does not have would not be.
    writeFileSync(`${file}.new`, `${password.reveal()}\n`, { mode: PRIVATE_FILE });
    renameSync(`${file}.new`, file);
    return password;
  } finally {
    await session.query('SELECT pg_advisory_unlock($1, $2)', [LOCK_SPACE, MAKING]);
  }
}

function readPassword(file: string): Secret {
  return new Secret(readFileSync(file, 'utf8').trim());
}
