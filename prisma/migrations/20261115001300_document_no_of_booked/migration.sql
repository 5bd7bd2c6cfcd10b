-- In a migration of its own, so that nobody who only reads waits for it.
-- What is in the books is not read again, so its number is taken from the journal that was booked.
UPDATE "posting" SET "document_no" = "journal"::json ->> 'documentNo' WHERE "journal" IS NOT NULL;

-- What the schema language cannot say: people type the beginning of it, in any case, as of the number at the source.
CREATE INDEX "posting_document_no_prefix_idx" ON "posting"(lower("document_no") text_pattern_ops)
  WHERE "document_no" IS NOT NULL;
