-- Who vouches for somebody that signs in elsewhere.
ALTER TABLE "dashboard_user" ADD COLUMN "issuer" TEXT, ADD COLUMN "subject" TEXT;
CREATE UNIQUE INDEX "dashboard_user_issuer_subject_key" ON "dashboard_user"("issuer", "subject");

CREATE TABLE "second_factor" (
    "user_id" UUID NOT NULL,
    "sealed" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "last_step" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "second_factor_pkey" PRIMARY KEY ("user_id")
);
ALTER TABLE "second_factor" ADD CONSTRAINT "second_factor_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "dashboard_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "recovery_code" (
    "code_hash" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "recovery_code_pkey" PRIMARY KEY ("code_hash")
);
CREATE INDEX "recovery_code_user_id_idx" ON "recovery_code"("user_id");
ALTER TABLE "recovery_code" ADD CONSTRAINT "recovery_code_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "dashboard_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "sign_in_ticket" (
    "id_hash" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_ticket_pkey" PRIMARY KEY ("id_hash")
);
CREATE INDEX "sign_in_ticket_expires_at_idx" ON "sign_in_ticket"("expires_at");
ALTER TABLE "sign_in_ticket" ADD CONSTRAINT "sign_in_ticket_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "dashboard_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "saved_view" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saved_view_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "saved_view_user_id_name_key" ON "saved_view"("user_id", "name");
ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "dashboard_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
