// The libraries of the embedded PostgreSQL have several names, and a package of npm holds no links: its install script makes them.
// Whoever installs without scripts lacks them, so they are made here before the first start.
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

interface Link {
  readonly source: string;
  readonly target: string;
}

const LISTED = 'pg-symlinks.json';

/** `native`: the directory with bin and lib. What is there stays as it is. */
export function linkLibraries(native: string): void {
  const list = join(native, LISTED);
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as Link[]) {
    const path = join(native, '..', target);
    if (existsSync(path) || dirname(source) !== dirname(target)) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      // Another process was quicker.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
