-- Records that come over HTTP: on record before they are acknowledged, taken up from here like those of any other origin.
CREATE TABLE "origin_inbox" (
    "id" BIGSERIAL NOT NULL,
    "tenant_name" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "body_hash" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "origin_inbox_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "origin_inbox_tenant_name_origin_key_key" ON "origin_inbox"("tenant_name", "origin", "key");
CREATE INDEX "origin_inbox_tenant_name_origin_id_idx" ON "origin_inbox"("tenant_name", "origin", "id");
CREATE INDEX "origin_inbox_tenant_name_origin_kind_reference_idx" ON "origin_inbox"("tenant_name", "origin", "kind", "reference");
-- Whoever sent a record asks by its reference.
CREATE INDEX "submission_tenant_name_reference_idx" ON "submission"("tenant_name", "reference");
