-- What was done, by whom and why: append-only and hash-chained, one chain per tenant and one for the bridge itself.
-- An entry is written in the transaction of what it records and linked to its chain when that transaction commits, so
-- the head of a chain is locked for the length of a commit only, and last: no order of writing can deadlock on it.

-- CreateTable
CREATE TABLE "audit_entry" (
    "id" BIGSERIAL NOT NULL,
    "chain" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "reason" TEXT,
    "details" TEXT NOT NULL DEFAULT '{}',

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_link" (
    "chain" TEXT NOT NULL,
    "number" BIGINT NOT NULL,
    "entry_id" BIGINT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "audit_link_pkey" PRIMARY KEY ("chain","number")
);

-- CreateTable
CREATE TABLE "audit_chain" (
    "name" TEXT NOT NULL,
    "length" BIGINT NOT NULL,
    "head" TEXT NOT NULL,

    CONSTRAINT "audit_chain_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "audit_entry_subject_id_idx" ON "audit_entry"("subject", "id");

-- CreateIndex
CREATE INDEX "audit_entry_chain_id_idx" ON "audit_entry"("chain", "id");

-- CreateIndex
CREATE UNIQUE INDEX "audit_link_entry_id_key" ON "audit_link"("entry_id");

-- What the schema language cannot say.

-- One row a tenant, rewritten with every commit: room on the page keeps those rewrites cheap.
ALTER TABLE "audit_chain" SET (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- Length before content, so that no two entries spell the same text. src/store/audit-hash.ts says the same in TypeScript.
CREATE FUNCTION "audit_part"(part TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(octet_length(part) || ':' || part, '-')
$$;

CREATE FUNCTION "audit_hash"(entry audit_entry, number BIGINT, previous TEXT) RETURNS TEXT LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(concat_ws('|',
    'ledgerbridge/audit/1',
    audit_part(entry.chain),
    audit_part(number::text),
    audit_part(previous),
    audit_part(to_char(entry.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
    audit_part(entry.actor),
    audit_part(entry.action),
    audit_part(entry.subject),
    audit_part(entry.reason),
    audit_part(entry.details)), 'UTF8')), 'hex')
$$;

-- Fires at commit. The first entry of a transaction links all of its chain; the later ones find themselves linked.
CREATE FUNCTION "link_audit_entries"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  place audit_chain;
  entry audit_entry;
BEGIN
  IF EXISTS (SELECT 1 FROM audit_link WHERE entry_id = NEW.id) THEN
    RETURN NULL;
  END IF;
  LOOP
    SELECT * INTO place FROM audit_chain WHERE name = NEW.chain FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO audit_chain (name, length, head) VALUES (NEW.chain, 0, '') ON CONFLICT (name) DO NOTHING;
  END LOOP;
  -- What others committed is linked already and what they have not committed cannot be seen, so these are ours.
  FOR entry IN
    SELECT e.* FROM audit_entry e
    WHERE e.chain = NEW.chain AND e.id >= NEW.id
      AND NOT EXISTS (SELECT 1 FROM audit_link l WHERE l.entry_id = e.id)
    ORDER BY e.id
  LOOP
    place.length := place.length + 1;
    place.head := audit_hash(entry, place.length, place.head);
    INSERT INTO audit_link (chain, number, entry_id, hash) VALUES (NEW.chain, place.length, entry.id, place.head);
  END LOOP;
  UPDATE audit_chain SET length = place.length, head = place.head WHERE name = NEW.chain;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER "audit_entry_linked" AFTER INSERT ON "audit_entry"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "link_audit_entries"();

CREATE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit is append-only: % on % is refused', TG_OP, TG_TABLE_NAME USING ERRCODE = 'LB006';
END $$;
CREATE TRIGGER "audit_entry_stands" BEFORE UPDATE OR DELETE ON "audit_entry"
  FOR EACH ROW EXECUTE FUNCTION "refuse_audit_change"();
CREATE TRIGGER "audit_link_stands" BEFORE UPDATE OR DELETE ON "audit_link"
  FOR EACH ROW EXECUTE FUNCTION "refuse_audit_change"();
CREATE TRIGGER "audit_chain_stands" BEFORE DELETE ON "audit_chain"
  FOR EACH ROW EXECUTE FUNCTION "refuse_audit_change"();
-- Only the trigger above links and moves heads, and it runs at depth 1: whoever writes directly is at depth 0.
CREATE TRIGGER "audit_link_by_commit" BEFORE INSERT ON "audit_link"
  FOR EACH ROW WHEN (pg_trigger_depth() < 1) EXECUTE FUNCTION "refuse_audit_change"();
CREATE TRIGGER "audit_chain_by_commit" BEFORE INSERT OR UPDATE ON "audit_chain"
  FOR EACH ROW WHEN (pg_trigger_depth() < 1) EXECUTE FUNCTION "refuse_audit_change"();
CREATE TRIGGER "audit_entry_kept" BEFORE TRUNCATE ON "audit_entry"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
CREATE TRIGGER "audit_link_kept" BEFORE TRUNCATE ON "audit_link"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
CREATE TRIGGER "audit_chain_kept" BEFORE TRUNCATE ON "audit_chain"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
