// What tells whether a file was written since it was read.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** File → its stamp. */
export type FileStamps = Map<string, string>;

export async function fileStamp(file: string): Promise<string> {
  const stats = await stat(file).catch(() => null);
  return stats ? `${String(stats.mtimeMs)} ${String(stats.size)} ${String(stats.ino)}` : 'absent';
}

/** When it was written, as of its stamp; the beginning of time where it was not there. */
export function writtenAt(stamps: FileStamps, file: string): Date {
  const ms = Number.parseFloat(stamps.get(file) ?? '');
  return new Date(Number.isNaN(ms) ? 0 : ms);
}

/** Of everything in a directory, and of these. */
export async function fileStamps(directory: string, others: readonly string[] = []): Promise<FileStamps> {
  const names = await readdir(directory).catch(() => []);
  const files = new Set([...names.map((name) => join(directory, name)), ...others]);
  return new Map(
    await Promise.all(
      [...files].map(async (file): Promise<[string, string]> => [file, await fileStamp(file)]),
    ),
  );
}

export function areSame(one: FileStamps, other: FileStamps): boolean {
  return one.size === other.size && [...one].every(([file, stamp]) => other.get(file) === stamp);
}
