// Which user the embedded server runs as. PostgreSQL refuses to run as root, so a bridge that runs as root starts it as
// the owner of the cluster, or as the user postgres. Everybody else starts it as themselves.
import { execFileSync, spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { CodedError } from '../../domain/errors/coded-error.js';

export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

const SETPRIV_PLACES = ['/usr/bin/setpriv', '/bin/setpriv'];

/** Null: the current user, unchanged. */
export function serverUser(dataDirectory: string, clusterDirectory: string): ServerUser | null {
  if (process.getuid?.() !== 0) return null;
  for (const place of [clusterDirectory, dataDirectory]) {
    const owner = existsSync(place) ? statSync(place) : null;
    if (owner !== null && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  }
  return userNamed('postgres') ?? createdUser('postgres');
}

function userNamed(name: string): ServerUser | null {
  try {
    const ask = (flag: string) =>
      Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: ask('-u'), gid: ask('-g') };
  } catch {
    return null;
  }
}

function createdUser(name: string): ServerUser {
  let cause: unknown;
  try {
    execFileSync(
      'useradd',
      ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', name],
      {
        stdio: 'ignore',
      },
    );
  } catch (error) {
    // Another process may have made it meanwhile; the look-up below decides.
    cause = error;
  }
  const user = userNamed(name);
  if (user !== null) return user;
  throw new CodedError(
    'EMBEDDED_DATABASE_USER',
    `PostgreSQL does not run as root, and the user "${name}" neither exists nor could be created.`,
    { cause },
  );
}

export interface SpawnOptions {
  readonly stdio: StdioOptions;
  readonly detached: boolean;
  /** Everything the program must be able to reach, itself included. */
  readonly reaches: readonly string[];
}

/** Nothing of ours: secrets stay out of the server's process, and a stray PGPORT or locale does not change it. */
const SERVER_ENVIRONMENT = { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' };

export function spawnAs(
  user: ServerUser | null,
  program: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  const { stdio, detached } = options;
  if (user === null) return spawn(program, args, { stdio, detached, env: SERVER_ENVIRONMENT, cwd: '/' });
  const closed = [program, ...options.reaches]
    .map((path) => closedParent(path, user))
    .find((at) => at !== null);
  if (closed === undefined)
    return spawn(program, args, { stdio, detached, env: SERVER_ENVIRONMENT, cwd: '/', ...user });
  return spawn(setprivFor(closed), [...throughClosedDirectories(user), program, ...args], {
    stdio,
    detached,
    env: SERVER_ENVIRONMENT,
    cwd: '/',
  });
}

/** The first directory above `path` that `user` may not pass through. */
export function closedParent(path: string, user: ServerUser): string | null {
  const parents: string[] = [];
  for (let at = dirname(path); ; at = dirname(at)) {
    parents.unshift(at);
    if (at === dirname(at)) break;
  }
  for (const parent of parents) {
    const { uid, gid, mode } = statSync(parent);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return parent;
  }
  return null;
}

/**
 * A clone below /root or a `mktemp -d` is closed to the user postgres. The server then keeps one capability of root's:
 * to pass through directories. The secure bit makes access(2) count it too, which PostgreSQL uses to find its own files.
 */
function throughClosedDirectories(user: ServerUser): string[] {
  const keep = '-all,+dac_override';
  return [
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    '--securebits=+no_setuid_fixup',
    `--inh-caps=${keep}`,
    `--ambient-caps=${keep}`,
    `--bounding-set=${keep}`,
  ];
}

function setprivFor(closed: string): string {
  const setpriv = SETPRIV_PLACES.find((place) => existsSync(place));
  if (setpriv !== undefined) return setpriv;
  throw new CodedError(
    'EMBEDDED_DATABASE_PERMISSION',
    `The embedded PostgreSQL runs as an unprivileged user, who may not pass through ${closed}.`,
    { details: { directory: closed } },
  );
}
