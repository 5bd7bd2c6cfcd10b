import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { CliIo } from '../../../src/cli/command.js';
import { runCommand } from '../../../src/cli/main.js';
import { appendAudit } from '../../../src/store/audit.js';
import { openDatabase } from '../../../src/store/database.js';
import { readMigrations } from '../../../src/store/migrate.js';
import { testDatabase } from '../../support/database.js';

const data = mkdtempSync(join(tmpdir(), 'lb-db-command-'));
const database = await testDatabase();
afterAll(async () => {
  await database.close();
  rmSync(data, { recursive: true, force: true });
});

async function run(argv: string[], env: Record<string, string> = { DATABASE_URL: database.url.reveal() }) {
  const said = { out: '', err: '', code: 0 };
  const io: CliIo = {
    stdin: process.stdin,
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    env,
    cwd: data,
    isTty: false,
    signal: new AbortController().signal,
    setExitCode: (code) => void (said.code = code),
  };
  await runCommand(['db', ...argv], io);
  return said;
}

const newest = readMigrations().at(-1)?.name ?? '';

describe('ledgerbridge db', () => {
  it('works with nothing configured: an embedded database, what it lacks, and how to get it', async () => {
    // Looking makes none; this is one that no bridge has served yet.
    await (await openDatabase({ dataDirectory: join(data, 'data'), role: 'command' })).close();
    const before = await run(['status', '--check'], {});
    expect(before.out).toContain(`embedded in ${join(data, 'data')}`);
    expect(before.out).toContain(`missing  ${newest}`);
    expect(before.code).toBe(3);
    expect((await run(['verify'], {})).code).toBe(4);
    expect((await run(['migrate'], {})).out).toContain(`applied  ${newest}`);
    const after = await run(['status', '--check'], {});
    expect(after.out).toContain('The schema is up to date.');
    expect(after.code).toBe(0);
  });

  it('works beside a running bridge', async () => {
    const bridge = await openDatabase({ dataDirectory: join(data, 'data'), role: 'bridge' });
    expect((await run(['status'], {})).out).toContain(newest);
    expect(await (await bridge.models()).tenant.count()).toBe(0);
    await bridge.close();
  });

  it('shows a named server without its password', async () => {
    const { out } = await run(['status', '--json']);
    expect(JSON.parse(out)).toMatchObject({ embedded: false, pending: [], newer: [] });
    expect(out).toContain(`/${database.name}`);
    expect(out).not.toContain(new URL(database.url.reveal()).password);
  });

  it('verifies the audit, and names the entry that was tampered with', async () => {
    await appendAudit(database.db, { actor: 'anna', action: 'a', subject: 's' });
    expect(await run(['verify'])).toMatchObject({ out: '1 entries in 1 chains: whole.\n', code: 0 });
    await database.prisma.$transaction([
      database.prisma.$executeRaw`SET LOCAL session_replication_role = replica`,
      database.prisma.$executeRaw`UPDATE audit_entry SET actor = 'karl'`,
    ]);
    const broken = await run(['verify']);
    expect(broken.out).toContain('broken   (bridge) at 1 (entry 1): entry-changed');
    expect(broken.code).toBe(3);
  });
});
