-- What may happen many times in an hour (failed sign-ins, exports, reads) and is told to the audit once, with its number when the hour is over.
CREATE TABLE "act_tally" (
  -- Hash of all that the entry says, and of its hour.
  "key" TEXT NOT NULL PRIMARY KEY,
  "chain" TEXT NOT NULL,
  "actor" TEXT NOT NULL,
  "action" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  -- JSON.
  "details" TEXT NOT NULL,
  "since" TIMESTAMPTZ(3) NOT NULL,
  "last_at" TIMESTAMPTZ(3) NOT NULL,
  -- 0: begun, and not finished yet.
  "count" INTEGER NOT NULL,
  "rows" BIGINT
);
CREATE INDEX "act_tally_action_actor_idx" ON "act_tally"("action", "actor");
CREATE INDEX "act_tally_since_idx" ON "act_tally"("since");
