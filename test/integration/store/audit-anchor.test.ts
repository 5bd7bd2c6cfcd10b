// The heads of the audit outside of the database: what a rewriting of the whole chain does not reach.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, afterEach, describe, expect, it } from 'vitest';
import type { Condition } from '../../../src/domain/condition.js';
import { createFollowedIncidents } from '../../../src/store/incidents.js';
import { appendAudit, linkHash, verifyAudit } from '../../../src/store/audit.js';
import { lastAnchored, readAuditHeads, sayAnchored } from '../../../src/store/audit-anchor.js';
import { createWatchStore } from '../../../src/store/watch-store.js';
import { anchorDaily, makeRound } from '../../../src/worker/watchman.js';
import { type TestDatabase, testDatabase } from '../../support/database.js';
import { smallDisk } from '../../support/small-disk.js';
import { run } from '../../unit/cli/run-cli.js';

const home = mkdtempSync(join(tmpdir(), 'lb-anchor-'));
const disk = smallDisk(1);
let files = 0;
let path: string;
let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
  path = join(home, `heads-${String(files++)}`);
});
afterEach(() => database.close());
afterAll(() => {
  disk?.close();
  rmSync(home, { recursive: true, force: true });
});

const day = (number: number) => new Date(`2026-06-${String(number).padStart(2, '0')}T04:00:00.000Z`);

function anchor(now: Date, place = path): Promise<Condition[]> {
  const records = {
    heads: (moment: Date) => readAuditHeads(database.db, moment),
    last: (at: string) => lastAnchored(database.db, at),
    said: (at: string, what: { heads: number; now: Date }) => sayAnchored(database.db, at, what),
  };
  return anchorDaily(records, place, now);
}

/** As a superuser who switches the guards off would. */
async function pastTheGuards(...statements: string[]): Promise<void> {
  await database.prisma.$transaction(async (tx) => {
    await tx.$executeRawUnsafe('SET LOCAL session_replication_role = replica');
    for (const statement of statements) await tx.$executeRawUnsafe(statement);
  });
}

async function entries(count: number, tenantName = 'hraun'): Promise<void> {
  for (let number = 0; number < count; number++)
    await appendAudit(database.db, { tenantName, actor: 'anna', action: 'x', subject: String(number) });
}

/** Another history: the entry of this link names somebody else, and all links from there on fit it. */
async function rewriteFrom(chain: string, from: bigint): Promise<void> {
  const { prisma } = database;
  await pastTheGuards(
    `UPDATE audit_entry SET actor = 'karl' WHERE id = (SELECT entries[1] FROM audit_link WHERE chain = '${chain}' AND number = ${String(from)})`,
  );
  const links = await prisma.$queryRaw<{ number: bigint; entries: bigint[] }[]>`
    SELECT number, entries FROM audit_link WHERE chain = ${chain} ORDER BY number`;
  let previous = '';
  for (const { number, entries: ids } of links) {
    const rows = await prisma.$queryRaw<
      { at: string; actor: string; action: string; subject: string; reason: string | null; details: string }[]
    >`
      SELECT actor, action, subject, reason, details, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
      FROM audit_entry WHERE id = ANY(${ids}) ORDER BY id`;
    previous = linkHash({ chain, number, previous, entries: rows });
    await pastTheGuards(
      `UPDATE audit_link SET hash = '${previous}' WHERE chain = '${chain}' AND number = ${String(number)}`,
    );
  }
  await pastTheGuards(`UPDATE audit_chain SET head = '${previous}' WHERE name = '${chain}'`);
}

const verify = (...more: string[]) =>
  run(['db', 'verify', ...more], {
    cwd: home,
    env: { DATABASE_URL: database.url.reveal(), LEDGERBRIDGE_DATA: home },
  });
const lines = () => readFileSync(path, 'utf8').trimEnd().split('\n');

