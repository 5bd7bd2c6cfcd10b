import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { POSTING_MOVES } from '../../../src/domain/posting.js';
import { testDatabase } from '../../support/database.js';
import { SCHEMA_PATH, schemaDrift } from '../../support/schema-drift.js';

const database = await testDatabase();
afterAll(() => database.close());

const schema = readFileSync(SCHEMA_PATH, 'utf8');

/** Drifts the database for the length of the question. */
async function driftAfter(change: string, undo: string): Promise<string> {
  await database.prisma.$executeRawUnsafe(change);
  try {
    return await schemaDrift(database.url);
  } finally {
    await database.prisma.$executeRawUnsafe(undo);
  }
}

describe('schema.prisma and the migrations', () => {
  it('describe the same database', async () => {
    expect(await schemaDrift(database.url)).toBe('');
  });

  it('are told apart when the schema gains a field', async () => {
    const drifted = schema.replace('model Bridge {', 'model Bridge {\n  motto String?');
    expect(await schemaDrift(database.url, drifted)).toContain('ADD COLUMN     "motto"');
  });

  it('are told apart when the schema drops a model', async () => {
    const drifted = schema.replace(/model AuditChain \{[^}]*\}/, '');
    expect(await schemaDrift(database.url, drifted)).toContain('DROP TABLE "audit_chain"');
  });

  it('are told apart when a migration adds, retypes or loosens a column', async () => {
    const extra = await driftAfter('ALTER TABLE tick ADD extra TEXT', 'ALTER TABLE tick DROP extra');
    expect(extra).toContain('DROP COLUMN "extra"');
    const retyped = await driftAfter(
      'ALTER TABLE write_back ALTER number TYPE BIGINT',
      'ALTER TABLE write_back ALTER number TYPE INTEGER',
    );
    expect(retyped).toContain('"number" SET DATA TYPE INTEGER');
    const loosened = await driftAfter(
      'ALTER TABLE attempt ALTER request DROP NOT NULL',
      'ALTER TABLE attempt ALTER request SET NOT NULL',
    );
    expect(loosened).toContain('"request" SET NOT NULL');
  });

  it('are told apart when a migration forgets a unique index', async () => {
    const forgotten = await driftAfter(
      'DROP INDEX posting_key_key',
      'CREATE UNIQUE INDEX posting_key_key ON posting (key)',
    );
    expect(forgotten).toContain('CREATE UNIQUE INDEX "posting_key_key"');
  });
});

describe('the legal moves in the database', () => {
  it('are those of the domain, no more and no less', async () => {
    const rows = await database.prisma.legalMove.findMany();
    const inDatabase = rows.map((row) => `${row.fromState} → ${row.toState}`).sort();
    const inCode = Object.entries(POSTING_MOVES).flatMap(([from, tos]) => tos.map((to) => `${from} → ${to}`));
    expect(inDatabase).toEqual(inCode.sort());
  });
});

describe('what changes with every document', () => {
  /** Whatever an index reads: its keys, its expressions, and the condition that says which rows it has. */
  const indexed = async () => {
    const rows = await database.prisma.$queryRaw<{ name: string }[]>`
      SELECT a.attname::text AS name FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid
      WHERE i.indrelid = 'document'::regclass AND (a.attnum = ANY(i.indkey::int[]) OR EXISTS (
        SELECT 1 FROM pg_depend d WHERE d.objid = i.indexrelid AND d.refobjid = i.indrelid AND d.refobjsubid = a.attnum))`;
    return new Set(rows.map(({ name }) => name));
  };

  it('is in no index of documents, so that telling the source makes no entry anew', async () => {
    const names = await indexed();
    expect([...names]).toEqual(expect.arrayContaining(['id', 'guid', 'counterparty_name', 'currency']));
    for (const name of ['source_status', 'last_seen_at', 'snapshot', 'snapshot_at', 'content_hash'])
      expect(names, name).not.toContain(name);
  });

  it('is seen in the condition of an index as well', async () => {
    await database.prisma
      .$executeRaw`CREATE INDEX waits ON document (tenant_name) WHERE source_status = 'Created'`;
    expect(await indexed()).toContain('source_status');
    await database.prisma.$executeRaw`DROP INDEX waits`;
  });
});
