-- DropIndex
DROP INDEX "posting_posted_at_idx";

-- CreateIndex: what was posted in the last hours, with how long it took, from the index alone
CREATE INDEX "posting_posted_at_tenant_name_discovered_at_idx" ON "posting"("posted_at", "tenant_name", "discovered_at");

-- What the schema language cannot say.

-- Problems by cause are counted from this index alone, every few seconds, however many documents are in the books: only
-- postings that rest stand in it.
CREATE INDEX posting_problem_idx ON posting (state, reason, reason_subject, tenant_name, kind, state_since, id)
  WHERE state IN ('held', 'parked', 'orphaned', 'rejected');

-- What came to rest in the last hours, for the charts.
CREATE INDEX posting_rested_idx ON posting (state_since, state, tenant_name)
  WHERE state IN ('skipped', 'rejected', 'parked');

-- What people did, among the millions of moves that the workers make.
CREATE INDEX audit_entry_person_idx ON audit_entry (actor, id) WHERE actor <> 'worker';
