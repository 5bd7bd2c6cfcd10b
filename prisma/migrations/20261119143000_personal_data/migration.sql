-- When the names and contents of a document were removed, because nothing requires them any longer.
ALTER TABLE "document" ADD COLUMN "contents_removed_at" TIMESTAMPTZ(3);

-- The request of an attempt may be taken out, and nothing else of it: once its outcome is known, or its posting is in the books for good or
-- undone. A reversal in doubt keeps its request, and so does what may have left for a document that was skipped.
-- ledgerbridge: expands, it refuses less
CREATE OR REPLACE FUNCTION "refuse_attempt_rewrite"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.key <> OLD.key OR NEW.posting_id <> OLD.posting_id OR NEW.number <> OLD.number OR (NEW.request <> OLD.request AND NOT (
    NEW.request = '' AND EXISTS (
      SELECT 1 FROM posting p WHERE p.id = OLD.posting_id AND (
        (OLD.outcome IS NOT NULL AND p.state IN ('acknowledged', 'skipped', 'reversed'))
        OR (OLD.part <> 'reversal' AND p.state IN ('acknowledged', 'reversed')))))) THEN
    RAISE EXCEPTION 'attempt % is on record and is not rewritten', OLD.id USING ERRCODE = 'LB005';
  END IF;
  RETURN NEW;
END $$;
