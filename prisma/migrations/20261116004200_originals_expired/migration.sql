-- Originals that the law no longer wants kept. The row stays, with the hash: what was attached stays attached in the ERP.
ALTER TABLE "original" ADD COLUMN "expired_at" TIMESTAMPTZ(3), ADD COLUMN "removed_at" TIMESTAMPTZ(3);

-- Decided and not yet gone from the store: whoever goes on after a crash begins here.
CREATE INDEX "original_to_remove_idx" ON "original" ("sha256") WHERE "expired_at" IS NOT NULL AND "removed_at" IS NULL;

-- Whether the store is away is asked every few seconds, and nearly always none waits for it.
CREATE INDEX "original_store_away_idx" ON "original" ("state_since") WHERE "reason" = 'STORE_AWAY';
