-- What every document does is let through by the condition of a trigger, and nothing is called for it. Whatever else moves is judged as
-- before; test/integration/store/posting-guards.test.ts holds these three moves against legal_move.
DROP TRIGGER "posting_legal_begin" ON "posting";
CREATE TRIGGER "posting_legal_begin" BEFORE INSERT ON "posting"
  FOR EACH ROW WHEN (NEW.state <> 'discovered') EXECUTE FUNCTION "refuse_illegal_posting"();
DROP TRIGGER "posting_legal_move" ON "posting";
CREATE TRIGGER "posting_legal_move" BEFORE UPDATE ON "posting"
  FOR EACH ROW WHEN (NEW.fence < OLD.fence OR NEW.generation <> OLD.generation OR NEW.key <> OLD.key OR NEW.state <> OLD.state AND NOT (
    OLD.state = 'discovered' AND NEW.state = 'posting' OR OLD.state = 'posting' AND NEW.state = 'posted'
    OR OLD.state = 'posted' AND NEW.state = 'acknowledged'))
  EXECUTE FUNCTION "refuse_illegal_posting"();
DROP TRIGGER "attempt_stands" ON "attempt";
CREATE TRIGGER "attempt_stands" BEFORE UPDATE ON "attempt"
  FOR EACH ROW WHEN (NEW.key <> OLD.key OR NEW.posting_id <> OLD.posting_id OR NEW.number <> OLD.number OR NEW.request <> OLD.request)
  EXECUTE FUNCTION "refuse_attempt_rewrite"();

-- A snapshot is kept beside its row: the row stays small, has room on its page when it changes, and then touches no index.
ALTER TABLE "document" SET (toast_tuple_target = 256, fillfactor = 50);

-- Of what is not posted yet there is nothing to find here.
DROP INDEX "posting_posted_at_tenant_name_discovered_at_idx";
CREATE INDEX "posting_posted_at_tenant_name_discovered_at_idx" ON "posting"("posted_at", "tenant_name", "discovered_at")
  WHERE "posted_at" IS NOT NULL;
DROP INDEX "posting_tenant_name_posting_date_idx";
CREATE INDEX "posting_tenant_name_posting_date_idx" ON "posting"("tenant_name", "posting_date") WHERE "posting_date" IS NOT NULL;
-- Causes are read by posting_problem_idx and posting_reason_id_idx.
DROP INDEX "posting_state_reason_reason_subject_tenant_name_idx";
