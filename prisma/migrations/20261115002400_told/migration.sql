-- What an incident says, as values; and whether people were told of it and of its end.
ALTER TABLE "incident" ADD COLUMN "params" TEXT;
ALTER TABLE "incident" ADD COLUMN "told_at" TIMESTAMPTZ(3);
ALTER TABLE "incident" ADD COLUMN "end_told_at" TIMESTAMPTZ(3);

-- Whoever had to hear of those from before has heard.
UPDATE "incident" SET "told_at" = now();
UPDATE "incident" SET "end_told_at" = now() WHERE "state" = 'resolved';

CREATE INDEX "incident_untold_idx" ON "incident"("tenant_name") WHERE "told_at" IS NULL OR "end_told_at" IS NULL;

-- One message to one channel. The id is what a receiver tells repeats by.
CREATE TABLE "notification" (
    "id" UUID NOT NULL,
    "tenant_name" TEXT,
    "channel" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "answer" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "notification_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "notification_state_due_at_idx" ON "notification"("state", "due_at");
CREATE INDEX "notification_channel_created_at_idx" ON "notification"("channel", "created_at");
