-- Drafts and orders are updated at the service until an invoice was made of them, and an invoice may be paid after it was made.
-- The moves of src/domain/submission.ts.
CREATE OR REPLACE FUNCTION "guard_submission"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.fence < OLD.fence THEN
    RAISE EXCEPTION 'the fence of submission % does not fall', OLD.id USING ERRCODE = 'LB002';
  END IF;
  IF NEW.key <> OLD.key OR NEW.kind <> OLD.kind OR NEW.tenant_name <> OLD.tenant_name THEN
    RAISE EXCEPTION 'submission % stays what it is', OLD.id USING ERRCODE = 'LB001';
  END IF;
  IF NEW.state <> OLD.state AND OLD.state || ' ' || NEW.state NOT IN (
    'received sending',
    'received created',
    'received held',
    'received refused',
    'received parked',
    'received skipped',
    'received withdrawing',
    'held received',
    'held parked',
    'held skipped',
    'sending received',
    'sending unknown',
    'sending created',
    'sending refused',
    'sending parked',
    'unknown sending',
    'unknown created',
    'unknown refused',
    'unknown parked',
    'created acknowledged',
    'created received',
    'created parked',
    'created withdrawing',
    'acknowledged received',
    'acknowledged parked',
    'acknowledged withdrawing',
    'refused received',
    'refused skipped',
    'parked received',
    'parked unknown',
    'parked created',
    'parked skipped',
    'skipped received',
    'skipped refused',
    'withdrawing withdrawn',
    'withdrawing acknowledged',
    'withdrawing received',
    'withdrawing parked',
    'withdrawn received') THEN
    RAISE EXCEPTION 'submission % cannot go from % to %', OLD.id, OLD.state, NEW.state USING ERRCODE = 'LB001';
  END IF;
  IF OLD.kind NOT IN ('customer', 'item', 'hours', 'draft', 'order') AND NEW.content <> OLD.content AND OLD.state IN ('sending', 'unknown', 'created', 'acknowledged', 'withdrawing') THEN
    -- Of an invoice that was sent its origin may say that it is paid by now, and nothing else.
    IF OLD.kind <> 'invoice' OR NEW.content::jsonb - 'mark_paid' - 'method_payment' <> OLD.content::jsonb - 'mark_paid' - 'method_payment' THEN
      RAISE EXCEPTION 'submission % was sent as it is', OLD.id USING ERRCODE = 'LB001';
    END IF;
  END IF;
  RETURN NEW;
END $$;
