-- The other direction: what origins want to have at the invoicing service, what was sent of it, and what cannot be read.
CREATE TABLE "submission" (
    "id" UUID NOT NULL,
    "tenant_name" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "state_since" TIMESTAMPTZ(3) NOT NULL,
    "reason" TEXT,
    "reason_subject" TEXT,
    "reason_params" TEXT,
    "fence" INTEGER NOT NULL DEFAULT 0,
    "lease_owner" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3),
    "tries" INTEGER NOT NULL DEFAULT 0,
    "content" TEXT NOT NULL,
    "content_hash" TEXT NOT NULL,
    "amount" DECIMAL(24,6),
    "currency" TEXT,
    "issue_date" TEXT,
    "counterparty" TEXT NOT NULL DEFAULT '',
    "request" TEXT,
    "outcome" TEXT,
    "sends" INTEGER NOT NULL DEFAULT 0,
    "last_sent_at" TIMESTAMPTZ(3),
    "guid" TEXT,
    "number" TEXT,
    "payment_link" TEXT,
    "surely_absent" BOOLEAN NOT NULL DEFAULT false,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "made_at" TIMESTAMPTZ(3),

    CONSTRAINT "submission_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "submission_attempt" (
    "id" UUID NOT NULL,
    "submission_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "fence" INTEGER NOT NULL,
    "request" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "outcome" TEXT,
    "message" TEXT,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "submission_attempt_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "origin_cursor" (
    "tenant_name" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "cursor" TEXT NOT NULL,
    "looked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "origin_cursor_pkey" PRIMARY KEY ("tenant_name", "origin")
);

CREATE TABLE "origin_problem" (
    "tenant_name" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "problem" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "origin_problem_pkey" PRIMARY KEY ("tenant_name", "origin", "place")
);

CREATE TABLE "outgoing_tenant" (
    "tenant_name" TEXT NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "confirmed_by" TEXT,
    "paused_at" TIMESTAMPTZ(3),
    "paused_by" TEXT,
    "paused_reason" TEXT,

    CONSTRAINT "outgoing_tenant_pkey" PRIMARY KEY ("tenant_name")
);

CREATE UNIQUE INDEX "submission_key_key" ON "submission"("key");
CREATE INDEX "submission_tenant_name_due_at_idx" ON "submission"("tenant_name", "due_at") WHERE "due_at" IS NOT NULL;
CREATE INDEX "submission_tenant_name_state_id_idx" ON "submission"("tenant_name", "state", "id");
CREATE INDEX "submission_tenant_name_guid_idx" ON "submission"("tenant_name", "guid");
CREATE INDEX "submission_tenant_name_last_sent_at_idx" ON "submission"("tenant_name", "last_sent_at");
CREATE UNIQUE INDEX "submission_attempt_submission_id_number_key" ON "submission_attempt"("submission_id", "number");

ALTER TABLE "submission_attempt" ADD CONSTRAINT "submission_attempt_submission_id_fkey"
  FOREIGN KEY ("submission_id") REFERENCES "submission"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "submission" ADD CONSTRAINT "submission_known" CHECK (
  "kind" IN ('invoice', 'draft', 'order', 'quote', 'customer')
  AND "state" IN ('received', 'held', 'sending', 'unknown', 'created', 'acknowledged', 'refused', 'parked', 'skipped')
  AND ("request" IS NOT NULL OR "state" NOT IN ('sending', 'unknown'))
  AND ("guid" IS NOT NULL OR "state" NOT IN ('created', 'acknowledged')));

-- What may have gone to somebody's customer stays on record as it was sent; moves are those of src/domain/submission.ts.
CREATE FUNCTION "guard_submission"() RETURNS trigger LANGUAGE plpgsql AS $$
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
    'acknowledged received',
    'acknowledged parked',
    'refused received',
    'refused skipped',
    'parked received',
    'parked unknown',
    'parked created',
    'parked skipped',
    'skipped received') THEN
    RAISE EXCEPTION 'submission % cannot go from % to %', OLD.id, OLD.state, NEW.state USING ERRCODE = 'LB001';
  END IF;
  IF OLD.kind <> 'customer' AND NEW.content <> OLD.content AND OLD.state IN ('sending', 'unknown', 'created', 'acknowledged') THEN
    RAISE EXCEPTION 'submission % was sent as it is', OLD.id USING ERRCODE = 'LB001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "submission_moves" BEFORE UPDATE ON "submission" FOR EACH ROW EXECUTE FUNCTION "guard_submission"();
CREATE TRIGGER "submission_stays" BEFORE DELETE ON "submission" FOR EACH ROW EXECUTE FUNCTION "refuse_removal"();
CREATE TRIGGER "submission_kept" BEFORE TRUNCATE ON "submission" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_removal"();
CREATE TRIGGER "submission_attempt_stays" BEFORE DELETE ON "submission_attempt" FOR EACH ROW EXECUTE FUNCTION "refuse_removal"();
CREATE TRIGGER "submission_attempt_kept" BEFORE TRUNCATE ON "submission_attempt" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_removal"();
