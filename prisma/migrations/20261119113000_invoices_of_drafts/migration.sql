-- When the service was last asked which invoices were made of a draft or order: one that carries its mark, was there by then and was not
-- named is a copy.
ALTER TABLE "submission" ADD COLUMN "invoices_read_at" TIMESTAMPTZ(3);
