// The role of a running bridge, on a real server: what it may do, and what it may not.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareStores } from '../../../src/bridge/start-bridge.js';
import { appendAudit, verifyAudit } from '../../../src/store/audit.js';
import { openDatabase, ownerDatabase } from '../../../src/store/database.js';
import { migrate, readMigrations } from '../../../src/store/migrate.js';
import { QUEUE_NAMES, openQueues } from '../../../src/worker/queues.js';
import { bridgeBed } from '../../support/bridge-bed.js';
import { run } from '../../unit/cli/run-cli.js';
import { asAdministrator, type TwoRoles, twoRoles } from '../../support/two-roles.js';

let roles: TwoRoles;
beforeAll(async () => {
  roles = await twoRoles();
});
const cwd = mkdtempSync(join(tmpdir(), 'lb-two-roles-'));
afterAll(async () => {
  await roles.close();
  rmSync(cwd, { recursive: true, force: true });
});

const command = (argv: string[], withOwner = true) =>
  run(argv, {
    cwd,
    env: {
      DATABASE_URL: roles.url.reveal(),
      ...(withOwner ? { DATABASE_OWNER_URL: roles.ownerUrl.reveal() } : {}),
    },
  });

async function asRuntime<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: roles.url.reveal() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const refusal = (statement: string) =>
  asRuntime((client) =>
    client.query(statement).then(
      () => 'done',
      (error: unknown) => (error as { code: string }).code,
    ),
  );

