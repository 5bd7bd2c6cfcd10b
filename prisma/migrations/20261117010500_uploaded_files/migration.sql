-- Files that were uploaded for a record, by hash and name: a retry, a crash and a replay name the same ids.
ALTER TABLE submission ADD COLUMN uploads TEXT;
-- Files that came with a record over HTTP: known by their hash, and forgotten with it.
CREATE TABLE inbox_file (
  inbox_id BIGINT NOT NULL REFERENCES origin_inbox (id) ON DELETE CASCADE,
  sha256 TEXT NOT NULL,
  content BYTEA NOT NULL,
  PRIMARY KEY (inbox_id, sha256)
);
