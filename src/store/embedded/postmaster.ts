// Starts, finds and stops the server of a cluster. PostgreSQL's own postmaster.pid is the only record of who runs:
// it admits one server per cluster and names its socket, so a server that outlived its bridge is simply found again.
import {
  chmodSync,
  chownSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '../../domain/errors/coded-error.js';
import type { Cluster } from './cluster.js';
import { isPostmasterOf, numberIsTaken, processesIn, processIsAlive, startFailure } from './process-alive.js';
import { type ServerUser, spawnAs } from './server-user.js';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { PRIVATE_DIRECTORY } from '../../domain/private-files.js';

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** The directory of its socket; of a server that an earlier version started, the address of this machine. */
  readonly host: string;
}

const POLL_MS = 20;
/** Long, since a start after a power loss replays the log first. */
const START_MS_MAX = 300_000;
const STOP_MS_MAX = 30_000;
const LAST_SESSIONS_MS_MAX = 30_000;
const START_ATTEMPTS_MAX = 4;

/** The name of a socket ends with it; it is no port of the machine. */
export const SOCKET_NUMBER = 5432;

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  port: String(SOCKET_NUMBER),
  max_connections: '100',
  shared_buffers: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // A file per weekday, overwritten a week later: the log is bounded.
  logging_collector: 'on',
  log_filename: 'postgresql-%a.log',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_truncate_on_rotation: 'on',
  log_min_messages: 'warning',
};

/** The running server of the cluster, or null. While it starts up it counts as running. */
export function runningPostmaster(cluster: Cluster): Postmaster | null {
  const record = readPidFile(cluster);
  if (record === null || !isPostmasterOf(record.pid, cluster.directory)) return null;
  return { pid: record.pid, port: record.port, host: record.host };
}

interface PidFile extends Postmaster {
  readonly ready: boolean;
}

