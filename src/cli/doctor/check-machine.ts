// What the machine itself must have: a Node that is new enough, and a data directory that can be written and has room.
import { constants } from 'node:fs';
import { access, mkdtemp, rmdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { VERSION } from '../version.js';
import { type DoctorFinding, failure, ok, warning } from './finding.js';

const NODE_OLDEST = [20, 19] as const;
const GIB = 1024 ** 3;
/** The embedded database keeps up to a gigabyte of its log; below a quarter it stops soon. */
const ROOM_LITTLE = 2 * GIB;
const ROOM_TOO_LITTLE = GIB / 4;

export function checkVersions(node: string = process.versions.node): DoctorFinding[] {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = NODE_OLDEST;
  const isNew = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  return [
    ok('machine', `ledgerbridge ${VERSION}`),
    isNew
      ? ok('machine', `Node ${node}`)
      : failure('machine', `Node ${node} is too old.`, `Install Node ${NODE_OLDEST.join('.')} or newer.`),
  ];
}

interface Directory {
  readonly area: string;
  /** What people call it. */
  readonly called: string;
  readonly setting: string;
  readonly directory: string;
}

export const DATA_DIRECTORY = {
  area: 'machine',
  called: 'data directory',
  setting: 'LEDGERBRIDGE_DATA',
} as const;

export function checkDataDirectory(directory: string): Promise<DoctorFinding[]> {
  return checkDirectory({ ...DATA_DIRECTORY, directory });
}

export async function checkDirectory(of: Directory): Promise<DoctorFinding[]> {
  const { area, called, setting, directory } = of;
  const there = await nearestExisting(directory);
  try {
    if (!(await stat(there)).isDirectory()) throw new Error('not a directory');
    // Permissions alone say nothing of a disk that is read-only or has no room for one more directory.
    await rmdir(await mkdtemp(join(there, '.ledgerbridge-')));
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'it is not a directory';
    const remedy = `Let the user of the bridge write there: chown it, or set ${setting}.`;
    const message = `The ${called} ${directory} cannot be written (${why}).`;
    return [failure(area, message, remedy, 'DIRECTORY_NOT_WRITABLE')];
  }
  const { bavail, bsize } = await statfs(there);
  return [judgeRoom(directory, bavail * bsize, of)];
}

export function judgeRoom(
  directory: string,
  bytes: number,
  { area, called, setting }: Omit<Directory, 'directory'> = {
    ...DATA_DIRECTORY,
  },
): DoctorFinding {
  const shown = `${(bytes / GIB).toFixed(1)} GB free for ${directory}`;
  const remedy = `Make room, or move the ${called} (${setting}).`;
  if (bytes < ROOM_TOO_LITTLE) return failure(area, `Only ${shown}.`, remedy);
  if (bytes < ROOM_LITTLE) return warning(area, `Only ${shown}.`, remedy);
  return ok(area, shown);
}

/** Before the first start the directory does not exist; where it will be made does. */
async function nearestExisting(directory: string): Promise<string> {
  try {
    await access(directory, constants.F_OK);
    return directory;
  } catch {
    const parent = dirname(directory);
    return parent === directory ? directory : nearestExisting(parent);
  }
}
