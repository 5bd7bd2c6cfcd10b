-- The invoices that a recurring template at the service makes, tied to the subscription that it was made for.
CREATE TABLE "subscription_invoice" (
    "submission_id" UUID NOT NULL,
    "guid" TEXT NOT NULL,
    "number" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "subscription_invoice_pkey" PRIMARY KEY ("submission_id", "guid")
);

ALTER TABLE "subscription_invoice" ADD CONSTRAINT "subscription_invoice_submission_id_fkey"
  FOREIGN KEY ("submission_id") REFERENCES "submission"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
