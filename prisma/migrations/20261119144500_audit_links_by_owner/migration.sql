-- Links of the audit are written with the rights of the owner of its tables: the role of a running bridge adds entries and reads, and has no right to
-- change a link or a head. The path is fixed, so that a temporary table of the caller never stands in for one of these.
ALTER FUNCTION "link_audit_entries"() SECURITY DEFINER;
REVOKE EXECUTE ON FUNCTION "link_audit_entries"() FROM PUBLIC;
DO $$ BEGIN
  EXECUTE format('ALTER FUNCTION link_audit_entries() SET search_path = pg_catalog, %I, pg_temp', current_schema());
END $$;
