-- Whether a record that an origin hands over stands in its books already; null: the tenant file says.
ALTER TABLE "submission" ADD COLUMN "booked" TEXT;
