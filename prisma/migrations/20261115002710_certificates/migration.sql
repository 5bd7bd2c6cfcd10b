-- CreateTable
CREATE TABLE "certificate" (
    "id" UUID NOT NULL,
    "tenant_name" TEXT NOT NULL,
    "from_date" TEXT NOT NULL,
    "to_date" TEXT NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL,
    "made_by" TEXT NOT NULL,
    "verdict" TEXT NOT NULL,
    "root" TEXT NOT NULL,
    "records" INTEGER NOT NULL,
    "public_key" TEXT,
    "signature" TEXT,
    "file" TEXT NOT NULL,
    "summary" TEXT NOT NULL,

    CONSTRAINT "certificate_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "certificate_tenant_name_made_at_idx" ON "certificate"("tenant_name", "made_at");

-- Each is linked to the one before it: none is changed or taken out.
CREATE FUNCTION "refuse_certificate_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a certificate is never changed or removed' USING ERRCODE = 'LB004';
END $$;
CREATE TRIGGER "certificate_stays" BEFORE UPDATE OR DELETE ON "certificate"
  FOR EACH ROW EXECUTE FUNCTION "refuse_certificate_change"();
CREATE TRIGGER "certificate_kept" BEFORE TRUNCATE ON "certificate"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_certificate_change"();
