-- What keeps a document from being posted twice is a row; so such rows do not go away, by whatever statement.

CREATE FUNCTION "refuse_removal"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are never removed: they are what keeps a document from being posted twice', TG_TABLE_NAME
    USING ERRCODE = 'LB004';
END $$;
CREATE TRIGGER "attempt_stays" BEFORE DELETE ON "attempt"
  FOR EACH ROW EXECUTE FUNCTION "refuse_removal"();
CREATE TRIGGER "write_back_stays" BEFORE DELETE ON "write_back"
  FOR EACH ROW EXECUTE FUNCTION "refuse_removal"();
CREATE TRIGGER "posting_kept" BEFORE TRUNCATE ON "posting"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_removal"();
CREATE TRIGGER "attempt_kept" BEFORE TRUNCATE ON "attempt"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_removal"();
CREATE TRIGGER "write_back_kept" BEFORE TRUNCATE ON "write_back"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_removal"();

-- A second entry for a document may exist only after the first was reversed.
CREATE FUNCTION "refuse_early_generation"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD.state <> 'reversed' OR NEW.generation <> OLD.generation + 1 THEN
      RAISE EXCEPTION 'the generation of posting % rises by one, and only after it was reversed', OLD.id
        USING ERRCODE = 'LB003';
    END IF;
  ELSIF NOT EXISTS (SELECT 1 FROM posting
                    WHERE document_id = NEW.document_id AND generation = NEW.generation - 1 AND state = 'reversed') THEN
    RAISE EXCEPTION 'generation % of document % needs the one before it to be reversed', NEW.generation, NEW.document_id
      USING ERRCODE = 'LB003';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "posting_generation_rises" BEFORE UPDATE ON "posting"
  FOR EACH ROW WHEN (NEW.generation <> OLD.generation) EXECUTE FUNCTION "refuse_early_generation"();
CREATE TRIGGER "posting_generation_begins" BEFORE INSERT ON "posting"
  FOR EACH ROW WHEN (NEW.generation <> 0) EXECUTE FUNCTION "refuse_early_generation"();
