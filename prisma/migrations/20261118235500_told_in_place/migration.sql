-- What the source calls a document changes with every document, and may be in no index: an index over it made each telling an entry
-- anew in all ten indexes of the table. What waits is counted by the states of the postings (posting_tenant_name_state_id_idx).
DROP INDEX "document_created_idx";

-- A snapshot shrinks by a third at most, and that took as long as an index; it is kept beside its row as it is.
ALTER TABLE "document" ALTER COLUMN "snapshot" SET STORAGE EXTERNAL;

-- Asked once a statement instead of once an attempt.
CREATE FUNCTION "refuse_sent_alone"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  member UUID;
BEGIN
  SELECT a.posting_id INTO member
  FROM added a JOIN summary_member m ON m.posting_id = a.posting_id JOIN posting p ON p.id = m.posting_id AND p.generation = m.generation
  WHERE a.part = 'main' LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'posting % is in a summary, and not sent by itself', member USING ERRCODE = 'LB005';
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER "attempt_of_member" ON "attempt";
-- ledgerbridge: expands, it refuses what the one before it refused
CREATE TRIGGER "attempt_of_member" AFTER INSERT ON "attempt" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_sent_alone"();
-- ledgerbridge: expands, nothing calls it any more
DROP FUNCTION "refuse_alone"();
