-- Up to which link of the audit people were told what concerns security.
CREATE TABLE "security_told" (
  "chain" TEXT NOT NULL PRIMARY KEY,
  "number" BIGINT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL
);
