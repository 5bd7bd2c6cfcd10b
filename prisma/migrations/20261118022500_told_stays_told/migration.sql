-- A list from before could write Created over what a document had just been told (listed-again.ts locks it first now). Such a document
-- counts as waiting for ever, and hides one that is dated back until the next full sweep.
UPDATE "document" d SET "source_status" = w."wanted"
FROM "posting" p CROSS JOIN LATERAL (
  SELECT b."wanted", b."state" FROM "write_back" b WHERE b."posting_id" = p."id" ORDER BY b."number" DESC LIMIT 1) w
WHERE d."source_status" = 'Created' AND p."document_id" = d."id" AND p."state" IN ('acknowledged', 'skipped', 'rejected')
  AND w."state" = 'acknowledged'
  AND NOT EXISTS (SELECT 1 FROM "posting" l WHERE l."document_id" = d."id" AND l."generation" > p."generation");