describe('a database of two roles', () => {
  it('is not served by the role that owns nothing before its owner has migrated it, and says what to do', async () => {
    const database = await openDatabase({ databaseUrl: roles.url, dataDirectory: cwd, role: 'command' });
    try {
      await expect(
        prepareStores({ redisUrl: null, timeZone: 'UTC' } as never, database, () => undefined),
      ).rejects.toMatchObject({ code: 'DATABASE_RIGHTS_MISSING' });
    } finally {
      await database.close();
    }
    const refused = await command(['db', 'migrate'], false);
    expect(refused.code).toBe(4);
    expect(refused.err).toContain('DATABASE_OWNER_URL');
  });

  it('is migrated by its owner with `db migrate`, as often as one likes, and by several at once', async () => {
    expect((await command(['db', 'migrate'])).out).toContain(readMigrations()[0]?.name);
    const again = await Promise.all([command(['db', 'migrate']), command(['db', 'migrate'])]);
    for (const { code, out } of again) expect({ code, out }).toMatchObject({ code: 0 });
    const alone = await command(['db', 'migrate'], false);
    expect(alone.code).toBe(0);
    expect(alone.out).toContain('The schema is up to date.');
  });

  it('is then all right for doctor', async () => {
    const { findings } = JSON.parse((await command(['doctor', '--json', '--offline'])).out) as {
      findings: { area: string; severity: string; message: string }[];
    };
    const about = findings.filter(({ area }) => area === 'database');
    expect(about.filter(({ severity }) => severity !== 'ok')).toEqual([]);
    expect(about.map(({ message }) => message)).toContain('the schema is up to date');
  });

  it('lets the bridge add to the audit and read it, and keeps its chain', async () => {
    const database = await openDatabase({ databaseUrl: roles.url, dataDirectory: cwd, role: 'command' });
    try {
      for (const subject of ['a', 'b', 'c'])
        await appendAudit(database.db, { tenantName: 'hraun', actor: 'anna', action: 'x', subject });
      expect(await verifyAudit(database.db)).toEqual({ chains: 1, entries: 3n, breaks: [] });
    } finally {
      await database.close();
    }
  });

  it.each([
    `UPDATE audit_entry SET actor = 'karl'`,
    'DELETE FROM audit_entry',
    'TRUNCATE audit_entry CASCADE',
    `INSERT INTO audit_link (chain, number, entries, hash) VALUES ('hraun', 4, '{1}', 'x')`,
    'DELETE FROM audit_link',
    `UPDATE audit_chain SET head = 'x'`,
    `INSERT INTO audit_checkpoint SELECT chain, number, hash, 1, now() FROM audit_link`,
    `INSERT INTO legal_move SELECT to_state, from_state FROM legal_move`,
    'ALTER TABLE audit_entry DISABLE TRIGGER ALL',
    'DROP TRIGGER audit_entry_stands ON audit_entry',
    'SET session_replication_role = replica',
    'ALTER TABLE tenant ADD COLUMN x INT',
    'TRUNCATE tenant CASCADE',
    'CREATE TABLE mine (id INT)',
    'CREATE TABLE queue.mine (id INT)',
    'CREATE SCHEMA mine',
    `CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
    'CREATE TRIGGER mine AFTER INSERT ON audit_entry FOR EACH ROW EXECUTE FUNCTION refuse_audit_change()',
    `SELECT setval('audit_entry_id_seq', 1)`,
    'DELETE FROM _prisma_migrations',
    'CREATE ROLE mine',
  ])('does not let it: %s', async (statement) => {
    expect(await refusal(statement)).toBe('42501');
  });

  it('does not let it write links from a trigger of its own, nor put its own tables in the way of those of the audit', async () => {
    const forging = `CREATE TEMP TABLE added (id BIGINT, chain TEXT, at TIMESTAMPTZ, actor TEXT, action TEXT, subject TEXT, reason TEXT, details TEXT);
      CREATE TRIGGER forge AFTER INSERT ON added REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION link_audit_entries();`;
    expect(await refusal(forging)).toBe('42501');
    const deep = `CREATE TEMP TABLE deep (id INT);
      CREATE FUNCTION pg_temp.change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE public.audit_chain SET head = 'x'; RETURN NULL; END $$;
      CREATE TRIGGER change AFTER INSERT ON deep FOR EACH ROW EXECUTE FUNCTION pg_temp.change();
      INSERT INTO deep VALUES (1);`;
    expect(await refusal(deep)).toBe('42501');
    await asRuntime(async (client) => {
      await client.query('CREATE TEMP TABLE audit_link AS SELECT * FROM public.audit_link WHERE false');
      await client.query('CREATE TEMP TABLE audit_chain AS SELECT * FROM public.audit_chain');
      await client.query(
        `INSERT INTO audit_entry (chain, actor, action, subject) VALUES ('hraun', 'karl', 'x', 'd')`,
      );
    });
    expect(await verifyAudit(roles.database.db)).toEqual({ chains: 1, entries: 4n, breaks: [] });
  });

  it('has queues that the role fills one by one and many at a time', async () => {
    const queues = await openQueues({ kind: 'postgres', url: roles.url, ownerUrl: null }, () => undefined);
    try {
      const wakeUps = Array.from({ length: 20 }, () => ({ kind: 'turn', tenants: ['hraun'] }) as never);
      for (const name of QUEUE_NAMES) {
        await queues.add(name, wakeUps.slice(0, 1));
        await queues.add(name, wakeUps);
        expect(await queues.depth(name)).toBe(21);
      }
    } finally {
      await queues.close();
    }
  });

  it('has its owner for what moves records out, and no other role', async () => {
    const place = { databaseUrl: roles.url, dataDirectory: cwd, role: 'command' } as const;
    await expect(ownerDatabase(place)).rejects.toMatchObject({ code: 'DATABASE_RIGHTS_MISSING' });
    await expect(ownerDatabase({ ...place, databaseOwnerUrl: roles.url })).rejects.toMatchObject({
      message: expect.stringContaining('DATABASE_OWNER_URL') as unknown,
    });
    const owner = await ownerDatabase({ ...place, databaseOwnerUrl: roles.ownerUrl });
    await owner.close();
    expect((await command(['db', 'archive', '--reason', 'x', '--dry-run'], false)).code).toBe(4);
    expect((await command(['db', 'archive', '--reason', 'x', '--dry-run'])).code).toBe(0);
  });

  it('is put right again after somebody changed its rights, and doctor says so before', async () => {
    const runtime = `${roles.database.name}_runtime`;
    await asAdministrator(roles.database, [
      `GRANT UPDATE ON audit_entry TO ${runtime}`,
      `REVOKE DELETE ON outbox FROM ${runtime}`,
    ]);
    const said = (await command(['doctor', '--offline'])).out;
    expect(said).toContain('need not have UPDATE on audit_entry');
    expect(said).toContain('lacks DELETE on outbox');
    await command(['db', 'migrate']);
    expect((await command(['doctor', '--offline'])).out).not.toContain('other rights');
    expect(await refusal(`UPDATE audit_entry SET actor = 'karl'`)).toBe('42501');
  });

  it('gives tables that are made later the same rights', async () => {
    const owner = new pg.Client({ connectionString: roles.ownerUrl.reveal() });
    await owner.connect();
    await owner.query('CREATE TABLE later (id BIGSERIAL)');
    await owner.end();
    expect(await refusal('INSERT INTO later DEFAULT VALUES')).toBe('done');
    expect(await refusal('TRUNCATE later')).toBe('42501');
  });
});

describe('a bridge that has both roles', () => {
  it('migrates as the owner and posts a document as the other', async () => {
    const both = await twoRoles();
    const bed = await bridgeBed({
      roles: both,
      accounts: [{ username: 'hraun', invoices: 2, costs: 0, seed: 'two-roles', difficulty: 'tidy' }],
      tenants: [{ name: 'hraun', account: 'hraun', erp: { adapter: 'file' } }],
    });
    try {
      await bed.bridge.tenants.requestSweep('hraun');
      await bed.settled();
      expect(await bed.states('hraun')).toEqual({ acknowledged: 2 });
      const [row] = await bed.bridge.database.db.rows<{ role: string }>`SELECT current_user::text AS role`;
      expect(row?.role).toBe(`${both.database.name}_runtime`);
      const { breaks, entries } = await verifyAudit(both.database.db);
      expect({ breaks, some: entries > 5n }).toEqual({ breaks: [], some: true });
    } finally {
      await bed.close();
    }
  });
});

describe('the embedded database', () => {
  it('of an earlier version gets its second role at the next start, and the bridge works as that', async () => {
    const dataDirectory = join(cwd, 'earlier');
    const opened = () => openDatabase({ dataDirectory, role: 'bridge', durable: false });
    const earlier = await ownerDatabase({ dataDirectory, role: 'bridge', durable: false });
    await migrate(earlier.url);
    await appendAudit(earlier.db, { tenantName: 'hraun', actor: 'anna', action: 'x', subject: 'a' });
    await earlier.db.run`DROP ROLE ledgerbridge_runtime`;
    rmSync(join(dataDirectory, 'postgres', 'runtime-password'));
    await earlier.close();
    for (const entries of [2n, 3n]) {
      const database = await opened();
      const queues = await prepareStores(
        { redisUrl: null, timeZone: 'UTC' } as never,
        database,
        () => undefined,
      );
      await queues.add('post', [{ kind: 'turn', tenants: ['hraun'] } as never]);
      await appendAudit(database.db, { tenantName: 'hraun', actor: 'anna', action: 'x', subject: 'b' });
      expect(await verifyAudit(database.db)).toEqual({ chains: 1, entries, breaks: [] });
      await expect(database.db.run`DELETE FROM audit_entry`).rejects.toThrow('permission denied');
      await queues.close();
      await database.close();
    }
    expect(statSync(join(dataDirectory, 'postgres', 'runtime-password')).mode & 0o777).toBe(0o600);
  });
});

describe('a database of one role', () => {
  it('works as before, is warned of, and becomes one of two roles without a pause for its records', async () => {
    const one = await twoRoles();
    try {
      // Its only role owns everything, as every installation had it.
      await migrate(one.ownerUrl);
      const before = await openDatabase({ databaseUrl: one.ownerUrl, dataDirectory: cwd, role: 'command' });
      await appendAudit(before.db, { tenantName: 'hraun', actor: 'anna', action: 'x', subject: 'a' });
      const queues = await openQueues(
        { kind: 'postgres', url: one.ownerUrl, ownerUrl: null },
        () => undefined,
      );
      await queues.add('post', [{ kind: 'turn', tenants: ['hraun'] } as never]);
      await queues.close();
      const env = { DATABASE_URL: one.ownerUrl.reveal() };
      expect((await run(['doctor', '--offline'], { cwd, env })).out).toContain('owns the tables');

      const both = { DATABASE_URL: one.url.reveal(), DATABASE_OWNER_URL: one.ownerUrl.reveal() };
      expect((await run(['db', 'migrate'], { cwd, env: both })).code).toBe(0);
      const after = await openDatabase({ databaseUrl: one.url, dataDirectory: cwd, role: 'command' });
      await appendAudit(after.db, { tenantName: 'hraun', actor: 'anna', action: 'x', subject: 'b' });
      // The older process is still there.
      await appendAudit(before.db, { tenantName: 'hraun', actor: 'anna', action: 'x', subject: 'c' });
      expect(await verifyAudit(after.db)).toEqual({ chains: 1, entries: 3n, breaks: [] });
      await expect(after.db.run`DELETE FROM audit_entry`).rejects.toThrow('permission denied');
      await Promise.all([before.close(), after.close()]);
      expect((await run(['doctor', '--offline'], { cwd, env: both })).out).not.toContain('owns the tables');
    } finally {
      await one.close();
    }
  });
});
