-- What is older than the law asks to keep moves into files. The audit stays a chain: a checkpoint says up to which link it was
-- moved out and what that link's hash was, and the next link still builds on that hash.

-- CreateTable
CREATE TABLE "audit_checkpoint" (
    "chain" TEXT NOT NULL,
    "number" BIGINT NOT NULL,
    "hash" TEXT NOT NULL,
    "entries" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_checkpoint_pkey" PRIMARY KEY ("chain")
);

-- CreateTable
CREATE TABLE "archive_file" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "tenant_name" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "records" INTEGER NOT NULL,
    "bytes" BIGINT NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "archive_file_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "archive_file_name_key" ON "archive_file"("name");

-- What the schema language cannot say.

-- A checkpoint names a link that is there, only moves forward, and is never taken away.
CREATE FUNCTION "guard_audit_checkpoint"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR (TG_OP = 'UPDATE' AND (NEW.chain <> OLD.chain OR NEW.number <= OLD.number)) OR NOT EXISTS (
    SELECT 1 FROM audit_link l WHERE l.chain = NEW.chain AND l.number = NEW.number AND l.hash = NEW.hash) THEN
    RAISE EXCEPTION 'the audit is append-only: % on % is refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'LB006';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "audit_checkpoint_stands" BEFORE INSERT OR UPDATE OR DELETE ON "audit_checkpoint"
  FOR EACH ROW EXECUTE FUNCTION "guard_audit_checkpoint"();
CREATE TRIGGER "audit_checkpoint_kept" BEFORE TRUNCATE ON "audit_checkpoint"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();

-- Entries go with the links that cover them, and these only up to the checkpoint. Looked at once a statement: links that a
-- checkpoint covers are those of the batch that is being moved out, so there are few.
CREATE FUNCTION "guard_audit_removal"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT id FROM removed
    EXCEPT
    SELECT unnest(coalesce(l.entries, ARRAY[l.entry_id])) FROM audit_link l JOIN audit_checkpoint c ON c.chain = l.chain
    WHERE l.number <= c.number AND l.chain IN (SELECT DISTINCT chain FROM removed)) THEN
    RAISE EXCEPTION 'the audit is append-only: % on % is refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'LB006';
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION "guard_audit_link_removal"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM removed r
    WHERE NOT EXISTS (SELECT 1 FROM audit_checkpoint c WHERE c.chain = r.chain AND c.number >= r.number)
       OR EXISTS (SELECT 1 FROM audit_entry e WHERE e.id = ANY(coalesce(r.entries, ARRAY[r.entry_id])))) THEN
    RAISE EXCEPTION 'the audit is append-only: % on % is refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'LB006';
  END IF;
  RETURN NULL;
END $$;

-- Changing stays refused; removing is refused unless it is moving out. An older bridge removes nothing, so it meets no difference.
DROP TRIGGER "audit_entry_stands" ON "audit_entry";
CREATE TRIGGER "audit_entry_stands" BEFORE UPDATE ON "audit_entry"
  FOR EACH ROW EXECUTE FUNCTION "refuse_audit_change"();
-- ledgerbridge: expands; every removal was refused before
CREATE TRIGGER "audit_entry_moves_out" AFTER DELETE ON "audit_entry" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION "guard_audit_removal"();
DROP TRIGGER "audit_link_stands" ON "audit_link";
CREATE TRIGGER "audit_link_stands" BEFORE UPDATE ON "audit_link"
  FOR EACH ROW EXECUTE FUNCTION "refuse_audit_change"();
-- ledgerbridge: expands; every removal was refused before
CREATE TRIGGER "audit_link_moves_out" AFTER DELETE ON "audit_link" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION "guard_audit_link_removal"();

-- The request of an attempt may be moved out, and nothing else of it: once its outcome is known and its posting is done.
CREATE OR REPLACE FUNCTION "refuse_attempt_rewrite"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.key <> OLD.key OR NEW.posting_id <> OLD.posting_id OR NEW.number <> OLD.number OR (NEW.request <> OLD.request AND NOT (
    NEW.request = '' AND OLD.outcome IS NOT NULL AND EXISTS (
      SELECT 1 FROM posting p WHERE p.id = OLD.posting_id AND p.state IN ('acknowledged', 'skipped', 'reversed')))) THEN
    RAISE EXCEPTION 'attempt % is on record and is not rewritten', OLD.id USING ERRCODE = 'LB005';
  END IF;
  RETURN NEW;
END $$;
