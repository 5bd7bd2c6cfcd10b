-- The document that was let through to try a side that was down. When it rests without having asked that side (it was deferred,
-- or its rules are to be mended), the next one may try at once.
ALTER TABLE breaker ADD COLUMN probe_id uuid;
