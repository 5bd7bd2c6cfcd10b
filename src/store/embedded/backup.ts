// A backup of the embedded database while it runs, by PostgreSQL's own protocol: between pg_backup_start and pg_backup_stop its
// files may be copied in any order and state, because the log of that time, which is copied last, makes them whole again.
import { chmod, chown, copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { CodedError } from '../../domain/errors/coded-error.js';
import { PASSABLE_DIRECTORY, PRIVATE_DIRECTORY, PRIVATE_FILE } from '../../domain/private-files.js';
import type { Secret } from '../../domain/secret.js';
import { connect } from '../connection.js';
import { ensureCluster } from './cluster.js';
import { runningPostmaster } from './postmaster.js';
import { serverUser, type ServerUser } from './server-user.js';

export interface BackupReport {
  readonly directory: string;
  readonly files: number;
  readonly startedAt: string;
  readonly finishedAt: string;
}

/** Belongs to a running server, or is made anew at every start. */
const LEFT_OUT = /^(postmaster\.(pid|opts)|log|pgsql_tmp.*)$/;
const EMPTIED = /^pg_(wal|replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans)$/;
/** The log of the time of a backup must not be recycled meanwhile. */
const LOG_KEPT = '4GB';

export async function backUpEmbedded(
  { url, dataDirectory }: { readonly url: Secret; readonly dataDirectory: string },
  target: string,
): Promise<BackupReport> {
  if (existsSync(target))
    throw new CodedError(
      'BACKUP_NOT_POSSIBLE',
      `${target} exists: a backup goes into a directory of its own.`,
    );
  const cluster = await ensureCluster(dataDirectory, { durable: true });
  const draft = `${target}.partial-${process.pid}`;
  const startedAt = new Date().toISOString();
  const client = await connect(url, 'backup');
  try {
    await mkdir(join(draft, 'cluster'), { recursive: true, mode: PRIVATE_DIRECTORY });
    const files = await copyBetween(client, cluster.directory, join(draft, 'cluster'));
    await copyFile(join(cluster.home, 'password'), join(draft, 'password'));
    await chmod(join(draft, 'password'), PRIVATE_FILE);
    const report = { directory: target, files, startedAt, finishedAt: new Date().toISOString() };
    await writeFile(join(draft, 'backup.json'), `${JSON.stringify(report, null, 2)}\n`);
    await rename(draft, target);
    return report;
  } finally {
    await client.end();
    await rm(draft, { recursive: true, force: true });
  }
}

/** The session that begins must be the one that ends it. */
async function copyBetween(client: pg.Client, from: string, to: string): Promise<number> {
  await keepLog(client, LOG_KEPT);
  try {
    const begun = await one<{ segment: string }>(
      client,
      "SELECT pg_walfile_name(pg_backup_start('ledgerbridge', true)) AS segment",
    );
    const files = await copyTree(from, to);
    const ended = await one<{ label: string; segment: string }>(
      client,
      'SELECT labelfile AS label, pg_walfile_name(lsn) AS segment FROM pg_backup_stop(false)',
    );
    await writeFile(join(to, 'backup_label'), ended.label, { mode: PRIVATE_FILE });
    return files + (await copyLog(join(from, 'pg_wal'), join(to, 'pg_wal'), begun.segment, ended.segment));
  } finally {
    await keepLog(client, null);
  }
}

/** A backup carries the setting of the time when it was taken. */
export async function keepNoLog(url: Secret): Promise<void> {
  const client = await connect(url, 'restore');
  try {
    await keepLog(client, null);
  } finally {
    await client.end();
  }
}

async function keepLog(client: pg.Client, size: string | null): Promise<void> {
  await client.query(
    size === null ? 'ALTER SYSTEM RESET wal_keep_size' : `ALTER SYSTEM SET wal_keep_size = '${size}'`,
  );
  await client.query('SELECT pg_reload_conf()');
}

async function one<Row extends object>(client: pg.Client, query: string): Promise<Row> {
  const { rows } = await client.query<Row>(query);
  const [row] = rows;
  if (!row) throw new Error(`no answer to ${query}`);
  return row;
}

async function copyTree(from: string, to: string): Promise<number> {
  let files = 0;
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (LEFT_OUT.test(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      await mkdir(target, { mode: PRIVATE_DIRECTORY });
      files += EMPTIED.test(entry.name) ? 0 : await copyTree(source, target);
    } else if (entry.isFile()) files += await copyPresent(source, target);
  }
  return files;
}

/** Tables are dropped and truncated while we copy; the log knows. */
async function copyPresent(from: string, to: string): Promise<number> {
  try {
    await copyFile(from, to);
    return 1;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

const SEGMENT = /^[0-9A-F]{24}$/;

async function copyLog(from: string, to: string, first: string, last: string): Promise<number> {
  const names = (await readdir(from)).filter((name) => SEGMENT.test(name) && name >= first && name <= last);
  for (const name of names) await copyFile(join(from, name), join(to, name));
  await mkdir(join(to, 'archive_status'), { recursive: true, mode: PRIVATE_DIRECTORY });
  await mkdir(join(to, 'summaries'), { recursive: true, mode: PRIVATE_DIRECTORY });
  if (!names.includes(first) || !names.includes(last))
    throw new CodedError(
      'BACKUP_NOT_POSSIBLE',
      `The log from ${first} to ${last} was not kept while the files were copied. Try again when less happens.`,
    );
  return names.length;
}

/** Puts a backup where the database of a data directory is; what was there before is kept beside it. */
export async function restoreEmbedded(
  backup: string,
  dataDirectory: string,
): Promise<{ readonly before: string | null }> {
  const home = join(dataDirectory, 'postgres');
  const directory = join(home, 'cluster');
  if (existsSync(home) && runningPostmaster(await ensureCluster(dataDirectory, { durable: true })) !== null)
    throw new CodedError(
      'BACKUP_NOT_POSSIBLE',
      `The database in ${dataDirectory} runs: stop the bridge first.`,
    );
  const user = serverUser(dataDirectory, directory);
  for (const part of ['backup.json', 'password', join('cluster', 'backup_label')])
    if (!existsSync(join(backup, part)))
      throw new CodedError(
        'BACKUP_NOT_POSSIBLE',
        `${backup} is no backup of this program: ${part} is missing.`,
      );
  const draft = `${home}.restored-${process.pid}`;
  await mkdir(draft, { recursive: true, mode: user === null ? PRIVATE_DIRECTORY : PASSABLE_DIRECTORY });
  await mkdir(join(draft, 'cluster'), { mode: PRIVATE_DIRECTORY });
  await copyTree(join(backup, 'cluster'), join(draft, 'cluster'));
  for (const name of await readdir(join(backup, 'cluster', 'pg_wal')))
    if (SEGMENT.test(name))
      await copyFile(join(backup, 'cluster', 'pg_wal', name), join(draft, 'cluster', 'pg_wal', name));
  for (const name of ['archive_status', 'summaries'])
    await mkdir(join(draft, 'cluster', 'pg_wal', name), { recursive: true, mode: PRIVATE_DIRECTORY });
  await copyFile(join(backup, 'password'), join(draft, 'password'));
  if (user !== null) await give(join(draft, 'cluster'), user);
  const before = existsSync(home)
    ? `${home}.before-${new Date().toISOString().replaceAll(/[:.]/g, '')}`
    : null;
  if (before !== null) await rename(home, before);
  await rename(draft, home);
  return { before };
}

async function give(path: string, user: ServerUser): Promise<void> {
  await chown(path, user.uid, user.gid);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) await give(inside, user);
    else await chown(inside, user.uid, user.gid);
  }
}
