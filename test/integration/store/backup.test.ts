// A backup of the embedded database under load, restored elsewhere: everything that was committed when it ended is there, once,
// in order, and the audit is whole.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { CliIo } from '../../../src/cli/command.js';
import { runCommand } from '../../../src/cli/main.js';
import { appendAudit, verifyAudit } from '../../../src/store/audit.js';
import { openDatabase } from '../../../src/store/database.js';
import { migrateAsOwner } from '../../../src/store/migrate.js';

const home = mkdtempSync(join(tmpdir(), 'lb-backup-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function db(place: string, ...argv: string[]): Promise<string> {
  let said = '';
  const io: CliIo = {
    ...{
      stdin: process.stdin,
      env: { LEDGERBRIDGE_DATA: join(home, place), USER: 'anna' },
      cwd: home,
      isTty: false,
    },
    out: (text) => void (said += text),
    err: (text) => void (said += text),
    signal: new AbortController().signal,
    setExitCode: (code) => expect(code).toBe(0),
  };
  await runCommand(['db', ...argv], io);
  return said;
}

const openIn = (place: string, role: 'bridge' | 'command') =>
  openDatabase({ dataDirectory: join(home, place), role, durable: false });

test('a backup taken under load is restored elsewhere with nothing lost or doubled', async () => {
  const database = await openIn('here', 'bridge');
  await migrateAsOwner(database);
  let written = 0;
  let stop = false;
  const writing = (async () => {
    for (; !stop; written++)
      await database.db.tx((tx) =>
        appendAudit(tx, { actor: 'test', action: 'counted', subject: String(written) }),
      );
  })();
  await expect.poll(() => written, { timeout: 30_000 }).toBeGreaterThan(20);
  const before = written;
  expect(await db('here', 'backup', 'kept')).toMatch(/\d+ files in /);
  expect(await (await database.models()).auditEntry.count({ where: { action: 'records.backed-up' } })).toBe(
    1,
  );
  const [row] = await database.db.rows<{ size: string }>`SHOW wal_keep_size`;
  stop = true;
  await writing;
  await database.close();
  expect(Object.values(row ?? {})).toEqual(['0']);
  await expect(db('here', 'backup', 'kept')).rejects.toMatchObject({ code: 'BACKUP_NOT_POSSIBLE' });

  expect(await db('there', 'restore', 'kept', '--reason', 'a test', '--yes')).toContain('Epoch 1');
  const restored = await openIn('there', 'command');
  try {
    const rows = await (
      await restored.models()
    ).auditEntry.findMany({
      where: { action: 'counted' },
      orderBy: { id: 'asc' },
    });
    expect(rows.map(({ subject }) => Number(subject))).toEqual([...rows.keys()]);
    expect(rows.length).toBeGreaterThanOrEqual(before);
    expect(rows.length).toBeLessThanOrEqual(written);
    expect((await verifyAudit(restored.db)).breaks).toEqual([]);
  } finally {
    await restored.close();
  }
});

test('a restore keeps what was there, refuses while it runs, and takes no other directory for a backup', async () => {
  const running = await openIn('there', 'bridge');
  const again = () => db('there', 'restore', 'kept', '--reason', 'again', '--yes');
  await expect(again()).rejects.toMatchObject({ code: 'BACKUP_NOT_POSSIBLE' });
  await running.close();
  const said = await again();
  const [, kept = ''] = /from before is in (\S+)\.\n/.exec(said) ?? [];
  expect(existsSync(join(kept, 'cluster', 'PG_VERSION'))).toBe(true);
  expect(readFileSync(join(home, 'there/postgres/password'), 'utf8')).toBe(
    readFileSync(join(home, 'here/postgres/password'), 'utf8'),
  );
  await expect(db('there', 'restore', 'here', '--reason', 'trial', '--yes')).rejects.toThrow(/is no backup/);
});
