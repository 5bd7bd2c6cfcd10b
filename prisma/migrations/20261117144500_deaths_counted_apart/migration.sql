-- Processes that died over a submission say nothing of what was tried with it, and are counted apart.
ALTER TABLE "submission" ADD COLUMN "deaths" INTEGER NOT NULL DEFAULT 0;
