// Where the embedded server listens: a socket in a directory that only its user and root may enter. On a port of this machine anybody could use up its
// connections, or wait until it is down, listen there instead and be told its password.
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CodedError } from '../../domain/errors/coded-error.js';
import { PRIVATE_DIRECTORY } from '../../domain/private-files.js';
import type { Cluster } from './cluster.js';
import type { ServerUser } from './server-user.js';

/** The name of a socket ends with it; it is no port of the machine. */
export const SOCKET_NUMBER = 5432;
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
