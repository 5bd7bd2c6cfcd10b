-- When the person of a session gave their password or code again. Null: not since they signed in.
ALTER TABLE "dashboard_session" ADD COLUMN "proven_at" TIMESTAMPTZ(3);
