-- Wrong passwords are counted in one statement, for names that exist and for names that do not: a counter that was read and
-- then written locked nobody when many came at once, and only names that exist ever said "locked".
CREATE TABLE "sign_in_guess" (
    "name" TEXT NOT NULL,
    "failed" INTEGER NOT NULL,
    "locked_until" TIMESTAMPTZ(3),
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_guess_pkey" PRIMARY KEY ("name")
);

INSERT INTO "sign_in_guess" ("name", "failed", "locked_until", "last_at")
SELECT 'user:' || "login", "failed_sign_ins", "locked_until", now() FROM "dashboard_user" WHERE "failed_sign_ins" > 0;

ALTER TABLE "dashboard_user" DROP COLUMN "failed_sign_ins", DROP COLUMN "locked_until";
