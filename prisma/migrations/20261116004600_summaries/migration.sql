-- Which documents are in the journal of a day. Fixed with that journal, in one transaction, before it is sent; so what was sent can
-- always be answered for document by document. A document, or rather each entry that it is given, is in one at most.
CREATE TABLE "summary_member" (
    "posting_id" UUID NOT NULL,
    "generation" INTEGER NOT NULL,
    "summary_id" UUID NOT NULL,
    "summary_key" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "taken_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "summary_member_pkey" PRIMARY KEY ("posting_id", "generation"),
    CONSTRAINT "summary_member_posting_id_fkey" FOREIGN KEY ("posting_id") REFERENCES "posting"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "summary_member_summary_id_fkey" FOREIGN KEY ("summary_id") REFERENCES "posting"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "summary_member_summary_id_position_idx" ON "summary_member" ("summary_id", "position");

-- Let go only while nothing of the journal is in the books.
CREATE FUNCTION "refuse_leaving_summary"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM posting WHERE id = OLD.summary_id AND erp_reference IS NOT NULL) THEN
    RAISE EXCEPTION 'posting % is in the books with summary %', OLD.posting_id, OLD.summary_id USING ERRCODE = 'LB005';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER "summary_member_stays" BEFORE DELETE ON "summary_member"
  FOR EACH ROW EXECUTE FUNCTION "refuse_leaving_summary"();
CREATE TRIGGER "summary_member_kept" BEFORE TRUNCATE ON "summary_member"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_removal"();

-- A document of a summary is never sent by itself.
CREATE FUNCTION "refuse_alone"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM summary_member m JOIN posting p ON p.id = m.posting_id AND p.generation = m.generation
             WHERE m.posting_id = NEW.posting_id) THEN
    RAISE EXCEPTION 'posting % is in a summary, and not sent by itself', NEW.posting_id USING ERRCODE = 'LB005';
  END IF;
  RETURN NEW;
END $$;
-- ledgerbridge: expands, it refuses only what is in the new table
CREATE TRIGGER "attempt_of_member" BEFORE INSERT ON "attempt"
  FOR EACH ROW WHEN (NEW.part = 'main') EXECUTE FUNCTION "refuse_alone"();
