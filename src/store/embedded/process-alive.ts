import { execFileSync } from 'node:child_process';
import { existsSync, readlinkSync } from 'node:fs';

export function processIsAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
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
