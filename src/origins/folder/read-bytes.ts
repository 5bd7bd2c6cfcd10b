// The bytes of a file of a watched folder, or why they cannot be read.
import { lstat } from 'node:fs/promises';
import { type BoundedBytes, NoPlainFile, readPlainFile } from '../../files/plain-file.js';
import { told, type Words } from '../told.js';

const BYTES_MAX = 20 * 1024 * 1024;

export type BytesRead = Pick<BoundedBytes, 'bytes' | 'changedAt'>;

/** Words: it is no file, too large, or nobody may read it. */
export async function readBytes(path: string): Promise<BytesRead | Words> {
  try {
    const read = await readPlainFile(path, BYTES_MAX);
    return read.isWhole ? read : told('FILE_READ_TO', { bytes: read.size, most: BYTES_MAX });
  } catch (error) {
    if (error instanceof NoPlainFile) return told('FILE_IS_NONE');
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM') return told('FILE_NOT_READABLE', { code });
    throw error;
  }
}

/** A link to nowhere is there as well. */
export async function bytesIfThere(path: string): Promise<BytesRead | Words | null> {
  return (await isThere(path)) ? readBytes(path) : null;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
