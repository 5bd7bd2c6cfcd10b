-- Reversals without an outcome: the watchman asks for them in every round, and there are next to none.
CREATE INDEX "attempt_reversal_open_idx" ON "attempt"("started_at") WHERE "part" = 'reversal' AND "outcome" IS NULL;
