// People who sign in: their addresses go by age and the audit stays whole; who left is somebody without a name.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { watchmanOf } from '../../../src/bridge/watch-over.js';
import { createLog } from '../../../src/telemetry/log.js';
import { Secret } from '../../../src/domain/secret.js';
import { createUserAccounts } from '../../../src/operations/users/user-accounts.js';
import { verifyAudit } from '../../../src/store/audit.js';
import { createUserStore } from '../../../src/store/dashboard/user-store.js';
import { readAudit } from '../../../src/store/operations/story-reader.js';
import { type TestDatabase, testDatabase } from '../../support/database.js';
import { run } from '../../unit/cli/run-cli.js';

const log = createLog({ level: 'fatal', format: 'json', isTty: false });
const DAY_MS = 86_400_000;
const PASSWORD = new Secret('rauður-foss-1944');
const home = mkdtempSync(join(tmpdir(), 'ledgerbridge-privacy-'));
let database: TestDatabase;
let prisma: TestDatabase['prisma'];
let now = Date.now();
const accounts = () => createUserAccounts(createUserStore(database), { now: () => new Date(now) });
const browser = (address: string) => ({ browser: 'Firefox', address });
const privacy = (...argv: string[]) =>
  run(['privacy', ...argv], {
    cwd: home,
    env: {
      ...{
        DATABASE_URL: database.url.reveal(),
        LEDGERBRIDGE_DATA: home,
        LEDGERBRIDGE_CONFIG: home,
        USER: 'boss',
      },
    },
  });
const json = async (...argv: string[]) => {
  const { out, err } = await privacy(...argv, '--json');
  if (out === '') throw new Error(err);
  return JSON.parse(out) as Record<string, Record<string, unknown>>;
};
const told = async (subject: string) =>
  (await readAudit(database.db, { subject, limit: 100 })).items
    .filter(({ details }) => 'address' in details)
    .map(({ action, details }) => `${action} ${String(details['address'])}`);

