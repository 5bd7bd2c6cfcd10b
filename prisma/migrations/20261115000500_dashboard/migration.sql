-- CreateTable
CREATE TABLE "dashboard_user" (
    "id" UUID NOT NULL,
    "login" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "password_changed_at" TIMESTAMPTZ(3) NOT NULL,
    "failed_sign_ins" INTEGER NOT NULL DEFAULT 0,
    "locked_until" TIMESTAMPTZ(3),
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "disabled_at" TIMESTAMPTZ(3),

    CONSTRAINT "dashboard_user_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "dashboard_session" (
    "id_hash" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "browser" TEXT NOT NULL,
    "address" TEXT NOT NULL,

    CONSTRAINT "dashboard_session_pkey" PRIMARY KEY ("id_hash")
);

-- CreateTable
CREATE TABLE "setup_code" (
    "code_hash" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "setup_code_pkey" PRIMARY KEY ("code_hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "dashboard_user_login_key" ON "dashboard_user"("login");

-- CreateIndex
CREATE INDEX "dashboard_session_user_id_idx" ON "dashboard_session"("user_id");

-- CreateIndex
CREATE INDEX "dashboard_session_expires_at_idx" ON "dashboard_session"("expires_at");

-- AddForeignKey
ALTER TABLE "dashboard_session" ADD CONSTRAINT "dashboard_session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "dashboard_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What the schema language cannot say.
ALTER TABLE "dashboard_user" ADD CONSTRAINT "dashboard_user_role" CHECK ("role" IN ('viewer', 'operator', 'admin'));
