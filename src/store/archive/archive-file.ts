// Files of what was moved out: lines of JSON, packed with gzip, so that any tool reads them in twenty years too. The first line
// says what it is. Written beside, synced and renamed before anything is removed from the database; named by what it holds.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import { CodedError } from '../../domain/errors/coded-error.js';
import { PRIVATE_DIRECTORY, PRIVATE_FILE } from '../../domain/private-files.js';

export const ARCHIVE_FORMAT = 'ledgerbridge/archive/1';

export interface WrittenFile {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** `lines` are bounded by the caller: a batch, held in memory. */
export async function writeArchiveFile(
  directory: string,
  name: string,
  lines: readonly unknown[],
): Promise<WrittenFile> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const packed = await promisify(gzip)(text);
  const path = join(directory, name);
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_DIRECTORY });
  const handle = await open(`${path}.tmp`, 'w', PRIVATE_FILE);
  try {
    await handle.writeFile(packed);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${path}.tmp`, path);
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
  return { name, sha256: createHash('sha256').update(packed).digest('hex'), bytes: packed.length };
}

/** Line by line. Throws ARCHIVE_UNREADABLE where the file is not there, or not the one that was written. */
export async function* readArchiveFile(
  directory: string,
  { name, sha256 }: Pick<WrittenFile, 'name' | 'sha256'>,
): AsyncIterable<Record<string, unknown>> {
  const path = join(directory, name);
  try {
    const hash = createHash('sha256');
    for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
    if (hash.digest('hex') !== sha256) throw unreadable(name, 'it was changed since it was written');
    const lines = createInterface({ input: createReadStream(path).pipe(createGunzip()) });
    for await (const line of lines) yield JSON.parse(line) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof CodedError) throw error;
    throw unreadable(name, error instanceof Error ? error.message : String(error));
  }
}

function unreadable(name: string, why: string): CodedError {
  return new CodedError('ARCHIVE_UNREADABLE', `${name} cannot be read: ${why}.`);
}
