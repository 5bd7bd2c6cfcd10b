-- What an origin and the service had of each field when they were last at one, so that whose change it was can be told.
ALTER TABLE "submission" ADD COLUMN "agreed" TEXT;
ALTER TABLE "submission" ADD COLUMN "agreed_at" TIMESTAMPTZ(3);
ALTER TABLE "submission" ADD COLUMN "conflicts" TEXT;
ALTER TABLE "submission" ADD COLUMN "decided" TEXT;
