-- A chain is read and extended in one statement instead of two, and what guards a move of a posting is one trigger instead of two: the
-- condition of each is read anew by every statement.

-- ledgerbridge: expands, it writes the same links
CREATE OR REPLACE FUNCTION "link_audit_entries"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  batch RECORD;
  place audit_chain;
BEGIN
  -- Chains are taken in the order of their names, each until the end of the transaction: no two statements wait for each other.
  FOR batch IN
    SELECT chain, array_agg(id ORDER BY id) AS ids,
           string_agg(concat_ws('|',
             to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
             octet_length(actor) || ':' || actor,
             octet_length(action) || ':' || action,
             octet_length(subject) || ':' || subject,
             coalesce(octet_length(reason) || ':' || reason, '-'),
             octet_length(details) || ':' || details), '|' ORDER BY id) AS content
    FROM added GROUP BY chain ORDER BY chain
  LOOP
    LOOP
      -- Whoever waits for another goes on from the head that the other left.
      UPDATE audit_chain SET length = length + 1,
        head = encode(sha256(convert_to(concat_ws('|', 'ledgerbridge/audit/2', octet_length(batch.chain) || ':' || batch.chain,
          length + 1, head, batch.content), 'UTF8')), 'hex')
      WHERE name = batch.chain RETURNING * INTO place;
      EXIT WHEN FOUND;
      INSERT INTO audit_chain (name, length, head) VALUES (batch.chain, 0, '') ON CONFLICT (name) DO NOTHING;
    END LOOP;
    INSERT INTO audit_link (chain, number, entries, hash) VALUES (batch.chain, place.length, batch.ids, place.head);
  END LOOP;
  RETURN NULL;
END $$;

-- ledgerbridge: expands, it refuses what the two refused
CREATE OR REPLACE FUNCTION "refuse_illegal_posting"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'discovered' THEN
      RAISE EXCEPTION 'a posting begins as discovered, not as %', NEW.state USING ERRCODE = 'LB001';
    END IF;
    RETURN NEW;
  END IF;
  IF NEW.generation <> OLD.generation AND (OLD.state <> 'reversed' OR NEW.generation <> OLD.generation + 1) THEN
    RAISE EXCEPTION 'the generation of posting % rises by one, and only after it was reversed', OLD.id USING ERRCODE = 'LB003';
  END IF;
  IF NEW.fence < OLD.fence THEN
    RAISE EXCEPTION 'the fence of posting % would fall from % to %', OLD.id, OLD.fence, NEW.fence USING ERRCODE = 'LB002';
  END IF;
  IF NEW.key <> OLD.key AND NEW.generation = OLD.generation THEN
    RAISE EXCEPTION 'posting % keeps its key within a generation', OLD.id USING ERRCODE = 'LB003';
  END IF;
  IF NEW.state <> OLD.state
     AND NOT EXISTS (SELECT 1 FROM legal_move WHERE from_state = OLD.state AND to_state = NEW.state) THEN
    RAISE EXCEPTION 'posting % may not move from % to %', OLD.id, OLD.state, NEW.state USING ERRCODE = 'LB001';
  END IF;
  RETURN NEW;
END $$;
-- ledgerbridge: expands, posting_legal_move fires for it already
DROP TRIGGER "posting_generation_rises" ON "posting";
