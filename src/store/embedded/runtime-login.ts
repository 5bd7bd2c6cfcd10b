// The role that a bridge on the embedded server works as: it owns nothing there. Made when it is missing, also in the files of an earlier version or
// of a backup. Its password is beside the server's own, so this holds against statements, not against who reads the files.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { PRIVATE_FILE } from '../../domain/private-files.js';
import { Secret } from '../../domain/secret.js';
import type { Cluster } from './cluster.js';
import { MAKING, LOCK_SPACE } from './presence.js';

export const RUNTIME_LOGIN = 'ledgerbridge_runtime';

/** Its password. `session` is of the server's own login. */
export async function ensureRuntimeLogin(session: pg.Client, { home }: Cluster): Promise<Secret> {
  const file = join(home, 'runtime-password');
  const there = async () =>
    (await session.query('SELECT FROM pg_roles WHERE rolname = $1', [RUNTIME_LOGIN])).rowCount === 1;
  if (existsSync(file) && (await there())) return readPassword(file);
  await session.query('SELECT pg_advisory_lock($1, $2)', [LOCK_SPACE, MAKING]);
  try {
    const isThere = await there();
    if (existsSync(file) && isThere) return readPassword(file);
    const password = existsSync(file)
      ? readPassword(file)
      : new Secret(randomBytes(24).toString('base64url'));
    await session.query(
      `${isThere ? 'ALTER' : 'CREATE'} ROLE ${RUNTIME_LOGIN} LOGIN NOSUPERUSER NOCREATEROLE NOCREATEDB
       PASSWORD ${session.escapeLiteral(password.reveal())}`,
    );
    // After the role: a file without one is found out, a password that the role does not have would not be.
    writeFileSync(`${file}.new`, `${password.reveal()}\n`, { mode: PRIVATE_FILE });
    renameSync(`${file}.new`, file);
    return password;
  } finally {
    await session.query('SELECT pg_advisory_unlock($1, $2)', [LOCK_SPACE, MAKING]);
  }
}

function readPassword(file: string): Secret {
  return new Secret(readFileSync(file, 'utf8').trim());
}
