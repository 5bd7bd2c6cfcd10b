// What is older than the law asks to keep moves into files: found again there, and the audit is whole on both sides of the cut.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createArchiveStore } from '../../../src/store/archive/archive-store.js';
import { appendAudit, verifyAudit } from '../../../src/store/audit.js';
import { newId } from '../../../src/store/ids.js';
import { type TestDatabase, testDatabase } from '../../support/database.js';
import { storedDocument } from '../../support/stored-document.js';
import { run } from '../../unit/cli/run-cli.js';

const home = mkdtempSync(join(tmpdir(), 'ledgerbridge-archive-'));
const place = join(home, 'archive');
let database: TestDatabase;
let prisma: TestDatabase['prisma'];
let db: TestDatabase['db'];
const year = (number: number) => new Date(Date.UTC(number, 5, 17));
const WISH = { directory: place, by: 'gudrun', reason: 'older than seven years', now: new Date() };
const old: string[] = [];

const did = (subject: string, at: Date, tenantName?: string) =>
  appendAudit(db, {
    ...{ actor: 'sigga', action: 'posting.held', subject, reason: 'a "look" — þú', at },
    ...(tenantName === undefined ? {} : { tenantName }),
  });

async function document(since: Date): Promise<string> {
  const row = { ...storedDocument('hraun'), snapshot: '{"total":"1240"}', snapshotAt: since };
  const id = newId();
  await prisma.document.create({ data: row });
  await prisma.$transaction(async (tx) => {
    await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
    await tx.posting.create({
      data: {
        ...{ id, documentId: row.id, tenantName: 'hraun', kind: 'invoice', key: id, state: 'acknowledged' },
        ...{
          stateSince: since,
          discoveredAt: since,
          postedAt: since,
          warnings: [],
          trace: '[{"why":"rule"}]',
        },
        ...{ journal: '{}', postingDate: since.toISOString().slice(0, 10) },
      },
    });
    await tx.attempt.create({
      data: {
        ...{
          id: newId(),
          postingId: id,
          number: 1,
          fence: 1,
          part: 'main',
          key: id,
          request: '{"to":"the ERP"}',
        },
        ...{ startedAt: since, sendBy: since, outcome: 'posted', finishedAt: since },
      },
    });
  });
  return id;
}

beforeAll(async () => {
  database = await testDatabase();
  ({ prisma, db } = database);
  await prisma.tenant.create({ data: { name: 'hraun', environment: 'development', createdAt: year(2014) } });
  for (let number = 0; number < 6; number++) await did(`old-${String(number)}`, year(2014), 'hraun');
  await prisma.auditEntry.createMany({
    data: ['a', 'b', 'c'].map((subject) => ({
      chain: 'hraun',
      actor: 'x',
      action: 'y',
      subject,
      at: year(2015),
    })),
  });
  await did('of the bridge', year(2014));
  for (let number = 0; number < 4; number++) await did(`new-${String(number)}`, year(2025), 'hraun');
  for (let number = 0; number < 3; number++) old.push(await document(year(2014)));
  old.push(await document(year(2025)));
});
afterAll(async () => {
  await database.close();
  rmSync(home, { recursive: true, force: true });
});

const entries = () => prisma.auditEntry.count();
const collected = async (text: string) => {
  const found: Record<string, unknown>[] = [];
  for await (const one of createArchiveStore(database).find(place, text)) found.push(one);
  return found;
};
const sql = (text: string) => prisma.$executeRawUnsafe(text);

test('looking first changes nothing, and days in no certificate are kept back', async () => {
  const cwd = home;
  const env = { DATABASE_URL: database.url.reveal(), LEDGERBRIDGE_DATA: home, USER: 'gudrun' };
  const before = await entries();
  const shown = await run(['db', 'archive', '--reason', 'old', '--dry-run'], { cwd, env });
  expect(shown).toMatchObject({ code: 0 });
  expect(shown.out).toContain('hraun: 9 entries of the audit');
  expect(shown.out).toContain('hraun: contents of 3 documents');
  expect(shown.out).toContain('hraun: 2014-06-17 to 2014-06-17 is in no certificate');
  const refused = await run(['db', 'archive', '--reason', 'old', '--yes'], { cwd, env });
  expect(refused.code).toBe(3);
  expect(refused.err).toContain('--uncertified');
  expect(await entries()).toBe(before);
});

