-- Postings of which something waits for other months: few, and looked for with every sweep. In the texts of a journal the quotes are
-- escaped, so only a line that waits holds this word.
CREATE INDEX "posting_releases" ON "posting" ("tenant_name") WHERE position('"release":' in "journal") > 0;
