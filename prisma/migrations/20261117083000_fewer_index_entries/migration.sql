-- What most documents have not, or what changes with every document, was written into indexes again and again.
-- Few documents refer to another.
DROP INDEX "document_tenant_name_refer_guid_idx";
CREATE INDEX "document_refers_idx" ON "document"("tenant_name", "refer_guid") WHERE "refer_guid" <> '';

-- The outcome is no part of it any more: with it no attempt could be finished without new entries in all of its indexes.
DROP INDEX "attempt_reversal_open_idx";
CREATE INDEX "attempt_reversal_idx" ON "attempt"("started_at") WHERE "part" = 'reversal';
