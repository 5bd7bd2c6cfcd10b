-- Rates are fractions: one posting in two seconds is 0.5.
ALTER TABLE "tenant" ALTER COLUMN "postings_per_second" SET DATA TYPE DOUBLE PRECISION;
