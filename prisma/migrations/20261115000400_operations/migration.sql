-- CreateTable
CREATE TABLE "operation_run" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "selection" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "per_second" INTEGER NOT NULL,
    "total" INTEGER NOT NULL,
    "done" INTEGER NOT NULL DEFAULT 0,
    "moved" INTEGER NOT NULL DEFAULT 0,
    "refused" INTEGER NOT NULL DEFAULT 0,
    "lease_owner" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "operation_run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "operation_item" (
    "run_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "posting_id" UUID NOT NULL,
    "outcome" TEXT,
    "message" TEXT,

    CONSTRAINT "operation_item_pkey" PRIMARY KEY ("run_id","number")
);

-- CreateTable
CREATE TABLE "api_token" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by" TEXT,

    CONSTRAINT "api_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "token_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "status" INTEGER,
    "response" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("token_id","key")
);

-- CreateIndex
CREATE INDEX "operation_run_state_created_at_idx" ON "operation_run"("state", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "api_token_hash_key" ON "api_token"("hash");

-- CreateIndex
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");

-- CreateIndex
CREATE INDEX "document_issue_date_id_idx" ON "document"("issue_date", "id");

-- AddForeignKey
ALTER TABLE "operation_item" ADD CONSTRAINT "operation_item_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "operation_run"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What the schema language cannot say.

-- People type the beginning of a guid or of a number, in any case.
CREATE INDEX "document_guid_prefix_idx" ON "document"(lower("guid") text_pattern_ops);
CREATE INDEX "document_number_prefix_idx" ON "document"(lower("number") text_pattern_ops);
-- And the beginnings of the words of a name. `simple` knows no language, which suits names.
CREATE INDEX "document_name_words_idx" ON "document" USING gin (to_tsvector('simple', "counterparty_name"));

-- Only what rests for a reason has one, so this stays small.
CREATE INDEX "posting_reason_id_idx" ON "posting"("reason", "id") WHERE "reason" IS NOT NULL;
CREATE INDEX "posting_erp_number_idx" ON "posting"("erp_number") WHERE "erp_number" IS NOT NULL;

-- A run goes on where it stopped.
CREATE INDEX "operation_item_open_idx" ON "operation_item"("run_id", "number") WHERE "outcome" IS NULL;
