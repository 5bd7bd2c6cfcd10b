// During an upgrade the program before works on the new schema, so migrations only add; what takes away says so.
import { describe, expect, test } from 'vitest';
import { readMigrations } from '../../src/store/migrate.js';
import { contractions } from './contractions.js';

/** Up to here columns were dropped without notice: that program had to be stopped first (docs/how-to/deploy.md). */
const BASELINE = '20261115002710_certificates';

describe('a migration', () => {
  const later = readMigrations().filter(({ name, breaking }) => name > BASELINE && !breaking);

  test.each(later.map(({ name, sql }) => [name, sql]))(
    '%s takes nothing away from the program before',
    (_name, sql) => {
      expect(contractions(sql!)).toEqual([]);
    },
  );

  test.each([
    ['ALTER TABLE "posting" DROP COLUMN "held";', /drops a column/],
    ['ALTER TABLE posting DROP held;', /drops a column/],
    ['ALTER TABLE posting ADD COLUMN a INT, DROP COLUMN b;', /drops a column/],
    ['DROP TABLE "tick";', /drops what/],
    ['ALTER TABLE "posting" RENAME COLUMN "a" TO "b";', /renames/],
    ['ALTER TABLE "posting" ALTER COLUMN "tries" TYPE BIGINT;', /changes a type/],
    ['ALTER TABLE "posting" ALTER COLUMN "reason" SET NOT NULL;', /required/],
    ['ALTER TABLE "posting" ALTER COLUMN "tries" DROP DEFAULT;', /default away/],
    ['ALTER TABLE "posting" ADD COLUMN "extra" TEXT NOT NULL;', /required column/],
    ['CREATE UNIQUE INDEX "one" ON "posting"("erp_number");', /makes unique/],
    ['ALTER TABLE "posting" ADD CONSTRAINT "c" CHECK (tries < 9);', /adds a constraint/],
    ['CREATE TRIGGER "t" BEFORE INSERT ON "posting" FOR EACH ROW EXECUTE FUNCTION "f"();', /adds a trigger/],
    ['DROP TRIGGER "posting_legal" ON "posting";', /drops posting_legal/],
    ['DROP FUNCTION "audit_hash"(audit_entry, BIGINT, TEXT);', /drops audit_hash/],
    ['DELETE FROM "sweep";', /removes rows/],
  ])('that takes away is found: %s', (sql, said) => {
    expect(contractions(sql).join()).toMatch(said);
  });

  test.each([
    'CREATE TABLE "new" ("id" UUID NOT NULL); CREATE UNIQUE INDEX "n" ON "new"("id");',
    'ALTER TABLE "posting" ADD COLUMN "extra" TEXT;',
    'ALTER TABLE "posting" ADD COLUMN "extra" INT NOT NULL DEFAULT 0;',
    `ALTER TABLE "posting" ADD COLUMN "extra" TEXT DEFAULT 'x' NOT NULL;`,
    'ALTER TABLE "posting" ALTER COLUMN "reason" DROP NOT NULL;',
    'ALTER TABLE "posting" ADD COLUMN "mark" TEXT; CREATE UNIQUE INDEX "m" ON "posting"("kind", "mark");',
    'DROP INDEX "posting_idx"; CREATE INDEX "posting_idx" ON "posting"("state");',
    'DROP TRIGGER "t" ON "posting"; CREATE TRIGGER "t" BEFORE UPDATE ON "posting" FOR EACH ROW EXECUTE FUNCTION "f"();',
    '-- ledgerbridge: expands, it refuses only what was refused before\nCREATE TRIGGER "u" AFTER DELETE ON "posting" EXECUTE FUNCTION f();',
    'CREATE OR REPLACE FUNCTION f() RETURNS trigger AS $$ BEGIN DELETE FROM x; END $$ LANGUAGE plpgsql;',
  ])('that only adds is let pass: %s', (sql) => {
    expect(contractions(sql)).toEqual([]);
  });
});
