// Documents and postings in bulk, by generate_series: rows as the bridge would have written them, without their history.
// Postings are put into their states with the guards of the table off, which only a superuser may do.
const BATCH = 100_000;

/** 97 of 100 are in the books; the rest wait, are held or need a person. */
const STATE = `(ARRAY['held','parked','deferred','rejected','skipped','discovered'])[1 + (n / 100) % 6]`;

export async function seedDocuments(client, documents, tenants) {
  await client.query(
    `INSERT INTO tenant (name, environment, ledger, rules_version, plan_confirmed_at, plan_confirmed_by, created_at)
     SELECT 'tenant-' || t, 'production', 'ledger-' || t, 'v1', now(), 'seed', now() FROM generate_series(1, $1) t
     ON CONFLICT DO NOTHING`,
    [tenants],
  );
  await client.query('SET session_replication_role = replica');
  for (let from = 1; from <= documents; from += BATCH) {
    const to = Math.min(from + BATCH - 1, documents);
    await client.query(DOCUMENTS, [from, to, tenants]);
    await client.query(POSTINGS, [from, to, tenants]);
  }
  await client.query('SET session_replication_role = DEFAULT');
  await client.query(`INSERT INTO posting_tally (tenant_name, state, delta)
    SELECT tenant_name, state, count(*) FROM posting GROUP BY tenant_name, state`);
  await client.query('VACUUM ANALYZE document');
  await client.query('VACUUM ANALYZE posting');
}

/** Ids that grow with n, as version 7 ones grow with time. */
const id = (tag) => `(lpad(to_hex(n), 8, '0') || '-0000-7000-8000-${tag}' || lpad(to_hex(n), 8, '0'))::uuid`;

const DOCUMENTS = `
  INSERT INTO document (id, tenant_name, kind, guid, number, amount, currency, issue_date, counterparty_name,
                        counterparty_kennitala, source_status, first_seen_at, last_seen_at, snapshot, content_hash)
  SELECT ${id('d0c0')}, 'tenant-' || (1 + n % $3::int), CASE WHEN n % 3 = 0 THEN 'cost' ELSE 'invoice' END,
         lpad(to_hex(n), 6, '0') || substr(md5(n::text), 1, 26), 'R-' || lpad(n::text, 7, '0'), (n % 9000) * 100, 'ISK',
         to_char(date '2024-01-01' + n % 700, 'YYYY-MM-DD'), 'Hraun ' || n % 5000 || ' ehf.', '450170' || lpad((n % 5000)::text, 4, '0'),
         CASE WHEN n % 100 < 97 THEN 'Posted' ELSE 'Created' END, now() - (n % 700) * interval '1 day', now(),
         jsonb_build_object('number', 'R-' || n, 'description', repeat('x', 360))::text, md5(n::text)
  FROM generate_series($1::int, $2::int) n`;

const LINE = (debit, credit) =>
  `jsonb_build_object('account', '1200', 'text', repeat('y', 120), 'debit', ${debit}, 'credit', ${credit})`;
const LEDGER_NUMBER = `CASE WHEN n % 3 = 0 THEN 'K-' ELSE 'S-' END || lpad(n::text, 7, '0')`;
const JOURNAL = `jsonb_build_object('documentNo', ${LEDGER_NUMBER}, 'postingDate', '2025-01-31', 'description', 'Seeded', 'currency', 'ISK',
           'exchangeRate', '1', 'lines', jsonb_build_array(${LINE("'100'", "'0'")}, ${LINE("'0'", "'100'")}))::text`;

const POSTINGS = `
  INSERT INTO posting (id, document_id, tenant_name, kind, key, state, state_since, reason, reason_subject, reason_sentence,
                       discovered_at, posted_at, acknowledged_at, posting_date, total_isk, erp_reference, erp_number, warnings, journal, document_no)
  SELECT ${id('9057')}, ${id('d0c0')}, 'tenant-' || (1 + n % $3::int), CASE WHEN n % 3 = 0 THEN 'cost' ELSE 'invoice' END,
         'K' || lpad(n::text, 19, '0'), s.state, now() - (n % 700) * interval '1 day',
         CASE WHEN s.state IN ('held', 'parked', 'rejected') THEN (ARRAY['UNMAPPED_COST_CODE', 'ERP_REFUSED', 'VAT_IMPLAUSIBLE'])[1 + n % 3] END,
         CASE WHEN s.state IN ('held', 'parked', 'rejected') THEN 'cost code ' || n % 40 END,
         CASE WHEN s.state IN ('held', 'parked', 'rejected') THEN 'It does not fit.' END,
         now() - (n % 700) * interval '1 day', CASE WHEN s.booked THEN now() - (n % 700) * interval '1 day' END,
         CASE WHEN s.booked THEN now() - (n % 700) * interval '1 day' END,
         to_char(date '2024-01-01' + n % 700, 'YYYY-MM-DD'), (n % 9000) * 100,
         CASE WHEN s.booked THEN '{"id":"J-' || n || '"}' END, CASE WHEN s.booked THEN 'J-' || n END, '{}',
         ${JOURNAL}, ${LEDGER_NUMBER}
  FROM generate_series($1::int, $2::int) n
  CROSS JOIN LATERAL (SELECT n % 100 < 97 AS booked, CASE WHEN n % 100 < 97 THEN 'acknowledged' ELSE ${STATE} END AS state) s`;
