-- Acts that a tenant wants two people for: what the first one asked, and who agreed.
CREATE TABLE "approval" (
    "id" UUID NOT NULL,
    "tenant_name" TEXT NOT NULL,
    "act" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "asked" TEXT NOT NULL,
    "identity" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT NOT NULL,
    "decided_by" TEXT,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "approval_pkey" PRIMARY KEY ("id")
);

-- What the schema language cannot say: of one act on one thing there is one request at a time.
CREATE UNIQUE INDEX "approval_open" ON "approval"("tenant_name", "act", "subject") WHERE "state" IN ('open', 'approved');
ALTER TABLE "approval" ADD CONSTRAINT "approval_state" CHECK ("state" IN ('open', 'approved', 'done', 'withdrawn', 'expired'));
