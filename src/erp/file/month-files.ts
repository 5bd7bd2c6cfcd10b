// The record is kept as one file a month; this is where they are, and how large.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const MONTH_FILE = /^(\d{4}-\d{2})\.jsonl$/;

export function monthFile(directory: string, month: string): string {
  return join(directory, `${month}.jsonl`);
}

/** Bytes by month. */
export async function monthSizes(directory: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const name of await filesIn(directory)) {
    const month = MONTH_FILE.exec(name)?.[1];
    if (month !== undefined) sizes.set(month, (await stat(monthFile(directory, month))).size);
  }
  return sizes;
}

/** None before the first entry. Any other trouble is thrown: "none" must never mean "could not look". */
async function filesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
