-- CreateTable
CREATE TABLE "original" (
    "id" UUID NOT NULL,
    "tenant_name" TEXT NOT NULL,
    "posting_id" UUID NOT NULL,
    "generation" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "state_since" TIMESTAMPTZ(3) NOT NULL,
    "reason" TEXT,
    "reason_detail" TEXT,
    "sha256" TEXT,
    "size" INTEGER,
    "content_type" TEXT,
    "source_name" TEXT,
    "erp_file_name" TEXT,
    "erp_reference" TEXT NOT NULL,
    "erp_number" TEXT,
    "fence" INTEGER NOT NULL DEFAULT 0,
    "lease_owner" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3),
    "tries" INTEGER NOT NULL DEFAULT 0,
    "sends" INTEGER NOT NULL DEFAULT 0,
    "last_sent_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "original_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "original_cursor" (
    "tenant_name" TEXT NOT NULL,
    "from_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "original_cursor_pkey" PRIMARY KEY ("tenant_name")
);

-- CreateIndex
CREATE UNIQUE INDEX "original_posting_id_generation_role_key" ON "original"("posting_id", "generation", "role");

-- CreateIndex
CREATE INDEX "original_tenant_name_due_at_idx" ON "original"("tenant_name", "due_at") WHERE "due_at" IS NOT NULL;

-- CreateIndex
CREATE INDEX "original_tenant_name_state_idx" ON "original"("tenant_name", "state");

-- CreateIndex
CREATE INDEX "original_sha256_idx" ON "original"("sha256");

-- AddForeignKey
ALTER TABLE "original" ADD CONSTRAINT "original_posting_id_fkey" FOREIGN KEY ("posting_id") REFERENCES "posting"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "original" ADD CONSTRAINT "original_known" CHECK (
  "role" IN ('pdf', 'file', 'ubl')
  AND "state" IN ('wanted', 'absent', 'fetched', 'kept', 'attaching', 'unknown', 'attached', 'parked')
  AND ("sha256" IS NOT NULL OR "state" IN ('wanted', 'absent', 'parked'))
  AND ("sha256" IS NULL OR "sha256" ~ '^[0-9a-f]{64}$'));

-- What is at the entry stays on record, with the hash of what was sent; and fences do not fall.
CREATE FUNCTION "guard_original"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.fence < OLD.fence THEN
    RAISE EXCEPTION 'the fence of original % does not fall', OLD.id USING ERRCODE = 'LB002';
  END IF;
  IF OLD.state = 'attached' AND (NEW.state <> 'attached' OR NEW.sha256 <> OLD.sha256) THEN
    RAISE EXCEPTION 'original % is attached and stays so', OLD.id USING ERRCODE = 'LB001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "original_moves" BEFORE UPDATE ON "original" FOR EACH ROW EXECUTE FUNCTION "guard_original"();
CREATE TRIGGER "original_stays" BEFORE DELETE ON "original" FOR EACH ROW EXECUTE FUNCTION "refuse_removal"();
CREATE TRIGGER "original_kept" BEFORE TRUNCATE ON "original" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_removal"();
