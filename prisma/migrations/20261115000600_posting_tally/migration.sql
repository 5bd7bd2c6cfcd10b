-- CreateTable
CREATE TABLE "posting_tally" (
    "id" BIGSERIAL NOT NULL,
    "tenant_name" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "delta" INTEGER NOT NULL,

    CONSTRAINT "posting_tally_pkey" PRIMARY KEY ("id")
);

-- What the schema language cannot say.

-- How many postings are in each state, without counting a million of them: every move adds what it changes, and whoever
-- reads adds up. Rows are only inserted, so that no two moves wait for each other; a reader folds them now and then.
INSERT INTO "posting_tally" ("tenant_name", "state", "delta")
SELECT "tenant_name", "state", count(*) FROM "posting" GROUP BY "tenant_name", "state";

CREATE FUNCTION "tally_new_postings"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO posting_tally (tenant_name, state, delta)
  SELECT tenant_name, state, count(*) FROM added GROUP BY tenant_name, state;
  RETURN NULL;
END $$;
CREATE TRIGGER "posting_tally_added" AFTER INSERT ON "posting" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION "tally_new_postings"();

CREATE FUNCTION "tally_posting_move"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO posting_tally (tenant_name, state, delta)
  VALUES (OLD.tenant_name, OLD.state, -1), (NEW.tenant_name, NEW.state, 1);
  RETURN NULL;
END $$;
CREATE TRIGGER "posting_tally_moved" AFTER UPDATE OF "state" ON "posting"
  FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION "tally_posting_move"();
