import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appendAudit, appendAuditMany, BRIDGE_CHAIN, verifyAudit } from '../../../src/store/audit.js';
import { testDatabase, type TestDatabase } from '../../support/database.js';
import { runStoreProcess } from '../../support/run-store-process.js';
import { modelTx } from '../../../src/store/prisma.js';

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.close());
const warm = await testDatabase();
afterAll(() => warm.close());

const entry = (subject: string, tenantName = 'nordur') => ({
  tenantName,
  actor: 'anna',
  action: 'posting.skipped',
  subject,
  reason: 'Þegar bókað í höndunum | 4:ella',
  details: { from: 'parked', to: 'skipped' },
});

/** As a superuser who switches the guards off would. */
async function pastTheGuards(...statements: string[]): Promise<void> {
  await database.prisma.$transaction(async (tx) => {
    await tx.$executeRawUnsafe('SET LOCAL session_replication_role = replica');
    for (const statement of statements) await tx.$executeRawUnsafe(statement);
  });
}

async function tenEntries(): Promise<void> {
  for (let number = 1; number <= 10; number++) {
    await database.db.tx((tx) => appendAudit(tx, entry(`p${String(number)}`)));
  }
}

describe('the audit', () => {
  it('chains what is written, per tenant and for the bridge, and verifies', async () => {
    await tenEntries();
    await database.db.tx((tx) =>
      appendAuditMany(tx, [entry('s1', 'sudur'), entry('s2', 'sudur'), entry('s3', 'sudur')]),
    );
    await appendAudit(database.db, { actor: 'scheduler', action: 'bridge.started', subject: 'bridge' });
    expect(await verifyAudit(database.db)).toEqual({ chains: 3, entries: 14n, breaks: [] });
    const chains = await database.prisma.auditChain.findMany({ orderBy: { name: 'asc' } });
    expect(chains.map(({ name, length }) => [name, length])).toEqual([
      [BRIDGE_CHAIN, 1n],
      ['nordur', 10n],
      // Written by one statement.
      ['sudur', 1n],
    ]);
  });

  it('holds nothing of a transaction that was rolled back', async () => {
    const undone = database.db.tx(async (tx) => {
      await appendAudit(tx, entry('never'));
      throw new Error('changed my mind');
    });
    await expect(undone).rejects.toThrow('changed my mind');
    expect(await database.prisma.auditEntry.count()).toBe(0);
    expect(await verifyAudit(database.db)).toEqual({ chains: 0, entries: 0n, breaks: [] });
  });

  it('links a large transaction in its order, over more than one page of verification', async () => {
    const many = Array.from({ length: 2_500 }, (_, index) => entry(`p${String(index)}`));
    await database.db.tx((tx) => appendAuditMany(tx, many));
    expect(await verifyAudit(database.db)).toEqual({ chains: 1, entries: 2_500n, breaks: [] });
    const links = await database.prisma.$queryRaw`
      SELECT count(*)::int AS links, sum(cardinality(entries))::int AS entries FROM audit_link`;
    // Prisma writes them as one statement, which is one link.
    expect(links).toEqual([{ links: 1, entries: 2_500 }]);
  });

  it('stays one chain under twelve writers in three processes', async () => {
    const said = await Promise.all([
      runStoreProcess(database.url, 'audit', 'nordur', '60'),
      runStoreProcess(database.url, 'audit', 'nordur', '60'),
      runStoreProcess(database.url, 'audit', 'nordur', '60'),
    ]);
    expect(said).toEqual([{ done: 60 }, { done: 60 }, { done: 60 }]);
    expect(await verifyAudit(database.db)).toEqual({ chains: 1, entries: 180n, breaks: [] });
    const writers = await database.prisma.auditEntry.groupBy({ by: ['actor'] });
    expect(writers).toHaveLength(3);
  });

  it('does not deadlock when two transactions touch the same rows in opposite order around it', async () => {
    await database.prisma.tick.createMany({
      data: ['a', 'b'].map((tenantName) => ({ tenantName, scheduledAt: new Date(0), firedBy: '' })),
    });
    const move = (first: string, second: string) =>
      modelTx(database.models, async (tx) => {
        await tx.model.tick.updateMany({ where: { tenantName: first }, data: { firedBy: first } });
        await appendAudit(tx, entry(first));
        await tx.model.auditEntry.count();
        await appendAudit(tx, entry(second));
      });
    await Promise.all([move('a', 'b'), move('b', 'a'), move('a', 'b'), move('b', 'a')]);
    expect(await verifyAudit(database.db)).toMatchObject({ entries: 8n, breaks: [] });
  });
});