describe('the heads of the audit', () => {
  it('are appended to the file once a day, for nobody else to read', async () => {
    await entries(3);
    await entries(1, 'fell');
    expect(await anchor(day(1))).toEqual([]);
    expect(await anchor(day(1))).toEqual([]);
    const heads = await readAuditHeads(database.db, day(1));
    expect(lines()).toHaveLength(2);
    expect(JSON.parse(lines()[1] ?? '')).toEqual(heads.find(({ chain }) => chain === 'hraun'));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await anchor(day(2))).toEqual([]);
    // The second time with the bridge's own chain, which says that they were written.
    expect(lines()).toHaveLength(5);
    expect(await verify('--anchor', path)).toMatchObject({
      code: 0,
      out: expect.stringContaining(`5 heads in ${path}: as they were.`) as unknown,
    });
  });

  it('find a chain that somebody rewrote to its end, and say after which link and from which entry on', async () => {
    await entries(3);
    await anchor(day(1));
    await entries(3);
    await anchor(day(2));
    await entries(3);
    await rewriteFrom('hraun', 5n);
    expect((await verifyAudit(database.db)).breaks).toEqual([]);
    const { code, out } = await verify('--anchor', path);
    expect(code).toBe(3);
    expect(out).toMatch(
      /anchor {3}hraun at 6 is not what it was on 2026-06-02T04:00:00.000Z\. It differs after 3, which is as it was: the first entry there is \d+\./,
    );
    expect(out).toContain('THE AUDIT IS ANOTHER');
    expect(out).not.toContain('(bridge) at');
  });

  it('find a chain that was cut off and one that is gone, and compare with the file of the settings by themselves', async () => {
    await entries(3);
    await entries(3, 'fell');
    await anchor(day(1));
    await pastTheGuards(
      `DELETE FROM audit_link WHERE chain = 'hraun' AND number > 2`,
      `DELETE FROM audit_entry WHERE chain = 'hraun' AND subject = '2'`,
      `UPDATE audit_chain SET length = 2, head = (SELECT hash FROM audit_link WHERE chain = 'hraun' AND number = 2) WHERE name = 'hraun'`,
      `DELETE FROM audit_entry WHERE chain = 'fell'`,
      `DELETE FROM audit_link WHERE chain = 'fell'`,
      `DELETE FROM audit_chain WHERE name = 'fell'`,
    );
    expect((await verifyAudit(database.db)).breaks).toEqual([]);
    const env = {
      DATABASE_URL: database.url.reveal(),
      LEDGERBRIDGE_DATA: home,
      LEDGERBRIDGE_AUDIT_ANCHOR: path,
    };
    const { code, out } = await run(['db', 'verify'], { cwd: home, env });
    expect(code).toBe(3);
    expect(out).toContain('fell at 3 is gone');
    expect(out).toContain('hraun at 3 is gone');
  });

  it('are found in a saved mail and in the body of a webhook, and a file without any is no proof', async () => {
    await entries(2);
    const [head] = await readAuditHeads(database.db, day(1));
    const saved = join(home, 'saved.eml');
    writeFileSync(saved, `Subject: x\r\n\r\nKeep this.\r\n\r\n${JSON.stringify(head)}\r\n`);
    expect((await verify('--anchor', saved)).code).toBe(0);
    const body = {
      type: 'ledgerbridge.anchor',
      data: { subject: 's', heads: [{ ...head, hash: 'f'.repeat(64) }] },
    };
    writeFileSync(saved, JSON.stringify(body));
    expect((await verify('--anchor', saved)).code).toBe(3);
    writeFileSync(saved, 'nothing\n');
    expect(await verify('--anchor', saved)).toMatchObject({
      code: 3,
      out: expect.stringContaining('nothing was compared') as unknown,
    });
    expect((await verify('--anchor', join(home, 'none'))).out).toContain('cannot be read');
  });
});

describe('a file that cannot be written', () => {
  const code = async (now: Date, place = path) => (await anchor(now, place)).map((one) => one.code);

  it('is an incident while it is gone, is tried again, and is over when it is back', async () => {
    await entries(2);
    const { prisma } = database;
    let now = day(1);
    const round = () =>
      makeRound({
        ...{ store: createWatchStore(database.db), incidents: createFollowedIncidents(database.db) },
        ...{ tenants: () => [], keepAlive: () => Promise.resolve() },
        onError: (error) => expect.unreachable(String(error)),
        anchor: () => anchor(now),
      });
    const open = async () =>
      (await prisma.incident.findMany({ where: { state: { not: 'resolved' } } })).map((one) => one.code);
    await round();
    renameSync(path, `${path}.away`);
    now = day(2);
    await round();
    await round();
    expect(await open()).toEqual(['AUDIT_NOT_ANCHORED']);
    renameSync(`${path}.away`, path);
    await round();
    expect(await open()).toEqual([]);
    expect(lines().length).toBeGreaterThan(2);
  });

  it.skipIf(disk === null)(
    'is an incident while the disk is full, and goes on in a line of its own',
    async () => {
      await entries(1);
      const place = join(disk!.directory, 'heads');
      path = place;
      await anchor(day(1));
      for (let chain = 0; chain < 60; chain++) await entries(1, `c${String(chain)}`);
      disk!.fill();
      expect(await code(day(2))).toEqual(['AUDIT_NOT_ANCHORED']);
      disk!.free();
      // What was cut off may end anywhere.
      appendFileSync(place, '{"at":"2026-');
      expect(await code(day(2))).toEqual([]);
      expect((await verify('--anchor', place)).code).toBe(0);
    },
  );

  it('is never a link, a pipe or a directory', async () => {
    await entries(1);
    const target = join(home, 'target');
    writeFileSync(target, '');
    symlinkSync(target, path);
    expect(await code(day(1))).toEqual(['AUDIT_NOT_ANCHORED']);
    expect(readFileSync(target, 'utf8')).toBe('');
    const pipe = join(home, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(await code(day(1), pipe)).toEqual(['AUDIT_NOT_ANCHORED']);
    expect(await code(day(1), home)).toEqual(['AUDIT_NOT_ANCHORED']);
  });
});

describe('ledgerbridge doctor', () => {
  const said = async (env: Record<string, string>) =>
    (await run(['doctor', '--offline'], { cwd: home, env: { DATABASE_URL: database.url.reveal(), ...env } }))
      .out;

  it('advises to keep them outside, and warns where they were not written for days', async () => {
    await entries(1);
    expect(await said({})).toMatch(/✓ database: the heads of the audit are in no file.*\n.*Advice/);
    const env = { LEDGERBRIDGE_AUDIT_ANCHOR: path };
    expect(await said(env)).toContain('not written to');
    await anchor(day(1));
    expect(await said(env)).toMatch(
      /▲ database: The heads of the audit were last written to .* at 2026-06-01/,
    );
  });
});
