-- What was under way when the database was restored may still arrive in the ERP: how long ago that was decides when a look proves
-- that nothing is there, and which attempts were begun since.
ALTER TABLE "bridge" ADD COLUMN "restored_at" TIMESTAMPTZ(3);
UPDATE "bridge" SET "restored_at" = now() WHERE "look_up_first_until" > now();
