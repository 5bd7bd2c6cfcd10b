-- CreateTable
CREATE TABLE "lease" (
    "name" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "lease_pkey" PRIMARY KEY ("name")
);

-- What the schema language cannot say.

-- The count probe of every tick: how many documents should the source still show as Created?
CREATE INDEX "document_created_idx" ON "document"("tenant_name", "kind") WHERE "source_status" = 'Created';
