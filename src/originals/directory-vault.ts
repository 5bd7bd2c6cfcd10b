// Originals in a directory, by the hash of their bytes: ab/cd/abcd…, so that no directory grows large and no name comes from
// outside. A file is written beside, fsynced and renamed, so what has a name is whole; what is read is hashed again.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PRIVATE_DIRECTORY, PRIVATE_FILE } from '../domain/private-files.js';
import type { VaultReading } from '../sync/originals.js';
import { pathParts, type Vault, type VaultVerdict } from './vault.js';

export function directoryVault(directory: string): Vault {
  const pathOf = (sha256: string) => join(directory, ...pathParts(sha256));
  return {
    place: directory,
    put: async (content) => {
      const sha256 = createHash('sha256').update(content).digest('hex');
      const size = content.byteLength;
      const path = pathOf(sha256);
      // One that is there is not believed: what lies on a disk for years may have rotted.
      if ((await checked(path, sha256)) !== 'whole') await write(directory, path, content);
      return { sha256, size };
    },
    read: async (sha256): Promise<VaultReading> => {
      const content = await orNull(readFile(pathOf(sha256)));
      if (content === null) return { outcome: 'missing' };
      const found = createHash('sha256').update(content).digest('hex');
      return found === sha256 ? { outcome: 'whole', content } : { outcome: 'changed' };
    },
    check: (sha256) => checked(pathOf(sha256), sha256),
    remove: async (sha256) => {
      await rm(pathOf(sha256), { force: true });
    },
    close: () => Promise.resolve(),
  };
}

async function write(root: string, path: string, content: Uint8Array): Promise<void> {
  const directory = dirname(path);
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
  for (const each of [directory, dirname(directory), root]) await syncDirectory(each);
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function checked(path: string, sha256: string): Promise<VaultVerdict> {
  if ((await orNull(stat(path))) === null) return 'missing';
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest('hex') === sha256 ? 'whole' : 'changed';
}

async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
