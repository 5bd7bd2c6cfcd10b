// Originals in a directory, by the hash of their bytes: ab/cd/abcd…, so that no directory grows large and no name comes from
// outside. A file is written beside, fsynced and renamed, so what has a name is whole; what is read is hashed again.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_DIRECTORY, PRIVATE_FILE } from '../domain/private-files.js';
import type { OriginalVault, VaultReading } from '../pipeline/originals/records.js';

export interface VaultFiles {
  /** Where the file of that hash lies, or would lie. */
  pathOf(sha256: string): string;
}

export interface VaultCheck {
  /** Hashes it without keeping it in memory. */
  check(sha256: string): Promise<'whole' | 'changed' | 'missing'>;
}

export interface DirectoryVault extends OriginalVault, VaultCheck, VaultFiles {
  readonly directory: string;
  /** The hashes of everything there, in no order. */
  all(): AsyncIterable<string>;
}

const SHA256 = /^[0-9a-f]{64}$/;

export function directoryVault(directory: string): DirectoryVault {
  const directoryOf = (sha256: string) => join(directory, sha256.slice(0, 2), sha256.slice(2, 4));
  const pathOf = (sha256: string) => {
    if (!SHA256.test(sha256)) throw new RangeError('This is not a SHA-256 in hexadecimal digits.');
    return join(directoryOf(sha256), sha256);
  };
  return {
    directory,
    pathOf,
    put: async (content) => {
      const sha256 = createHash('sha256').update(content).digest('hex');
      const size = content.byteLength;
      const path = pathOf(sha256);
      // One that is there is not believed: what lies on a disk for years may have rotted.
      if ((await checked(path, sha256)) !== 'whole')
        await write(directory, directoryOf(sha256), path, content);
      return { sha256, size };
    },
    read: async (sha256): Promise<VaultReading> => {
      const content = await orNull(readFile(pathOf(sha256)));
      if (content === null) return { outcome: 'missing' };
      const found = createHash('sha256').update(content).digest('hex');
      return found === sha256 ? { outcome: 'whole', content } : { outcome: 'changed' };
    },
    check: (sha256) => checked(pathOf(sha256), sha256),
    all: () => hashesIn(directory, 0),
  };
}

async function write(root: string, directory: string, path: string, content: Uint8Array): Promise<void> {
  await mkdir(directory, { recursive: true, mode: PRIVATE_DIRECTORY });
  const beside = `${path}.${randomUUID()}.tmp`;
  try {
    const handle = await open(beside, 'wx', PRIVATE_FILE);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  for (const each of [directory, join(directory, '..'), root]) await syncDirectory(each);
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function checked(path: string, sha256: string): Promise<'whole' | 'changed' | 'missing'> {
  if ((await orNull(stat(path))) === null) return 'missing';
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest('hex') === sha256 ? 'whole' : 'changed';
}

async function* hashesIn(directory: string, depth: number): AsyncIterable<string> {
  const listing = await orNull(opendir(directory));
  if (listing === null) return;
  for await (const entry of listing) {
    if (entry.isDirectory() && depth < 2) yield* hashesIn(join(directory, entry.name), depth + 1);
    else if (depth === 2 && SHA256.test(entry.name)) yield entry.name;
  }
}

async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
