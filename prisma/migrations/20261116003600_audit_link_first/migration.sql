-- Which link covers an entry: links cover whole statements, and are found by the first entry that they cover.
CREATE INDEX audit_link_first_idx ON audit_link (chain, (coalesce(entry_id, entries[1])));
