-- AlterTable: the number of the document in the ledger, as its journal carries it. A cost has no other that people see.
ALTER TABLE "posting" ADD COLUMN "document_no" TEXT;
