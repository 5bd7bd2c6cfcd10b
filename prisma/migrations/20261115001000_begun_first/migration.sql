-- A document whose posting was interrupted, or whose outcome is unknown, goes before those that are not begun, however long
-- they have waited; found without reading past all of them.
CREATE INDEX posting_begun_idx ON posting (tenant_name, due_at)
  WHERE due_at IS NOT NULL AND state IN ('mapped', 'posting');
