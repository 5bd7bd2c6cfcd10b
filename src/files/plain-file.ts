// Files of folders that others may write to. A name there may be a link to a file elsewhere, a pipe that answers nobody, or a device that
// never ends: so no link is followed, nothing that may block is waited for, what was opened is looked at before it is read or written,
// and as much is read as was asked for.
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { dirname, sep } from 'node:path';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants;
/** A link at the end of the path; some systems say so with another code. */
const LINKED = new Set(['ELOOP', 'EMLINK', 'EFTYPE']);
/** A pipe without anybody at the other end, a socket, a directory. */
const NO_FILE = new Set(['ENXIO', 'EISDIR', 'EOPNOTSUPP', 'ENODEV']);

/** There is something of that name, and it is no file. */
export class NoPlainFile extends Error {
  override readonly name = 'NoPlainFile';
}

export interface BoundedBytes {
  readonly bytes: Uint8Array;
  /** false: there is more than was asked for, and it was not read. */
  readonly isWhole: boolean;
  /** When it was looked at. */
  readonly size: number;
  /** When it was last changed. */
  readonly changedAt: Date;
}

/** At most so many bytes. Throws NoPlainFile, and what the system says where the file cannot be opened. */
export async function readPlainFile(path: string, most: number): Promise<BoundedBytes> {
  return withPlainFile(path, O_RDONLY, (handle) => readBounded(handle, most));
}

async function readBounded(handle: FileHandle, most: number): Promise<BoundedBytes> {
  const { size, mtime } = await handle.stat();
  const bytes = await readFrom(handle, 0, Math.min(size, most) + 1);
  // One that grows while it is read has one byte more than it had.
  const isWhole = bytes.byteLength <= most && size <= most;
  return { bytes: bytes.subarray(0, most), isWhole, size, changedAt: mtime };
}

const FOR_EVERYBODY = 0o004;

/**
 * Likewise of a file that somebody may have reasons to link to: a link is followed within the directory (Kubernetes makes such of what it
 * mounts), and to what everybody may read anyway.
 */
export async function readLinkedFile(path: string, most: number): Promise<BoundedBytes> {
  const real = await realpath(path);
  const isInside = real.startsWith((await realpath(dirname(path))) + sep);
  return withPlainFile(real, O_RDONLY, async (handle) => {
    const { mode } = await handle.stat();
    if (!isInside && (mode & FOR_EVERYBODY) === 0) throw new NoPlainFile(path);
    return readBounded(handle, most);
  });
}

/**
 * Appends what `toAppend` makes of the last bytes of the file, which is made if it is not there, and has it on the disk before it returns.
 * A file that has another name somewhere is no file of this folder alone, and is left as it is.
 */
export async function appendToPlainFile(
  path: string,
  tailBytes: number,
  toAppend: (tail: Uint8Array) => Promise<string | null>,
): Promise<void> {
  await withPlainFile(path, O_RDWR | O_APPEND | O_CREAT, async (handle) => {
    const { size, nlink, ino, dev } = await handle.stat();
    if (nlink > 1) throw new NoPlainFile(path);
    const tail = await readFrom(handle, Math.max(0, size - tailBytes), Math.min(size, tailBytes));
    const text = await toAppend(tail);
    // The way to it may have been another one when it was opened.
    const now = await lstat(path);
    if (now.ino !== ino || now.dev !== dev) throw new NoPlainFile(path);
    if (text === null) return;
    await handle.appendFile(text);
    await handle.sync();
  });
}

/** Not a link to one. */
export async function isPlainDirectory(path: string): Promise<boolean> {
  return (await lstat(path)).isDirectory();
}

async function withPlainFile<T>(
  path: string,
  flags: number,
  work: (handle: FileHandle) => Promise<T>,
): Promise<T> {
  const handle = await openPlainFile(path, flags);
  try {
    if (!(await handle.stat()).isFile()) throw new NoPlainFile(path);
    return await work(handle);
  } finally {
    await handle.close();
  }
}

async function openPlainFile(path: string, flags: number): Promise<FileHandle> {
  try {
    return await open(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o666);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (LINKED.has(code) || NO_FILE.has(code)) throw new NoPlainFile(path, { cause: error });
    throw error;
  }
}

async function readFrom(handle: FileHandle, from: number, most: number): Promise<Buffer> {
  const buffer = Buffer.alloc(most);
  let length = 0;
  while (length < most) {
    const { bytesRead } = await handle.read(buffer, length, most - length, from + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}
