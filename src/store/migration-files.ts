// The migrations that this version of the bridge brings along, oldest first.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the file, as Prisma's own tools compute it. */
  readonly checksum: string;
  /** An older bridge must not run beside it. A migration says so in its first lines; all others only add. */
  readonly breaking: boolean;
}

export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

const BREAKING = /^-- ledgerbridge: breaking\b/m;

export function readMigrations(directory = MIGRATIONS_DIRECTORY): Migration[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(directory, entry.name, 'migration.sql')))
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(directory, name, 'migration.sql'), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { name, sql, checksum, breaking: BREAKING.test(sql) };
    });
}
