-- Network addresses stand beside the audit, which names them by marks: they can be removed, and the chain stays whole.
CREATE TABLE "audit_address" (
  -- Hash of the day's secret, whose it is, and the address.
  "mark" TEXT NOT NULL PRIMARY KEY,
  "day" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "address" TEXT NOT NULL
);
CREATE INDEX "audit_address_day_idx" ON "audit_address"("day");
CREATE INDEX "audit_address_subject_idx" ON "audit_address"("subject");

-- With the secret of its day goes the last way from a mark back to an address.
CREATE TABLE "audit_address_secret" (
  "day" TEXT NOT NULL PRIMARY KEY,
  "secret" TEXT NOT NULL
);
