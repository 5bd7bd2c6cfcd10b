-- How long a server asked to be left alone (Retry-After). Until then nobody asks, and no success of another request ends it.
ALTER TABLE breaker ADD COLUMN hold_until TIMESTAMPTZ(3);