function readPidFile(cluster: Cluster): PidFile | null {
  let text: string;
  try {
    text = readFileSync(join(cluster.directory, 'postmaster.pid'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const lines = text.split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!Number.isInteger(pid) || pid <= 0 || !Number.isInteger(port)) return null;
  const host = lines[4]?.trim() || '127.0.0.1';
  return { pid, port, host, ready: lines[7]?.trim() === 'ready' };
}

/** Starts the server, or returns the one that another process started meanwhile. */
export async function startPostmaster(
  cluster: Cluster,
  settings: Readonly<Record<string, string>> = {},
): Promise<Postmaster> {
  let complaint = '';
  for (let attempt = 0; attempt < START_ATTEMPTS_MAX; attempt++) {
    await removeStalePidFile(cluster);
    const outcome = await startOnce(cluster, { ...SETTINGS, ...settings });
    if (outcome.kind === 'running') return outcome.postmaster;
    complaint = outcome.complaint;
    // Lost to another starter: look again.
    await sleep(50 * (attempt + 1));
    const other = runningPostmaster(cluster);
    if (other !== null) return other;
  }
  throw startFailure(cluster.directory, 'did not start', complaint);
}

/**
 * PostgreSQL refuses to start beside a lock whose number is taken, even when a stranger bears that number now. The lock
 * may go only when nobody works on the cluster any more: a killed server's last sessions take a moment to notice.
 */
async function removeStalePidFile(cluster: Cluster): Promise<void> {
  const record = readPidFile(cluster);
  // Made after that file: without it nobody holds the socket.
  if (record === null) {
    removeSocketLock(cluster);
    return;
  }
  if (isPostmasterOf(record.pid, cluster.directory) || !numberIsTaken(record.pid)) return;
  const deadline = performance.now() + LAST_SESSIONS_MS_MAX;
  while (performance.now() < deadline) {
    const left = processesIn(cluster.directory);
    if (left === null) return;
    if (left.length === 0) {
      rmSync(join(cluster.directory, 'postmaster.pid'), { force: true });
      removeSocketLock(cluster);
      return;
    }
    await sleep(POLL_MS);
  }
}

type StartOutcome = { kind: 'running'; postmaster: Postmaster } | { kind: 'failed'; complaint: string };

async function startOnce(
  cluster: Cluster,
  settings: Readonly<Record<string, string>>,
): Promise<StartOutcome> {
  const logPath = join(cluster.home, `start-${process.pid}.log`);
  const log = openSync(logPath, 'w', 0o600);
  try {
    const sockets = ensureSocketDirectory(cluster);
    // A list; in quotation marks a name is taken as it is.
    const args = [
      '-D',
      cluster.directory,
      '-c',
      `unix_socket_directories="${sockets.replaceAll('"', '""')}"`,
    ];
    for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`);
    // Its own session: a Ctrl-C meant for the bridge must not reach the server before the bridge has finished with it.
    const child = spawnAs(cluster.user, cluster.programs.postgres, args, {
      stdio: ['ignore', log, log],
      detached: true,
      reaches: [join(cluster.directory, 'PG_VERSION')],
    });
    // A program that cannot be run at all has no pid; the listener only keeps the event from being thrown.
    child.on('error', () => undefined);
    child.unref();
    const runs = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
    const deadline = performance.now() + START_MS_MAX;
    while (runs() && performance.now() < deadline) {
      const record = readPidFile(cluster);
      if (record?.ready === true && record.pid === child.pid) {
        return { kind: 'running', postmaster: { pid: record.pid, port: record.port, host: record.host } };
      }
      await sleep(POLL_MS);
    }
    return { kind: 'failed', complaint: readFileSync(logPath, 'utf8').slice(-2_000) };
  } finally {
    closeSync(log);
    rmSync(logPath, { force: true });
  }
}

/** Fast shutdown: open transactions are rolled back, everything committed is on disk. */
export async function stopPostmaster(cluster: Cluster, postmaster: Postmaster): Promise<void> {
  if (!isPostmasterOf(postmaster.pid, cluster.directory)) return;
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    process.kill(postmaster.pid, signal);
    const deadline = performance.now() + STOP_MS_MAX;
    while (performance.now() < deadline) {
      if (!processIsAlive(postmaster.pid)) return;
      await sleep(POLL_MS);
    }
  }
  throw new CodedError(
    'EMBEDDED_DATABASE_STOP',
    `The embedded PostgreSQL (process ${postmaster.pid}) does not stop.`,
    { details: { pid: postmaster.pid } },
  );
}

// Where the embedded server listens: a socket in a directory that only its user and root may enter. On a port of this machine anybody could use up its
// connections, or wait until it is down, listen there instead and be told its password.

/** What the shortest of the systems takes (macOS: 104 with the end mark). */
const PATH_BYTES_MAX = 103;

/** Made when it is not there, and closed to others again where a copy of the data directory left it open. */
export function ensureSocketDirectory({ home, user }: Pick<Cluster, 'home' | 'user'>): string {
  const directory = socketDirectoryOf(home);
  mkdirSync(directory, { recursive: true, mode: PRIVATE_DIRECTORY });
  if (!directory.startsWith(home)) refuseForeign(directory, user);
  chmodSync(directory, PRIVATE_DIRECTORY);
  if (user !== null) chownSync(directory, user.uid, user.gid);
  return directory;
}

/** PostgreSQL takes the number in it for its owner, also when a stranger bears that number now. */
export function removeSocketLock({ home }: Pick<Cluster, 'home'>): void {
  rmSync(`${socketOf(socketDirectoryOf(home))}.lock`, { force: true });
}

function socketOf(directory: string): string {
  return join(directory, `.s.PGSQL.${String(SOCKET_NUMBER)}`);
}

/** Where the path of the data directory is too long for a socket, it is in the directory for temporary files. */
function socketDirectoryOf(home: string): string {
  const inside = join(home, 'socket');
  if (Buffer.byteLength(socketOf(inside)) <= PATH_BYTES_MAX) return inside;
  const name = createHash('sha256').update(home).digest('hex').slice(0, 16);
  return join(tmpdir(), `ledgerbridge-${name}`);
}

/** Everybody may make directories beside ours there. */
function refuseForeign(directory: string, user: ServerUser | null): void {
  const found = lstatSync(directory);
  const owners = [process.getuid?.(), user?.uid];
  if (found.isDirectory() && owners.includes(found.uid) && (found.mode & 0o077) === 0) return;
  throw new CodedError(
    'EMBEDDED_DATABASE_PERMISSION',
    `${directory}, where the database would listen, belongs to another user or is open to others.`,
  );
}
