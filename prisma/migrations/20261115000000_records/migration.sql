-- CreateTable
CREATE TABLE "tenant" (
    "name" TEXT NOT NULL,
    "source_account" TEXT,
    "environment" TEXT NOT NULL,
    "ledger" TEXT,
    "rules_version" TEXT,
    "plan_confirmed_at" TIMESTAMPTZ(3),
    "plan_confirmed_by" TEXT,
    "paused_at" TIMESTAMPTZ(3),
    "paused_by" TEXT,
    "paused_reason" TEXT,
    "weight" INTEGER NOT NULL DEFAULT 1,
    "postings_per_second" INTEGER NOT NULL DEFAULT 20,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tenant_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "document" (
    "id" UUID NOT NULL,
    "tenant_name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "guid" TEXT NOT NULL,
    "number" TEXT NOT NULL,
    "amount" DECIMAL(24,6) NOT NULL,
    "currency" TEXT NOT NULL,
    "issue_date" TEXT NOT NULL,
    "refer_guid" TEXT NOT NULL DEFAULT '',
    "counterparty_name" TEXT NOT NULL,
    "counterparty_kennitala" TEXT NOT NULL,
    "source_status" TEXT NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "snapshot" TEXT,
    "content_hash" TEXT,
    "snapshot_at" TIMESTAMPTZ(3),

    CONSTRAINT "document_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "posting" (
    "id" UUID NOT NULL,
    "document_id" UUID NOT NULL,
    "tenant_name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 0,
    "state" TEXT NOT NULL,
    "state_since" TIMESTAMPTZ(3) NOT NULL,
    "reason" TEXT,
    "reason_subject" TEXT,
    "reason_sentence" TEXT,
    "fence" INTEGER NOT NULL DEFAULT 0,
    "lease_owner" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3),
    "queued_until" TIMESTAMPTZ(3),
    "tries" INTEGER NOT NULL DEFAULT 0,
    "content_hash" TEXT,
    "rules_version" TEXT,
    "journal" TEXT,
    "settlement" TEXT,
    "trace" TEXT,
    "warnings" TEXT[],
    "posting_date" TEXT,
    "total_isk" DECIMAL(24,2),
    "erp_reference" TEXT,
    "erp_number" TEXT,
    "settlement_reference" TEXT,
    "held" BOOLEAN NOT NULL DEFAULT false,
    "discovered_at" TIMESTAMPTZ(3) NOT NULL,
    "posted_at" TIMESTAMPTZ(3),
    "acknowledged_at" TIMESTAMPTZ(3),

    CONSTRAINT "posting_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attempt" (
    "id" UUID NOT NULL,
    "posting_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "fence" INTEGER NOT NULL,
    "part" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "request" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "send_by" TIMESTAMPTZ(3) NOT NULL,
    "sends" INTEGER NOT NULL DEFAULT 0,
    "last_sent_at" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "message" TEXT,
    "erp_reference" TEXT,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "write_back" (
    "id" UUID NOT NULL,
    "posting_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "wanted" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "sends" INTEGER NOT NULL DEFAULT 0,
    "answer" TEXT,
    "decided_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "acknowledged_at" TIMESTAMPTZ(3),

    CONSTRAINT "write_back_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "cursor" (
    "tenant_name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "from_date" TEXT NOT NULL,
    "last_sweep_at" TIMESTAMPTZ(3),
    "last_full_sweep_at" TIMESTAMPTZ(3),
    "full_sweep_due" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "cursor_pkey" PRIMARY KEY ("tenant_name","kind")
);

-- CreateTable
CREATE TABLE "sweep" (
    "id" UUID NOT NULL,
    "tenant_name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "pages" INTEGER NOT NULL DEFAULT 0,
    "listed" INTEGER NOT NULL DEFAULT 0,
    "discovered" INTEGER NOT NULL DEFAULT 0,
    "reopened" INTEGER NOT NULL DEFAULT 0,
    "problems" INTEGER NOT NULL DEFAULT 0,
    "expected_count" INTEGER,
    "outcome" TEXT,
    "message" TEXT,

    CONSTRAINT "sweep_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "breaker" (
    "tenant_name" TEXT NOT NULL,
    "side" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "open_until" TIMESTAMPTZ(3),
    "reason" TEXT,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "breaker_pkey" PRIMARY KEY ("tenant_name","side")
);

-- CreateTable
CREATE TABLE "source_grant" (
    "tenant_name" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "access_token" TEXT NOT NULL,
    "refresh_token" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "access_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "refresh_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    "lease_owner" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "source_grant_pkey" PRIMARY KEY ("tenant_name")
);

-- CreateTable
CREATE TABLE "oauth_client" (
    "tenant_name" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_secret" TEXT,
    "key_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oauth_client_pkey" PRIMARY KEY ("tenant_name")
);

-- CreateTable
CREATE TABLE "incident" (
    "id" UUID NOT NULL,
    "tenant_name" TEXT,
    "posting_id" UUID,
    "code" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "details" TEXT NOT NULL,
    "next_step" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "count" INTEGER NOT NULL DEFAULT 1,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),
    "resolved_by" TEXT,
    "resolution" TEXT,

    CONSTRAINT "incident_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outbox" (
    "id" UUID NOT NULL,
    "topic" TEXT NOT NULL,
    "tenant_name" TEXT,
    "payload" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "queued_until" TIMESTAMPTZ(3),
    "tries" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tick" (
    "tenant_name" TEXT NOT NULL,
    "scheduled_at" TIMESTAMPTZ(3) NOT NULL,
    "fired_by" TEXT NOT NULL,

    CONSTRAINT "tick_pkey" PRIMARY KEY ("tenant_name","scheduled_at")
);

-- CreateTable
CREATE TABLE "bridge" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "instance" UUID NOT NULL,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "look_up_first_until" TIMESTAMPTZ(3),

    CONSTRAINT "bridge_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "legal_move" (
    "from_state" TEXT NOT NULL,
    "to_state" TEXT NOT NULL,

    CONSTRAINT "legal_move_pkey" PRIMARY KEY ("from_state","to_state")
);

-- CreateTable
CREATE TABLE "reconciliation_run" (
    "id" UUID NOT NULL,
    "tenant_name" TEXT NOT NULL,
    "from_date" TEXT NOT NULL,
    "to_date" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "clean" BOOLEAN,
    "report" TEXT,

    CONSTRAINT "reconciliation_run_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "document_guid_idx" ON "document"("guid");

-- CreateIndex
CREATE INDEX "document_tenant_name_number_idx" ON "document"("tenant_name", "number");

-- CreateIndex
CREATE INDEX "document_number_idx" ON "document"("number");

-- CreateIndex
CREATE INDEX "document_counterparty_kennitala_idx" ON "document"("counterparty_kennitala");

-- CreateIndex
CREATE INDEX "document_tenant_name_refer_guid_idx" ON "document"("tenant_name", "refer_guid");

-- CreateIndex
CREATE INDEX "document_amount_idx" ON "document"("amount");

-- CreateIndex
CREATE INDEX "document_tenant_name_issue_date_id_idx" ON "document"("tenant_name", "issue_date", "id");

-- CreateIndex
CREATE UNIQUE INDEX "document_tenant_name_kind_guid_key" ON "document"("tenant_name", "kind", "guid");

-- CreateIndex
CREATE UNIQUE INDEX "posting_key_key" ON "posting"("key");

-- CreateIndex
CREATE INDEX "posting_tenant_name_due_at_idx" ON "posting"("tenant_name", "due_at");

-- CreateIndex
CREATE INDEX "posting_tenant_name_state_id_idx" ON "posting"("tenant_name", "state", "id");

-- CreateIndex
CREATE INDEX "posting_state_reason_reason_subject_tenant_name_idx" ON "posting"("state", "reason", "reason_subject", "tenant_name");

-- CreateIndex
CREATE INDEX "posting_posted_at_idx" ON "posting"("posted_at");

-- CreateIndex
CREATE INDEX "posting_tenant_name_posting_date_idx" ON "posting"("tenant_name", "posting_date");

-- CreateIndex
CREATE UNIQUE INDEX "posting_document_id_generation_key" ON "posting"("document_id", "generation");

-- CreateIndex
CREATE UNIQUE INDEX "attempt_posting_id_number_key" ON "attempt"("posting_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "write_back_posting_id_number_key" ON "write_back"("posting_id", "number");

-- CreateIndex
CREATE INDEX "sweep_tenant_name_started_at_idx" ON "sweep"("tenant_name", "started_at");

-- CreateIndex
CREATE INDEX "incident_state_last_seen_at_idx" ON "incident"("state", "last_seen_at");

-- CreateIndex
CREATE INDEX "incident_tenant_name_state_idx" ON "incident"("tenant_name", "state");

-- CreateIndex
CREATE INDEX "incident_posting_id_idx" ON "incident"("posting_id");

-- CreateIndex
CREATE INDEX "outbox_due_at_idx" ON "outbox"("due_at");

-- CreateIndex
CREATE INDEX "tick_scheduled_at_idx" ON "tick"("scheduled_at");

-- CreateIndex
CREATE INDEX "reconciliation_run_tenant_name_started_at_idx" ON "reconciliation_run"("tenant_name", "started_at");

-- AddForeignKey
ALTER TABLE "document" ADD CONSTRAINT "document_tenant_name_fkey" FOREIGN KEY ("tenant_name") REFERENCES "tenant"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "posting" ADD CONSTRAINT "posting_document_id_fkey" FOREIGN KEY ("document_id") REFERENCES "document"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "posting" ADD CONSTRAINT "posting_tenant_name_fkey" FOREIGN KEY ("tenant_name") REFERENCES "tenant"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attempt" ADD CONSTRAINT "attempt_posting_id_fkey" FOREIGN KEY ("posting_id") REFERENCES "posting"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "write_back" ADD CONSTRAINT "write_back_posting_id_fkey" FOREIGN KEY ("posting_id") REFERENCES "posting"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cursor" ADD CONSTRAINT "cursor_tenant_name_fkey" FOREIGN KEY ("tenant_name") REFERENCES "tenant"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sweep" ADD CONSTRAINT "sweep_tenant_name_fkey" FOREIGN KEY ("tenant_name") REFERENCES "tenant"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "breaker" ADD CONSTRAINT "breaker_tenant_name_fkey" FOREIGN KEY ("tenant_name") REFERENCES "tenant"("name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What the schema language cannot say.

-- The dispatcher looks only at what is due.
DROP INDEX "posting_tenant_name_due_at_idx";
CREATE INDEX "posting_tenant_name_due_at_idx" ON "posting"("tenant_name", "due_at") WHERE "due_at" IS NOT NULL;

-- One open row per cause.
CREATE UNIQUE INDEX "incident_open_fingerprint_key" ON "incident"("fingerprint") WHERE "state" <> 'resolved';

INSERT INTO "bridge" ("id", "instance") VALUES (1, gen_random_uuid());
ALTER TABLE "bridge" ADD CONSTRAINT "bridge_one_row" CHECK ("id" = 1);

-- The moves of src/domain/posting.ts; a test holds the two against each other.
INSERT INTO "legal_move" ("from_state", "to_state") VALUES
  ('discovered', 'mapped'),
  ('discovered', 'deferred'),
  ('discovered', 'held'),
  ('discovered', 'parked'),
  ('discovered', 'skipped'),
  ('discovered', 'rejected'),
  ('mapped', 'posting'),
  ('mapped', 'discovered'),
  ('mapped', 'deferred'),
  ('mapped', 'held'),
  ('mapped', 'parked'),
  ('mapped', 'skipped'),
  ('mapped', 'rejected'),
  ('posting', 'posted'),
  ('posting', 'mapped'),
  ('posting', 'held'),
  ('posting', 'parked'),
  ('posting', 'rejected'),
  ('posted', 'writing_back'),
  ('posted', 'parked'),
  ('posted', 'orphaned'),
  ('posted', 'reversed'),
  ('writing_back', 'acknowledged'),
  ('writing_back', 'posted'),
  ('writing_back', 'parked'),
  ('writing_back', 'orphaned'),
  ('acknowledged', 'orphaned'),
  ('acknowledged', 'reversed'),
  ('deferred', 'discovered'),
  ('deferred', 'skipped'),
  ('deferred', 'held'),
  ('deferred', 'parked'),
  ('held', 'discovered'),
  ('held', 'skipped'),
  ('held', 'parked'),
  ('parked', 'discovered'),
  ('parked', 'posting'),
  ('parked', 'posted'),
  ('parked', 'writing_back'),
  ('parked', 'skipped'),
  ('parked', 'orphaned'),
  ('parked', 'reversed'),
  ('skipped', 'discovered'),
  ('skipped', 'parked'),
  ('rejected', 'discovered'),
  ('rejected', 'parked'),
  ('orphaned', 'reversed'),
  ('orphaned', 'parked'),
  ('reversed', 'discovered'),
  ('reversed', 'skipped');

CREATE FUNCTION "refuse_illegal_posting"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'discovered' THEN
      RAISE EXCEPTION 'a posting begins as discovered, not as %', NEW.state USING ERRCODE = 'LB001';
    END IF;
    RETURN NEW;
  END IF;
  IF NEW.fence < OLD.fence THEN
    RAISE EXCEPTION 'the fence of posting % would fall from % to %', OLD.id, OLD.fence, NEW.fence USING ERRCODE = 'LB002';
  END IF;
  IF NEW.generation < OLD.generation OR (NEW.key <> OLD.key AND NEW.generation = OLD.generation) THEN
    RAISE EXCEPTION 'posting % keeps its key within a generation', OLD.id USING ERRCODE = 'LB003';
  END IF;
  IF NEW.state <> OLD.state
     AND NOT EXISTS (SELECT 1 FROM legal_move WHERE from_state = OLD.state AND to_state = NEW.state) THEN
    RAISE EXCEPTION 'posting % may not move from % to %', OLD.id, OLD.state, NEW.state USING ERRCODE = 'LB001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "posting_legal" BEFORE INSERT OR UPDATE ON "posting"
  FOR EACH ROW EXECUTE FUNCTION "refuse_illegal_posting"();

CREATE FUNCTION "refuse_posting_delete"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a posting is never deleted: it is what keeps % from being posted twice', OLD.key USING ERRCODE = 'LB004';
END $$;
CREATE TRIGGER "posting_stays" BEFORE DELETE ON "posting"
  FOR EACH ROW EXECUTE FUNCTION "refuse_posting_delete"();

-- No send without a committed attempt, and an attempt is written once: its request never changes.
CREATE FUNCTION "refuse_attempt_rewrite"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.request <> OLD.request OR NEW.key <> OLD.key OR NEW.posting_id <> OLD.posting_id OR NEW.number <> OLD.number THEN
    RAISE EXCEPTION 'attempt % is on record and is not rewritten', OLD.id USING ERRCODE = 'LB005';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "attempt_stands" BEFORE UPDATE ON "attempt"
  FOR EACH ROW EXECUTE FUNCTION "refuse_attempt_rewrite"();