test('the audit refuses every removal that is not moving out', async () => {
  await expect(sql(`DELETE FROM audit_entry WHERE subject = 'old-0'`)).rejects.toThrow(/append-only/);
  await expect(sql(`DELETE FROM audit_link WHERE number = 1`)).rejects.toThrow(/append-only/);
  const checkpoint = `INSERT INTO audit_checkpoint (chain, number, hash, entries, at)`;
  await expect(sql(`${checkpoint} VALUES ('hraun', 3, 'made up', 3, now())`)).rejects.toThrow(/append-only/);
  await expect(sql(`UPDATE attempt SET request = 'other'`)).rejects.toThrow(/not rewritten/);
});

test('what is old moves out while the bridge goes on, and both halves are whole', async () => {
  const archive = createArchiveStore(database);
  const [first, last] = [await verifyAudit(db), year(2019)];
  const files: string[] = [];
  await Promise.all([
    archive.run({ ...WISH, before: last }, ({ file }) => files.push(file)),
    (async () => {
      for (let number = 0; number < 20; number++)
        await did(`meanwhile-${String(number)}`, new Date(), 'hraun');
    })(),
  ]);
  expect(files).toHaveLength(3);
  const after = await verifyAudit(db);
  expect(after.breaks).toEqual([]);
  // Ten went; twenty came, and what says of each file that it was written.
  expect(after.entries).toBe(first.entries - 10n + 20n + 3n);
  expect(await archive.verify(place)).toEqual({ files: 3, entries: 10, troubles: [] });
  expect(await archive.preview(last)).toMatchObject({ audit: [], contents: [] });
});

test('what was moved out is read again as it was', async () => {
  expect(await collected('old-3')).toMatchObject([
    {
      chain: 'hraun',
      actor: 'sigga',
      action: 'posting.held',
      at: '2014-06-17T00:00:00.000Z',
      reason: 'a "look" — þú',
    },
  ]);
  expect(await collected('b')).toHaveLength(1);
  expect(await collected(old[0]!)).toMatchObject([
    {
      posting_id: old[0],
      snapshot: '{"total":"1240"}',
      trace: '[{"why":"rule"}]',
      attempts: [{ request: '{"to":"the ERP"}' }],
    },
  ]);
  const [kept, moved] = await Promise.all(
    [old[3]!, old[0]!].map((id) =>
      prisma.posting.findUniqueOrThrow({ where: { id }, include: { attempts: true, document: true } }),
    ),
  );
  expect(kept).toMatchObject({ trace: '[{"why":"rule"}]', attempts: [{ request: '{"to":"the ERP"}' }] });
  expect(moved).toMatchObject({ trace: null, journal: '{}', attempts: [{ request: '', outcome: 'posted' }] });
  expect(moved!.document.snapshot).toBeNull();
});

test('the next cut continues the first, and a cut that died half-way is done again', async () => {
  const archive = createArchiveStore(database);
  // A file that no row names: its process died before the transaction.
  writeFileSync(join(place, 'audit/hraun/000000000008-000000000011.jsonl.gz'), 'half a file');
  await archive.run({ ...WISH, before: year(2026) }, () => undefined);
  expect((await verifyAudit(db)).breaks).toEqual([]);
  expect(await archive.verify(place)).toMatchObject({ files: 5, entries: 14, troubles: [] });
  expect(await collected('new-2')).toHaveLength(1);
});

test('a file that is changed or gone is said, and so is a link that went without a file', async () => {
  const archive = createArchiveStore(database);
  const { name } = await prisma.archiveFile.findFirstOrThrow({
    where: { kind: 'audit', tenantName: 'hraun' },
  });
  const bytes = readFileSync(join(place, name));
  writeFileSync(join(place, name), Buffer.concat([bytes, Buffer.from('x')]));
  expect((await archive.verify(place)).troubles.join()).toContain('it was changed since it was written');
  rmSync(join(place, name));
  expect((await archive.verify(place)).troubles.join()).toContain('cannot be read');
  writeFileSync(join(place, name), bytes);
  await prisma.$transaction(async (tx) => {
    await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
    await tx.$executeRaw`DELETE FROM audit_link WHERE chain = 'hraun' AND number =
      (SELECT min(number) FROM audit_link WHERE chain = 'hraun')`;
  });
  expect((await verifyAudit(db)).breaks).toMatchObject([{ chain: 'hraun', what: 'link-missing' }, {}]);
});
