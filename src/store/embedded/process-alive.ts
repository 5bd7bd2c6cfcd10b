// Whether a number in a file still stands for a living process, and for the one that was meant.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, statfsSync } from 'node:fs';
import { CodedError } from '../../domain/errors/coded-error.js';

export function processIsAlive(pid: number): boolean {
  return numberIsTaken(pid) && !isZombie(pid);
}

/** By the living or by the dead whom nobody buried: all that kill(2) can tell. */
export function numberIsTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A dead process keeps its number until its parent asks; in a container without an init nobody ever does. */
function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat
      .slice(stat.lastIndexOf(')') + 1)
      .trimStart()
      .startsWith('Z');
  } catch {
    return false;
  }
}

/**
 * Whether `pid` is the server of this very cluster. A number alone proves nothing: after a restart of a container the
 * same number soon belongs to somebody else. A postmaster always works in its own data directory.
 */
export function isPostmasterOf(pid: number, clusterDirectory: string): boolean {
  if (!processIsAlive(pid)) return false;
  try {
    if (existsSync('/proc/self/cwd')) return readlinkSync(`/proc/${pid}/cwd`) === clusterDirectory;
    return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).includes(
      clusterDirectory,
    );
  } catch (error) {
    // Not allowed to look: then it is somebody's living process, and to call its lock stale would be the worse mistake.
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}

/** Every process that works in a directory, as all of a PostgreSQL server do; null where that cannot be seen. */
export function processesIn(directory: string): number[] | null {
  if (!existsSync('/proc/self/cwd')) return null;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && workingDirectory(name) === directory)
    .map(Number);
}

function workingDirectory(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // Ended meanwhile, or somebody else's.
    return null;
  }
}

// Why the server did not come up, for a person. What PostgreSQL wrote is shown, not interpreted; a full disk is seen by
// asking the disk.

/** A new cluster takes about 40 MB, and a server needs room for its log to start. */
const ROOM_BYTES_MIN = 48 * 1024 * 1024;

export function startFailure(directory: string, what: string, complaint: string): CodedError {
  const full = freeBytes(directory) < ROOM_BYTES_MIN;
  return new CodedError(
    full ? 'EMBEDDED_DATABASE_DISK' : 'EMBEDDED_DATABASE_START',
    `The embedded PostgreSQL in ${directory} ${what}: ${lastLines(complaint)}`,
  );
}

function freeBytes(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function lastLines(text: string): string {
  const lines = text.trim().split('\n').slice(-4).join('\n  ');
  return lines === '' ? 'it ended without a word.' : lines;
}
