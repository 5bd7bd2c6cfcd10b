// Why the server did not come up, for a person. What PostgreSQL wrote is shown, not interpreted; a full disk is seen by
// asking the disk.
import { statfsSync } from 'node:fs';
import { CodedError } from '../../domain/errors/coded-error.js';

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
