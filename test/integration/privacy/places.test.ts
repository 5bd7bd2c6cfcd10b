// Nobody adds a column of text without saying whether a person may stand in it: `privacy report` looks in those that are named.
import { afterAll, expect, test } from 'vitest';
import { OPERATORS, PLACES } from '../../../src/store/privacy/privacy-store.js';
import { testDatabase } from '../../support/database.js';

/** Columns in which nobody is: ids, states, numbers, hashes, times. Where only some tables have it so, with their table. */
const NOBODY = new Set(
  `
  access_token account day mark secret act action body_hash booked chain channel client_id
  client_secret code code_hash companies content_hash content_type currency cursor document_no
  entries environment erp_number erp_reference file fired_by from_date from_state guid
  hash id_hash issue_date key_id kind lease_owner ledger mode number
  origin outcome owner part parts password_hash payment_link posting_date public_key
  redirect_uri refer_guid refresh_token request_hash role root rules_version scope sealed
  seen_until settlement_reference severity sha256 side signature source_account source_status state
  summary_key tenant_name to_date to_state topic twin_of verdict wanted warnings
  approval.subject lease.name tenant.name oauth_client.name archive_file.name audit_chain.name audit_chain.head attempt.key posting.key
  submission.key idempotency_key.key act_tally.key breaker.reason original.reason posting.reason submission.reason
  `
    .trim()
    .split(/\s+/),
);

const database = await testDatabase();
afterAll(() => database.close());

const named = [PLACES, OPERATORS].flatMap((places) =>
  Object.entries(places).flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`)),
);

test('of every column of text it is known whether people may be in it', async () => {
  const columns = await database.prisma.$queryRaw<{ place: string; column: string }[]>`
    SELECT c.table_name || '.' || c.column_name AS place, c.column_name AS "column" FROM information_schema.columns c
    WHERE c.table_schema = 'public' AND c.table_name <> '_prisma_migrations'
      AND c.data_type IN ('text', 'character varying', 'json', 'jsonb', 'ARRAY')`;
  const places = columns.map(({ place }) => place);
  expect(named.filter((place) => !places.includes(place))).toEqual([]);
  const known = new Set(named);
  const unknown = columns.filter(
    ({ place, column }) => !known.has(place) && !NOBODY.has(place) && !NOBODY.has(column),
  );
  expect(unknown.map(({ place }) => place)).toEqual([]);
});
