-- What stands at the top of a certificate, so that it can be shown where its file is not.
ALTER TABLE "certificate" ADD COLUMN "head" TEXT;
