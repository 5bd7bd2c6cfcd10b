import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  readlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Database, ownerDatabase } from '../../../src/store/database.js';
import { bundledPrograms, postgresPrograms } from '../../../src/store/embedded/binaries.js';
import { joinOrStart } from '../../../src/store/embedded-postgres.js';
import type { DatabaseRole } from '../../../src/store/embedded/presence.js';
import { processIsAlive } from '../../../src/store/embedded/process-alive.js';
import { hold, type Holder } from '../../support/embedded-process.js';

const directory = mkdtempSync(join(tmpdir(), 'lb-embedded-'));
const data = join(directory, 'data');
const open: Database[] = [];
const holders: Holder[] = [];

afterEach(async () => {
  for (const holder of holders.splice(0)) await holder.leave();
  for (const database of open.splice(0)) await database.close();
});
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

async function enter(role: DatabaseRole = 'command', dataDirectory = data): Promise<Database> {
  const database = await ownerDatabase({ dataDirectory, role });
  open.push(database);
  return database;
}

function holdIt(role: DatabaseRole, dataDirectory = data): Holder {
  const holder = hold(dataDirectory, role);
  holders.push(holder);
  return holder;
}

const serverPid = (dataDirectory = data): number =>
  Number(readFileSync(join(dataDirectory, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0]);
const serverRuns = (dataDirectory = data): boolean =>
  existsSync(join(dataDirectory, 'postgres/cluster/postmaster.pid'));

async function remember(database: Database, word: string): Promise<void> {
  await database.db.run`CREATE TABLE IF NOT EXISTS memory (word TEXT PRIMARY KEY)`;
  await database.db.run`INSERT INTO memory VALUES (${word}) ON CONFLICT DO NOTHING`;
}

async function recall(database: Database): Promise<string[]> {
  const rows = await database.db.rows<{ word: string }>`SELECT word FROM memory ORDER BY word`;
  return rows.map((row) => row.word);
}

async function closeNow(database: Database): Promise<void> {
  open.splice(open.indexOf(database), 1);
  await database.close();
}

describe('the embedded PostgreSQL', () => {
  it('starts in an empty data directory, stops with its last user, and keeps what it was told', async () => {
    const first = await enter();
    await remember(first, 'kept');
    const pid = serverPid();
    expect(processIsAlive(pid)).toBe(true);
    await closeNow(first);
    expect(processIsAlive(pid)).toBe(false);
    expect(serverRuns()).toBe(false);
    expect(await recall(await enter())).toEqual(['kept']);
  });

  it('is told apart by nobody: UTF-8, sorted by code point, checksums, durable', async () => {
    const { db } = await enter();
    const settings = await db.rows<Record<string, string>>`
      SELECT current_setting('server_encoding') AS encoding, current_setting('data_checksums') AS checksums,
             current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
             current_setting('TimeZone') AS zone, 'Á' > 'Z' AS by_code_point, lower('ÞÆ') AS lowered`;
    expect(settings).toEqual([
      {
        encoding: 'UTF8',
        checksums: 'on',
        fsync: 'on',
        commit: 'on',
        zone: 'UTC',
        by_code_point: true,
        lowered: 'þæ',
      },
    ]);
  });

  it('keeps its password to its owner and shows it nowhere', async () => {
    const database = await enter();
    const file = join(data, 'postgres/password');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const password = readFileSync(file, 'utf8').trim();
    expect(password.length).toBeGreaterThan(30);
    expect(inspect(database, { depth: 5 })).not.toContain(password);
    expect(readFileSync(`/proc/${String(serverPid())}/cmdline`, 'utf8')).not.toContain(password);
  });

  it('outlives a killed starter, and the next one finds it and the data', async () => {
    const killed = holdIt('bridge');
    const { serverPid: pid } = await killed.said;
    const beside = await enter('command');
    await remember(beside, 'before the kill');
    await closeNow(beside);
    await killed.kill();
    expect(processIsAlive(pid ?? 0)).toBe(true);

    const next = await enter('bridge');
    expect(serverPid()).toBe(pid);
    expect(await recall(next)).toContain('before the kill');
    await closeNow(next);
    expect(processIsAlive(pid ?? 0)).toBe(false);
  });

  it('comes back with its data when bridge and server are both killed', async () => {
    const killed = holdIt('bridge');
    const { serverPid: pid = 0 } = await killed.said;
    const beside = await enter();
    await remember(beside, 'committed');
    await closeNow(beside);
    process.kill(pid, 'SIGKILL');
    await killed.kill();
    expect(await recall(await enter('bridge'))).toContain('committed');
  });

  it('starts although a stranger bears the number in its lock file', async () => {
    await closeNow(await enter());
    writeFileSync(
      join(data, 'postgres/cluster/postmaster.pid'),
      `${String(process.pid)}\n${join(data, 'postgres/cluster')}\n1700000000\n5432\n\n127.0.0.1\n\nready\n`,
    );
    expect(await recall(await enter())).toContain('kept');
  });

  it('is restarted at the same address when it dies under a running bridge', async () => {
    const database = await enter('bridge');
    const pid = serverPid();
    process.kill(pid, 'SIGKILL');
    const deadline = performance.now() + 20_000;
    let words: string[] = [];
    // A connection that is open outlives the server for a moment.
    const isNew = () => serverRuns() && serverPid() !== pid;
    while (words.length === 0 && performance.now() < deadline) {
      words = isNew() ? await recall(database).catch(() => []) : [];
      await sleep(100);
    }
    expect(words).toContain('kept');
    expect(serverPid()).not.toBe(pid);
  });
});

describe('the version of the embedded PostgreSQL', () => {
  const versionOf = (database: Database) => Number.parseInt(database.serverVersion, 10);

  it('is that of the machine where it has one that is new enough, else the one that comes with the bridge', async () => {
    const database = await enter();
    const { major, isBundled } = postgresPrograms();
    expect(versionOf(database)).toBe(major);
    expect(database.isBundled).toBe(isBundled);
    expect(readlinkSync(`/proc/${String(serverPid())}/exe`).includes('node_modules')).toBe(isBundled);
  });

  it('stays that of the files, whatever else the machine has', async () => {
    const own = join(directory, 'bundled');
    const first = await joinOrStart({ dataDirectory: own, role: 'command', isBundled: true, durable: false });
    expect(first.isBundled).toBe(true);
    await first.close();
    expect(versionOf(await enter('command', own))).toBe(bundledPrograms().major);
  });

  it('is asked for where the machine does not have it any more', async () => {
    const own = join(directory, 'older');
    await closeNow(await enter('command', own));
    writeFileSync(join(own, 'postgres/cluster/PG_VERSION'), '12\n');
    await expect(enter('command', own)).rejects.toMatchObject({
      code: 'EMBEDDED_DATABASE_VERSION',
      message: expect.stringContaining('was written by PostgreSQL 12'),
    });
  });
});

describe('the address of the embedded PostgreSQL', () => {
  const addressOf = (database: Database) => {
    const { port, searchParams } = new URL(database.url.reveal());
    return { directory: searchParams.get('host') ?? '', port };
  };

  it('is a socket that only its user may enter: no port of the machine is open, and nobody is told the password', async () => {
    const database = await enter();
    const { directory } = addressOf(database);
    expect(directory).toBe(join(data, 'postgres/socket'));
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(statSync(directory).uid).toBe(statSync(`/proc/${String(serverPid())}`).uid);
    const [said] = await database.db.rows<unknown>`
      SELECT current_setting('listen_addresses') AS ports, count(*) FILTER (WHERE auth_method <> 'scram-sha-256') AS other
      FROM pg_hba_file_rules`;
    expect(said).toEqual({ ports: '', other: 0n });
  });

  it('stays the same from one start to the next, so that a waiting bridge finds it again', async () => {
    const first = await enter();
    await closeNow(first);
    expect(addressOf(await enter())).toEqual(addressOf(first));
  });

  it('is a private directory for temporary files where the path of the data is too long for a socket', async () => {
    const deep = join(directory, 'd'.repeat(90));
    const database = await enter('command', deep);
    const { directory: sockets } = addressOf(database);
    expect(sockets).toMatch(/\/ledgerbridge-[0-9a-f]{16}$/);
    expect(statSync(sockets).mode & 0o777).toBe(0o700);
    await remember(database, 'far down');
    await closeNow(database);
    chmodSync(sockets, 0o755);
    await expect(enter('command', deep)).rejects.toMatchObject({ code: 'EMBEDDED_DATABASE_PERMISSION' });
    rmSync(sockets, { recursive: true });
    expect(await recall(await enter('command', deep))).toEqual(['far down']);
  });
});

describe('a data directory', () => {
  it('belongs to one bridge: the second is refused and told whom to stop', async () => {
    const holder = holdIt('bridge');
    await holder.said;
    await expect(enter('bridge')).rejects.toMatchObject({
      code: 'DATA_DIRECTORY_IN_USE',
      message: `Another bridge works on this data directory: process ${String(holder.pid)}.`,
    });
  });

  it('lets commands in beside a running bridge, and they do not stop it when they leave', async () => {
    const holder = holdIt('bridge');
    const { serverPid: pid } = await holder.said;
    await closeNow(await enter('command'));
    expect(serverPid()).toBe(pid);
    expect(processIsAlive(pid ?? 0)).toBe(true);
  });

  it('serves the parts of one bridge side by side, but no whole bridge beside them', async () => {
    await holdIt('worker').said;
    await enter('worker');
    await enter('scheduler');
    await expect(enter('bridge')).rejects.toMatchObject({ code: 'DATA_DIRECTORY_IN_USE' });
  });

  it('keeps its server for those who stay when the starter leaves', async () => {
    const starter = holdIt('command');
    const { serverPid: pid } = await starter.said;
    const stays = await enter('command');
    await starter.leave();
    expect(await recall(stays)).toContain('kept');
    expect(serverPid()).toBe(pid);
    await closeNow(stays);
    expect(processIsAlive(pid ?? 0)).toBe(false);
  });

  it('gets one server when four processes come to an empty directory at once', async () => {
    const empty = join(directory, 'crowded');
    const crowd = Array.from({ length: 4 }, () => holdIt('command', empty));
    const said = await Promise.all(crowd.map((holder) => holder.said));
    expect(new Set(said.map((words) => words.serverPid)).size).toBe(1);
    expect(said[0]?.serverPid).toBeGreaterThan(0);
    await Promise.all(crowd.map((holder) => holder.leave()));
    expect(serverRuns(empty)).toBe(false);
    expect(readdirSync(empty)).toEqual(['postgres']);
  });

  it('is usable after a kill in the middle of the first start', async () => {
    const interrupted = join(directory, 'interrupted');
    const holder = holdIt('bridge', interrupted);
    while (!existsSync(interrupted) || readdirSync(interrupted).length === 0) await sleep(5);
    await holder.kill();
    await sleep(300);
    await enter('bridge', interrupted);
    expect(readdirSync(interrupted)).toEqual(['postgres']);
  });
});
