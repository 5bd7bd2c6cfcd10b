-- How far the daily look for payments of posted invoices is. Payments themselves are documents and postings of the kind payment.
CREATE TABLE "payment_cursor" (
    "tenant_name" TEXT NOT NULL,
    "from_date" TEXT,
    "begun_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_until" TEXT,

    CONSTRAINT "payment_cursor_pkey" PRIMARY KEY ("tenant_name")
);
