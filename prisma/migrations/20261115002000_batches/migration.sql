-- The unit of database work is a batch of moves, the unit of meaning a document. What followed every single row follows the
-- statement now: tallies, and the links of the audit.

-- A document is mapped and its intent put on record in one move; it is told to the source and acknowledged in one.
INSERT INTO "legal_move" ("from_state", "to_state") VALUES ('discovered', 'posting'), ('posted', 'acknowledged');

-- The guard looks at a row only where there is something to guard: a claim moves nothing.
DROP TRIGGER "posting_legal" ON "posting";
CREATE TRIGGER "posting_legal_begin" BEFORE INSERT ON "posting"
  FOR EACH ROW EXECUTE FUNCTION "refuse_illegal_posting"();
CREATE TRIGGER "posting_legal_move" BEFORE UPDATE ON "posting"
  FOR EACH ROW WHEN (NEW.state <> OLD.state OR NEW.fence < OLD.fence OR NEW.generation <> OLD.generation OR NEW.key <> OLD.key)
  EXECUTE FUNCTION "refuse_illegal_posting"();

DROP TRIGGER "posting_tally_moved" ON "posting";
DROP FUNCTION "tally_posting_move"();
CREATE FUNCTION "tally_posting_moves"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO posting_tally (tenant_name, state, delta)
  SELECT tenant_name, state, sum(change)::int
  FROM (SELECT tenant_name, state, -1 AS change FROM earlier UNION ALL SELECT tenant_name, state, 1 FROM later) AS moves
  GROUP BY tenant_name, state HAVING sum(change) <> 0;
  RETURN NULL;
END $$;
CREATE TRIGGER "posting_tally_moved" AFTER UPDATE ON "posting" REFERENCING OLD TABLE AS earlier NEW TABLE AS later
  FOR EACH STATEMENT EXECUTE FUNCTION "tally_posting_moves"();

-- A link covers all entries that one statement wrote to its chain. Links from before cover one entry each and stay as they are.
ALTER TABLE "audit_link" ALTER COLUMN "entry_id" DROP NOT NULL;
ALTER TABLE "audit_link" ADD COLUMN "entries" BIGINT[];

DROP TRIGGER "audit_entry_linked" ON "audit_entry";
DROP FUNCTION "link_audit_entries"();
-- Length before content, so that no two lists of entries spell the same text. src/store/audit-hash.ts says the same in TypeScript.
-- Chains are taken in the order of their names, each until the end of the transaction: no two statements wait for each other.
CREATE FUNCTION "link_audit_entries"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  batch RECORD;
  place audit_chain;
BEGIN
  FOR batch IN
    SELECT chain, array_agg(id ORDER BY id) AS ids,
           string_agg(concat_ws('|',
             to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
             octet_length(actor) || ':' || actor,
             octet_length(action) || ':' || action,
             octet_length(subject) || ':' || subject,
             coalesce(octet_length(reason) || ':' || reason, '-'),
             octet_length(details) || ':' || details), '|' ORDER BY id) AS content
    FROM added GROUP BY chain ORDER BY chain
  LOOP
    LOOP
      SELECT * INTO place FROM audit_chain WHERE name = batch.chain FOR UPDATE;
      EXIT WHEN FOUND;
      INSERT INTO audit_chain (name, length, head) VALUES (batch.chain, 0, '') ON CONFLICT (name) DO NOTHING;
    END LOOP;
    place.length := place.length + 1;
    place.head := encode(sha256(convert_to(concat_ws('|', 'ledgerbridge/audit/2',
      octet_length(batch.chain) || ':' || batch.chain, place.length, place.head, batch.content), 'UTF8')), 'hex');
    INSERT INTO audit_link (chain, number, entries, hash) VALUES (batch.chain, place.length, batch.ids, place.head);
    UPDATE audit_chain SET length = place.length, head = place.head WHERE name = batch.chain;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER "audit_entry_linked" AFTER INSERT ON "audit_entry" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION "link_audit_entries"();

-- Rows that are changed several times in their first second: room on their page keeps a change from touching every index.
ALTER TABLE "posting" SET (fillfactor = 60);
ALTER TABLE "document" SET (fillfactor = 70);
ALTER TABLE "attempt" SET (fillfactor = 80);
ALTER TABLE "write_back" SET (fillfactor = 70);

-- What is to be begun has an index of its own, beside what is begun and what is to be finished: a document stands in one of them.
DROP INDEX "posting_tenant_name_due_at_idx";
CREATE INDEX posting_to_begin_idx ON posting (tenant_name, due_at)
  WHERE due_at IS NOT NULL AND state IN ('discovered', 'deferred', 'held');
-- Handing out writes no mark any more: a document that is due is claimed, or it is still due.
ALTER TABLE "posting" DROP COLUMN "queued_until";
