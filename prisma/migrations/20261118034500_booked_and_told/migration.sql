-- That an entry was shown by the ERP and that the source was told of it go on record in one move.
INSERT INTO "legal_move" ("from_state", "to_state") VALUES ('posting', 'acknowledged');
DROP TRIGGER "posting_legal_move" ON "posting";
-- ledgerbridge: expands, it refuses less than the one before it
CREATE TRIGGER "posting_legal_move" BEFORE UPDATE ON "posting"
  FOR EACH ROW WHEN (NEW.fence < OLD.fence OR NEW.generation <> OLD.generation OR NEW.key <> OLD.key OR NEW.state <> OLD.state AND NOT (
    OLD.state = 'discovered' AND NEW.state = 'posting' OR OLD.state = 'posting' AND NEW.state IN ('posted', 'acknowledged')
    OR OLD.state = 'posted' AND NEW.state = 'acknowledged'))
  EXECUTE FUNCTION "refuse_illegal_posting"();
