// The files of the embedded server: <data>/postgres/{cluster,password}. They come into being at once, by a rename, so
// that a kill in the middle of initdb leaves nothing half made and two first starts cannot mix.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
} from 'node:fs';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PASSABLE_DIRECTORY, PRIVATE_DIRECTORY, PRIVATE_FILE } from '../../domain/private-files.js';
import { CodedError } from '../../domain/errors/coded-error.js';
import { Secret } from '../../domain/secret.js';
import { bundledPrograms, postgresPrograms, type PostgresPrograms } from './binaries.js';
import { processIsAlive, startFailure } from './process-alive.js';
import { serverUser, spawnAs, type ServerUser } from './server-user.js';

/** Made the cluster and owns its tables; the bridge itself works as RUNTIME_LOGIN (embedded-postgres.ts). */
export const SERVER_LOGIN = 'ledgerbridge';

export interface Cluster {
  /** <data>/postgres */
  readonly home: string;
  /** PostgreSQL's own data directory. */
  readonly directory: string;
  readonly password: Secret;
  readonly user: ServerUser | null;
  readonly programs: PostgresPrograms;
}

export interface ClusterOptions {
  readonly durable: boolean;
  /** Always the PostgreSQL that comes with the bridge. */
  readonly isBundled?: boolean;
}

const HOME = 'postgres';
const INIT_PREFIX = 'postgres.init-';

/** Looking should make nothing: without records there is nothing to look at. */
export function requireRecords(databaseUrl: Secret | null, dataDirectory: string): void {
  if (hasRecords(databaseUrl, dataDirectory)) return;
  throw new CodedError('NO_RECORDS', `There is no database in ${dataDirectory}: no bridge has run here yet.`);
}

export function hasRecords(databaseUrl: Secret | null, dataDirectory: string): boolean {
  return databaseUrl !== null || existsSync(join(dataDirectory, HOME));
}

export async function ensureCluster(dataDirectory: string, options: ClusterOptions): Promise<Cluster> {
  try {
    mkdirSync(dataDirectory, {
      recursive: true,
      mode: process.getuid?.() === 0 ? PASSABLE_DIRECTORY : PRIVATE_DIRECTORY,
    });
    const data = realpathSync(dataDirectory);
    const home = join(data, HOME);
    if (!existsSync(home)) await createOnce(data, home, options);
    return openCluster(data, home, options);
  } catch (error) {
    throw readably(error, dataDirectory);
  }
}

function openCluster(data: string, home: string, { isBundled }: ClusterOptions): Cluster {
  const directory = join(home, 'cluster');
  const user = serverUser(data, directory);
  const password = new Secret(readFileSync(join(home, 'password'), 'utf8').trim());
  const major = Number(readFileSync(join(directory, 'PG_VERSION'), 'utf8'));
  const programs = isBundled ? bundledPrograms() : postgresPrograms(major);
  if (programs.major !== major) throw otherMajor(directory, major, programs);
  return { home, directory, password, user, programs };
}

/** By home: whoever asks meanwhile waits for the same. */
const beingMade = new Map<string, Promise<void>>();

function createOnce(data: string, home: string, options: ClusterOptions): Promise<void> {
  const making =
    beingMade.get(home) ?? createCluster(data, home, options).finally(() => beingMade.delete(home));
  beingMade.set(home, making);
  return making;
}

async function createCluster(data: string, home: string, options: ClusterOptions): Promise<void> {
  removeAbandoned(data);
  const draft = join(data, `${INIT_PREFIX}${process.pid}-${randomBytes(4).toString('hex')}`);
  const user = serverUser(data, join(home, 'cluster'));
  try {
    mkdirSync(draft, { mode: user === null ? PRIVATE_DIRECTORY : PASSABLE_DIRECTORY });
    mkdirSync(join(draft, 'cluster'), { mode: PRIVATE_DIRECTORY });
    const password = randomBytes(24).toString('base64url');
    writeFileSync(join(draft, 'password'), `${password}\n`, { mode: PRIVATE_FILE });
    await initdb(draft, { password, user, ...options });
    renameSync(draft, home);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (existsSync(home)) return;
    throw error;
  }
}

async function initdb(
  draft: string,
  { password, user, durable, isBundled }: ClusterOptions & { password: string; user: ServerUser | null },
): Promise<void> {
  const cluster = join(draft, 'cluster');
  const passwordFile = join(draft, 'password-for-initdb');
  writeFileSync(passwordFile, `${password}\n`, { mode: PRIVATE_FILE });
  if (user !== null) for (const path of [cluster, passwordFile]) chownSync(path, user.uid, user.gid);
  const program = isBundled ? bundledPrograms() : postgresPrograms();
  if (program.isBundled) for (const path of [program.initdb, program.postgres]) ensureExecutable(path);
  const args = [
    `--pgdata=${cluster}`,
    `--username=${SERVER_LOGIN}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    ...localeFor(program),
    '--data-checksums',
    ...(durable ? [] : ['--no-sync']),
  ];
  const child = spawnAs(user, program.initdb, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: false,
    reaches: [join(cluster, 'PG_VERSION'), program.postgres],
  });
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-2_000)));
  const [code] = (await once(child, 'close')) as [number | null];
  rmSync(passwordFile, { force: true });
  if (code !== 0) {
    throw startFailure(cluster, 'could not be set up', complaint);
  }
}

/** Sorted by code point on every machine; PostgreSQL does so by itself from 17 on. */
function localeFor({ major }: PostgresPrograms): string[] {
  if (major < 17) return ['--locale=C.UTF-8'];
  return [
    ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
    // They make guessing slow; 24 random bytes are not guessed, and every connection would wait for them.
    '--set=scram_iterations=1',
  ];
}

/** Package managers may drop the executable bit. */
function ensureExecutable(path: string): void {
  try {
    chmodSync(path, 0o755);
  } catch {
    // A read-only or foreign installation keeps its modes; spawning says so if they are wrong.
  }
}

function removeAbandoned(data: string): void {
  for (const name of readdirSync(data)) {
    const pid = name.startsWith(INIT_PREFIX)
      ? Number.parseInt(name.slice(INIT_PREFIX.length), 10)
      : Number.NaN;
    if (!Number.isNaN(pid) && !processIsAlive(pid))
      rmSync(join(data, name), { recursive: true, force: true });
  }
}

function otherMajor(directory: string, major: number, { major: present }: PostgresPrograms): CodedError {
  return new CodedError(
    'EMBEDDED_DATABASE_VERSION',
    `${directory} was written by PostgreSQL ${major}, which this machine does not have; the bridge brings PostgreSQL ${present}.`,
  );
}

function readably(error: unknown, dataDirectory: string): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new CodedError(
        'EMBEDDED_DATABASE_PERMISSION',
        `The data directory ${dataDirectory} cannot be used by this user (${code}).`,
        { cause: error },
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return new CodedError(
        'EMBEDDED_DATABASE_DISK',
        `No space left for the data directory ${dataDirectory}.`,
        {
          cause: error,
        },
      );
    case 'ENOTDIR':
    case 'EEXIST':
      return new CodedError('EMBEDDED_DATABASE_PERMISSION', `${dataDirectory} is not a directory.`, {
        cause: error,
      });
    default:
      return error;
  }
}
