-- What is in the books is acknowledged before more is begun; found without reading past all that is still to be begun.
CREATE INDEX posting_to_finish_idx ON posting (tenant_name, due_at)
  WHERE due_at IS NOT NULL AND state IN ('posted', 'writing_back', 'skipped', 'rejected');
