-- Documents are looked up by their tenant, kind and guid, and searched for by lower-case beginnings of guid and number. Nothing reads
-- these three, and every document wrote them three times.
DROP INDEX "document_guid_idx";
DROP INDEX "document_number_idx";
DROP INDEX "document_tenant_name_number_idx";
