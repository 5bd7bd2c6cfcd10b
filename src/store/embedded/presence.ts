// Who uses the embedded server. Every process holds one session with a shared advisory lock; PostgreSQL drops it when
// the process dies, however it dies. The last one out gets the lock exclusively and may stop the server. A whole bridge
// also holds the serving lock exclusively, and its parts (worker, scheduler, dashboard) share it.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { CodedError } from '../../domain/errors/coded-error.js';
import { SERVER_LOGIN, type Cluster } from './cluster.js';
import type { Postmaster } from './postmaster.js';

export const DATABASE_ROLES = ['bridge', 'worker', 'scheduler', 'dashboard', 'command'] as const;
export type DatabaseRole = (typeof DATABASE_ROLES)[number];

// Locks of the maintenance database, apart from the bridge's own; the first number is "LB" in ASCII.
export const LOCK_SPACE = 0x4c42;
const PRESENCE = 1;
const SERVING = 2;
/** Of the role that bridges work as. */
export const MAKING = 3;

/** A bridge that was killed a moment ago may still seem to serve. */
const SERVING_WAIT_MS = 2_000;

export type Entry = { kind: 'entered'; session: pg.Client } | { kind: 'closing' };

export async function enter(cluster: Cluster, server: Postmaster, role: DatabaseRole): Promise<Entry> {
  const session = new pg.Client({
    host: server.host,
    port: server.port,
    user: SERVER_LOGIN,
    password: cluster.password.reveal(),
    database: 'postgres',
    application_name: `ledgerbridge ${role} pid=${process.pid}`,
    // Never leaves the machine; and PGSSLMODE in somebody's environment is not about us.
    ssl: false,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // Without a listener a lost connection would end the process; whoever holds the session listens for 'end'.
  session.on('error', () => undefined);
  try {
    await session.connect();
    if (!(await tryLock(session, 'pg_try_advisory_lock_shared', PRESENCE))) return await closing(session);
    await serve(session, role);
    return { kind: 'entered', session };
  } catch (error) {
    await session.end().catch(() => undefined);
    if (isClosing(error)) return { kind: 'closing' };
    throw readably(error, cluster);
  }
}

async function closing(session: pg.Client): Promise<Entry> {
  await session.end();
  return { kind: 'closing' };
}

async function serve(session: pg.Client, role: DatabaseRole): Promise<void> {
  if (role === 'command') return;
  const take = role === 'bridge' ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared';
  const deadline = performance.now() + SERVING_WAIT_MS;
  while (!(await tryLock(session, take, SERVING))) {
    if (performance.now() > deadline) throw await taken(session);
    await sleep(100);
  }
}

async function taken(session: pg.Client): Promise<CodedError> {
  const { rows } = await session.query<{ name: string }>(
    `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE l.locktype = 'advisory' AND l.granted AND l.classid = $1 AND l.objid = $2 LIMIT 10`,
    [LOCK_SPACE, SERVING],
  );
  const pids = rows.map((row) => Number(/pid=(\d+)/.exec(row.name)?.[1]));
  return new CodedError(
    'DATA_DIRECTORY_IN_USE',
    `Another bridge works on this data directory: process ${pids.join(', ')}.`,
    { details: { pids } },
  );
}

/** True when nobody else uses the server any more; nobody can enter from then on, so the caller must stop it. */
export async function leave(session: pg.Client): Promise<boolean> {
  await session.query('SELECT pg_advisory_unlock_shared($1, $2)', [LOCK_SPACE, PRESENCE]);
  return tryLock(session, 'pg_try_advisory_lock', PRESENCE);
}

async function tryLock(session: pg.Client, take: string, lock: number): Promise<boolean> {
  const { rows } = await session.query<{ got: boolean }>(`SELECT ${take}($1::int, $2::int) AS got`, [
    LOCK_SPACE,
    lock,
  ]);
  return rows[0]?.got === true;
}

// cannot_connect_now (starting or stopping), admin_shutdown, crash_shutdown, and a server that is gone already.
const CLOSING_CODES = new Set(['57P03', '57P01', '57P02', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

function isClosing(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return CLOSING_CODES.has(code ?? '') || message === 'Connection terminated unexpectedly';
}

function readably(error: unknown, cluster: Cluster): unknown {
  if ((error as { code?: string }).code !== '28P01') return error;
  return new CodedError(
    'EMBEDDED_DATABASE_PASSWORD',
    `The embedded PostgreSQL does not accept the password in ${cluster.home}/password.`,
    { cause: error },
  );
}