/** In which tables the text is, as a dump would show it. */
async function naming(text: string): Promise<string[]> {
  const tables = await prisma.$queryRaw<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`;
  const found: string[] = [];
  for (const { name } of tables) {
    const sql = `SELECT 1 FROM "${name}" t WHERE position($1 in t::text) > 0 LIMIT 1`;
    if ((await prisma.$queryRawUnsafe<unknown[]>(sql, text)).length > 0) found.push(name);
  }
  return found;
}

beforeAll(async () => {
  database = await testDatabase();
  ({ prisma } = database);
  await accounts().create('boss', 'admin', PASSWORD, 'test');
  await accounts().create('gudrun.j@example.is', 'operator', PASSWORD, 'boss');
});
afterAll(async () => {
  await database.close();
  rmSync(home, { recursive: true, force: true });
});

test('the audit tells from where somebody came, and holds no address itself', async () => {
  now = Date.now() - 100 * DAY_MS;
  await accounts().signIn('boss', PASSWORD, browser('198.51.100.7'));
  await accounts().signIn('boss', new Secret('wrong'), browser('198.51.100.8'));
  now = Date.now();
  await accounts().signIn('boss', PASSWORD, browser('198.51.100.9'));
  await accounts().signIn('gudrun.j@example.is', PASSWORD, browser('198.51.100.9'));
  expect(await told('boss')).toEqual([
    'user.signed-in 198.51.100.9',
    'sign-in.failed 198.51.100.8',
    'user.signed-in 198.51.100.7',
  ]);
  const raw = await prisma.auditEntry.findMany();
  expect(JSON.stringify(raw.map(({ details }) => details))).not.toContain('198.51.100');
  expect((await verifyAudit(database.db)).breaks).toEqual([]);
});

test('an address that is written over is found out', async () => {
  const row = await prisma.auditAddress.findFirstOrThrow({ where: { address: '198.51.100.8' } });
  await prisma.auditAddress.update({ where: { mark: row.mark }, data: { address: '203.0.113.1' } });
  expect((await verifyAudit(database.db)).breaks).toMatchObject([{ what: 'address-changed' }]);
  await prisma.auditAddress.update({ where: { mark: row.mark }, data: { address: row.address } });
});

test('addresses, sessions and tries that are old go as the dry run said, and the audit is whole', async () => {
  await prisma.dashboardSession.updateMany({
    where: { address: '198.51.100.7' },
    data: { expiresAt: new Date(Date.now() - 99 * DAY_MS) },
  });
  const { addresses } = await json('prune', '--dry-run');
  expect(addresses).toMatchObject({ addresses: 2, sessions: 0, tries: 0 });
  const done = await json('prune', '-r', 'by the month', '--yes');
  expect(done['addresses']).toEqual(addresses);
  expect(await naming('198.51.100.7')).toEqual([]);
  expect(await naming('198.51.100.8')).toEqual([]);
  expect(await told('boss')).toEqual([
    'user.signed-in 198.51.100.9',
    expect.stringMatching(/^sign-in.failed address:[0-9a-f]{64}$/),
    expect.stringMatching(/^user.signed-in address:/),
  ]);
  expect((await verifyAudit(database.db)).breaks).toEqual([]);
  const audited = await prisma.auditEntry.findFirstOrThrow({ where: { action: 'addresses.removed' } });
  expect(audited).toMatchObject({ actor: 'boss', reason: 'by the month' });
  expect((await json('prune', '-r', 'by the month', '--yes'))['addresses']).toMatchObject({ addresses: 0 });
});

test('the scheduler removes what is older than the setting says, and is the actor', async () => {
  now = Date.now() - 40 * DAY_MS;
  await accounts().signIn('boss', PASSWORD, browser('198.51.100.40'));
  now = Date.now();
  const settings = (addressDays: number | null) => ({ auditAnchor: null, addressDays });
  const day = async (addressDays: number | null) => {
    const watchman = watchmanOf({ ...{ log, version: 'test' }, settings: settings(addressDays) }, {
      ...{ database, owner: `test ${String(addressDays)}`, tell: () => undefined },
      connections: { names: () => [] },
      files: { broken: () => [] },
      operations: { overview: () => Promise.reject(new Error('not asked')) },
    } as never);
    await vi.waitFor(async () => expect(await prisma.lease.count({ where: { name: 'watchman' } })).toBe(1));
    await sleep(500);
    await watchman.stop();
    await prisma.lease.deleteMany();
  };
  await day(null);
  expect(await naming('198.51.100.40')).toEqual(['audit_address', 'dashboard_session']);
  await day(30);
  await vi.waitFor(async () => expect(await naming('198.51.100.40')).not.toContain('audit_address'));
  expect(await prisma.auditEntry.count({ where: { action: 'addresses.removed', actor: 'scheduler' } })).toBe(
    1,
  );
  expect((await verifyAudit(database.db)).breaks).toEqual([]);
});

test('who may still sign in is not erased', async () => {
  const said = await privacy('erase', '--user', 'gudrun.j@example.is', '-r', 'left', '--yes');
  expect([said.code, said.err]).toEqual([1, expect.stringContaining('user revoke gudrun.j@example.is')]);
});

test('who left is in nothing but the audit, and what waits for a second person', async () => {
  const login = 'gudrun.j@example.is';
  const at = new Date();
  const approval = (id: string, state: string) => ({
    ...{
      id,
      tenantName: 'hraun',
      act: 'plan',
      subject: 'hraun',
      asked: '{}',
      identity: `login:${login}`,
      actor: login,
    },
    ...{ reason: 'year', askedAt: at, expiresAt: at, state },
  });
  const [done, open] = [
    '00000000-0000-4000-8000-000000000001',
    '00000000-0000-4000-8000-000000000002',
  ] as const;
  await prisma.approval.createMany({ data: [approval(done, 'done'), approval(open, 'open')] });
  await prisma.tenant.create({
    data: {
      name: 'hraun',
      environment: 'development',
      createdAt: at,
      planConfirmedAt: at,
      planConfirmedBy: login,
    },
  });
  await accounts().keepView(login, 'mín', 'state=held');
  await accounts().disable(login, 'boss');
  const before = await naming(login);
  const { would } = await json('erase', '--user', login, '--dry-run');
  expect(await naming(login)).toEqual(before);
  const erased = await json('erase', '--user', login, '-r', 'left in May', '--yes');
  expect(erased).toMatchObject({
    removed: would!['removed'],
    changed: would!['changed'],
    stays: would!['stays'],
  });
  expect(await naming(login)).toEqual(['approval', 'audit_entry']);
  expect(erased['stays']).toMatchObject({ approval: 1 });
  const pseudonym = String(erased['pseudonym']);
  expect(await prisma.approval.findUniqueOrThrow({ where: { id: done } })).toMatchObject({
    ...{ identity: `login:${pseudonym}`, actor: pseudonym },
  });
  expect(await prisma.approval.findUniqueOrThrow({ where: { id: open } })).toMatchObject({ actor: login });
  expect(await prisma.tenant.findUniqueOrThrow({ where: { name: 'hraun' } })).toMatchObject({
    planConfirmedBy: pseudonym,
  });
  // Somebody else from the same office has their own.
  expect(await told('boss')).toContain('user.signed-in 198.51.100.9');
  expect((await verifyAudit(database.db)).breaks).toEqual([]);
  const again = await privacy('erase', '--user', login, '-r', 'left in May', '--yes');
  expect(again.err).toContain('USER_NOT_FOUND');
});

test('one person is asked for, by kennitala or by login', async () => {
  expect((await privacy('report')).err).toContain('Say who');
  const { out } = await privacy('report', '--user', 'boss', '--json');
  const { places } = JSON.parse(out) as { places: { place: string }[] };
  expect(places.map(({ place }) => place)).toEqual(
    expect.arrayContaining(['dashboard_user', 'dashboard_session', 'audit_address', 'audit_entry']),
  );
});