describe('the database refuses to', () => {
  it.each([
    ['change an entry', `UPDATE audit_entry SET reason = 'x'`],
    ['remove an entry', `DELETE FROM audit_entry`],
    ['change a link', `UPDATE audit_link SET hash = 'x'`],
    ['remove a link', `DELETE FROM audit_link`],
    [
      'forge a link',
      `INSERT INTO audit_link (chain, number, entries, hash) VALUES ('nordur', 99, '{99}', 'x')`,
    ],
    ['move a head', `UPDATE audit_chain SET length = 0`],
    ['forge a head', `INSERT INTO audit_chain VALUES ('new', 0, '')`],
    ['remove a head', `DELETE FROM audit_chain`],
    ['empty the entries', `TRUNCATE audit_entry`],
    ['empty the links', `TRUNCATE audit_link`],
    ['empty the heads', `TRUNCATE audit_chain`],
  ])('%s', async (_what, statement) => {
    await database.db.tx((tx) => appendAudit(tx, entry('p1')));
    await expect(database.prisma.$executeRawUnsafe(statement)).rejects.toThrow('the audit is append-only');
    expect(await verifyAudit(database.db)).toMatchObject({ entries: 1n, breaks: [] });
  });
});

describe('a superuser who goes past the guards is found out', () => {
  it.each([
    ['changed', `UPDATE audit_entry SET actor = 'somebody else' WHERE subject = 'p4'`, 4n, 'entry-changed'],
    [
      'given another time',
      `UPDATE audit_entry SET at = at - interval '1 ms' WHERE subject = 'p4'`,
      4n,
      'entry-changed',
    ],
    [
      'stripped of its reason',
      `UPDATE audit_entry SET reason = NULL WHERE subject = 'p4'`,
      4n,
      'entry-changed',
    ],
    ['removed', `DELETE FROM audit_entry WHERE subject = 'p7'`, 7n, 'entry-missing'],
    ['unlinked', `DELETE FROM audit_link WHERE number = 5`, 5n, 'link-missing'],
    ['cut off at the end', `DELETE FROM audit_link WHERE number > 8`, 9n, 'tail-cut-off'],
  ])('at the entry that was %s', async (_what, statement, number, what) => {
    await tenEntries();
    await pastTheGuards(statement);
    const { breaks } = await verifyAudit(database.db);
    expect(breaks[0]).toMatchObject({ chain: 'nordur', number, what });
  });

  it('when entries trade places', async () => {
    await tenEntries();
    await pastTheGuards(
      `UPDATE audit_link l SET entries = (SELECT o.entries FROM audit_link o WHERE o.number = 7 - l.number)
       WHERE number IN (3, 4)`,
    );
    expect((await verifyAudit(database.db)).breaks[0]).toMatchObject({
      number: 3n,
      what: 'entry-changed',
    });
  });

  it('when an entry is slipped in', async () => {
    await tenEntries();
    await pastTheGuards(
      `INSERT INTO audit_entry (chain, actor, action, subject) VALUES ('nordur', 'anna', 'posting.marked', 'p1')`,
    );
    expect((await verifyAudit(database.db)).breaks).toMatchObject([
      { chain: 'nordur', what: 'entry-unlinked' },
    ]);
  });

  it('when the end and the head of a chain are both rewritten to fit, but a hash is not', async () => {
    await tenEntries();
    await pastTheGuards(
      `UPDATE audit_entry SET actor = 'x' WHERE subject = 'p10'`,
      `UPDATE audit_chain SET head = 'forged'`,
      `UPDATE audit_link SET hash = 'forged' WHERE number = 10`,
    );
    expect((await verifyAudit(database.db)).breaks).toMatchObject([{ number: 10n, what: 'entry-changed' }]);
  });

  it('when the head of a chain is removed', async () => {
    await tenEntries();
    await pastTheGuards(`DELETE FROM audit_chain`);
    expect((await verifyAudit(database.db)).breaks).toMatchObject([
      { chain: 'nordur', what: 'head-missing' },
    ]);
  });
});
