// Years of documents that are done, for a benchmark: rows as the bridge would have left them, without their audit trail and
// without counting in the tallies. Guards and triggers of the tables are off meanwhile, in this connection alone.
import pg from 'pg';

const BATCH = 50_000;

/** Spread over the companies by turns. */
export async function fillRecords(url: string, names: readonly string[], documents: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    for (let from = 1; from <= documents; from += BATCH) {
      const span = [from, Math.min(from + BATCH - 1, documents)];
      await client.query(DOCUMENTS, [...span, names]);
      await client.query(POSTINGS, [...span, names]);
      for (const statement of [ATTEMPTS, WRITE_BACKS]) await client.query(statement, span);
    }
    await client.query('VACUUM ANALYZE document, posting, attempt, write_back');
  } finally {
    await client.end();
  }
}

/** Ids grow with n, as those of version 7 grow with time; they are older than any that is made now. */
const id = (tag: string) =>
  `(lpad(to_hex(n), 8, '0') || '-0000-7000-8000-${tag}' || lpad(to_hex(n), 8, '0'))::uuid`;
const TENANT = `($3::text[])[1 + n % cardinality($3::text[])]`;
const KIND = `CASE WHEN n % 5 < 2 THEN 'cost' ELSE 'invoice' END`;
/** Over two years that ended two days ago. */
const THEN = `now() - interval '2 days' - (n % 700) * interval '1 day'`;
const DAY = `to_char(${THEN}, 'YYYY-MM-DD')`;
const KEY = `'F' || lpad(n::text, 19, '0')`;
const JOURNAL = `json_build_object('documentNo', 'F-' || n, 'postingDate', ${DAY}, 'lines', repeat('y', 600))::text`;
const N = `generate_series($1::int, $2::int) n`;

const DOCUMENTS = `
  INSERT INTO document (id, tenant_name, kind, guid, number, amount, currency, issue_date, counterparty_name, counterparty_kennitala,
                        source_status, first_seen_at, last_seen_at, snapshot, content_hash)
  SELECT ${id('d0c0')}, ${TENANT}, ${KIND}, md5('filled' || n), 'F-' || n, (n % 9000) * 100, 'ISK', ${DAY}, 'Hraun ' || n % 5000 || ' ehf.',
         '450170' || lpad((n % 5000)::text, 4, '0'), 'Posted', ${THEN}, ${THEN},
         json_build_object('number', 'F-' || n, 'description', repeat('x', 900))::text, md5(n::text)
  FROM ${N}`;

const POSTINGS = `
  INSERT INTO posting (id, document_id, tenant_name, kind, key, state, state_since, fence, discovered_at, posted_at, acknowledged_at,
                       posting_date, total_isk, erp_reference, erp_number, warnings, journal, document_no, content_hash)
  SELECT ${id('9057')}, ${id('d0c0')}, ${TENANT}, ${KIND}, ${KEY}, 'acknowledged', ${THEN}, 1, ${THEN}, ${THEN}, ${THEN},
         ${DAY}, (n % 9000) * 100, '{"id":"F-' || n || '"}', 'F-' || n, '{}', ${JOURNAL}, 'F-' || n, md5(n::text)
  FROM ${N}`;

const ATTEMPTS = `
  INSERT INTO attempt (id, posting_id, number, fence, part, key, request, started_at, send_by, sends, last_sent_at, outcome,
                       erp_reference, finished_at)
  SELECT ${id('a77e')}, ${id('9057')}, 1, 1, 'main', ${KEY}, ${JOURNAL}, ${THEN}, ${THEN}, 1, ${THEN}, 'posted',
         '{"id":"F-' || n || '"}', ${THEN}
  FROM ${N}`;

const WRITE_BACKS = `
  INSERT INTO write_back (id, posting_id, number, wanted, message, state, sends, decided_at, sent_at, acknowledged_at)
  SELECT ${id('3b0c')}, ${id('9057')}, 1, 'Posted', 'F-' || n, 'acknowledged', 1, ${THEN}, ${THEN}, ${THEN}
  FROM ${N}`;
