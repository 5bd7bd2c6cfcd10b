// Whole files replaced in one step: written beside, fsynced, renamed, and the directory fsynced so that the name survives
// a power cut too. A reader sees the old text or the new one, never half of either.
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PRIVATE_FILE } from '../../domain/private-files.js';

export async function replaceFile(
  path: string,
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
): Promise<void> {
  const beside = `${path}.${randomUUID()}.tmp`;
  const handle = await open(beside, 'wx', PRIVATE_FILE);
  try {
    for await (const piece of pieces) await handle.appendFile(piece);
    await handle.sync();
  } catch (error) {
    await handle.close();
    await rm(beside, { force: true });
    throw error;
  }
  await handle.close();
  await rename(beside, path);
  await syncDirectory(dirname(path));
}

export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
