// Every way to search leads to an index: held against the plans of a database large enough for the planner to care.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TenantName } from '../../../src/domain/ids.js';
import { type CheckedDocumentQuery, meaningsOf } from '../../../src/operations/document-query.js';
import { type CommitRows, commitStatement, LongTexts } from '../../../src/store/commit.js';
import { waitingSql } from '../../../src/store/intake-store.js';
import { CLAIM_TURNS } from '../../../src/store/turn-claims.js';
import { silentSql } from '../../../src/store/watch-store.js';
import { type Sql, sql } from '../../../src/store/db.js';
import { createReadRecords, unfinishedSql } from '../../../src/store/operations/read-records.js';
import { candidateSql, searchSql } from '../../../src/store/operations/document-search.js';
import { foldTally, OLDEST_WAITING } from '../../../src/store/operations/overview-reader.js';
import { type TestDatabase, testDatabase } from '../../support/database.js';

const DOCUMENTS = 30_000;
const TENANTS = 5;

describe(`search among ${DOCUMENTS} documents`, () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await seededDatabase(DOCUMENTS, TENANTS);
  });
  afterAll(() => database.close());

  const planOf = async (which: Sql): Promise<string> => {
    const rows = await database.prisma.$queryRaw<{ 'QUERY PLAN': string }[]>(sql`EXPLAIN ${which}`);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  const query = (filters: Partial<CheckedDocumentQuery>): CheckedDocumentQuery => ({
    limit: 50,
    order: 'found',
    ...filters,
  });

  test.each<[string, Partial<CheckedDocumentQuery>]>([
    ['nothing', {}],
    ['a later page', { after: '00001000-0000-7000-8000-905700001000' }],
    ['a tenant', { tenant: 'tenant-3' }],
    ['a state', { states: ['parked'] }],
    ['a tenant and states', { tenant: 'tenant-3', states: ['parked', 'held'] }],
    ['a reason', { reason: 'ERP_REFUSED' }],
    ['a foreign currency', { currency: 'EUR' }],
    ['a tenant and a foreign currency', { tenant: 'tenant-3', currency: 'EUR' }],
    ['issue dates', { order: 'issued', issuedFrom: '2025-03-01', issuedTo: '2025-03-31' }],
    ['issue dates, the oldest first', { order: 'issued-up' }],
    ['amounts', { order: 'amount' }],
    ['amounts, the smallest first', { order: 'amount-up', tenant: 'tenant-3' }],
    [
      'amounts, a later page',
      {
        order: 'amount',
        after: '77700_00001000-0000-7000-8000-d0c000001000_00001000-0000-7000-8000-905700001000',
      },
    ],
    ['a tenant and issue dates', { order: 'issued', tenant: 'tenant-3', issuedFrom: '2025-03-01' }],
  ])('by %s reads no table from end to end', async (_name, filters) => {
    const plan = await planOf(searchSql(query(filters), null));
    expect(plan).not.toMatch(/Seq Scan on (document|posting)/);
    expect(plan).toMatch(/Index/);
  });

  test.each(['0007a1', 'R-0000777', '450170-0777', '77700', 'Hraun 777', 'J-777', 'K-0000777'])(
    'by the text "%s" looks into indexes only',
    async (text) => {
      expect(await planOf(candidateSql(meaningsOf(text)))).not.toMatch(/Seq Scan on (document|posting)/);
    },
  );

  test('a currency finds the documents in it and no others', async () => {
    const { prisma, db } = database;
    const [first] = await prisma.document.findMany({ take: 3, orderBy: { id: 'asc' } });
    await prisma.document.update({ where: { id: first!.id }, data: { currency: 'SEK' } });
    const { rows } = await createReadRecords(db).search(query({ currency: 'SEK' }), null, null);
    expect(rows.map(({ guid, currency }) => [guid, currency])).toEqual([[first!.guid, 'SEK']]);
  });

  test('a filter without an index would be noticed', async () => {
    expect(await planOf(sql`SELECT 1 FROM document WHERE source_status = 'Error'`)).toMatch(
      /Seq Scan on document/,
    );
  });

  test('the oldest that waits is found in the index, not behind everything that is done', async () => {
    const plan = await planOf(OLDEST_WAITING);
    expect(plan).toMatch(/posting_tenant_name_state_id_idx/);
    expect(plan).not.toMatch(/posting_pkey|Seq Scan on posting/);
  });

  test('the tally of states is what counting would give, before and after it is folded', async () => {
    const records = createReadRecords(database.db);
    const counted = async () => {
      const rows = await database.prisma.posting.groupBy({ by: ['tenantName', 'state'], _count: true });
      return rows.map((row) => `${row.tenantName} ${row.state} ${String(row._count)}`).sort();
    };
    const tallied = async () =>
      (await records.tenants())
        .flatMap(({ name, states }) =>
          Object.entries(states).map(([state, count]) => `${name} ${state} ${String(count)}`),
        )
        .filter((line) => !line.endsWith(' 0'))
        .sort();
    expect(await tallied()).toEqual(await counted());
    await database.prisma
      .$executeRaw`UPDATE posting SET state = 'discovered' WHERE state IN ('held', 'parked', 'deferred')`;
    await database.prisma.$executeRaw`UPDATE posting SET state = 'orphaned' WHERE state = 'acknowledged'`;
    expect(await tallied()).toEqual(await counted());
    await foldTally(database.db);
    expect(await database.prisma.postingTally.count()).toBeLessThan(100);
    expect(await tallied()).toEqual(await counted());
  });

  test('the oldest that waits is found so in one company, too, where nothing waits', async () => {
    const client = new pg.Client({ connectionString: database.url.reveal() });
    await client.connect();
    await client.query('SET session_replication_role = replica');
    await client.query(`UPDATE posting SET state = 'acknowledged', tenant_name = 'tenant-1'`);
    await client.query('VACUUM ANALYZE posting');
    await client.end();
    const plan = await planOf(OLDEST_WAITING);
    expect(plan).toMatch(/posting_tenant_name_state_id_idx/);
    expect(plan).not.toMatch(/posting_pkey|Seq Scan on posting/);
  });

  test('what waits is counted by the states of the postings, however much is done', async () => {
    for (const since of [undefined, '2026-01-15T12:00:00Z']) {
      const plan = await planOf(waitingSql({ tenantName: 'tenant-1' as TenantName, kind: 'invoice', since }));
      expect(plan).toContain('posting_tenant_name_state_id_idx');
      expect(plan).not.toContain('Seq Scan');
    }
  });

  test('who is silent is learnt from the documents of these weeks, not of all years', async () => {
    expect(await planOf(silentSql(5, 3))).toMatch(/document_pkey/);
  });

  test('reversals that were left are found among reversals, not among all attempts', async () => {
    const plan = await planOf(unfinishedSql(180_000));
    expect(plan).toMatch(/attempt_reversal_idx/);
    expect(plan).not.toMatch(/Seq Scan on (attempt|posting|document)/);
  });

  test('a commit finds what waits for it by what refers to it, not among all that is deferred', async () => {
    const [plan] = await plansOfCommits(database, [CARRIED]);
    expect(plan).toMatch(/document_refers_idx/);
    expect(plan).not.toMatch(/posting_tenant_name_state_id_idx|Seq Scan on (document|posting)/);
  });

  test('a commit finds everything by index, whatever it carries', async () => {
    const plans = await plansOfCommits(database, everyCommit(), 'SET enable_seqscan = off');
    expect(new Set(plans).size).toBe(2 ** CARRIED.length);
    expect(plans.filter((plan) => /Seq Scan/.test(plan))).toEqual([]);
  });

  test('turns are claimed by the indexes of what is due, no further than they go', async () => {
    const values = ['me', '{tenant-1,tenant-2}', '{4,4}', '{1000,1000}', '{f,f}'];
    const stages = [CLAIM_TURNS.post, CLAIM_TURNS['write-back']].map((one) => ({ ...one, values }));
    const [post = '', writeBack = ''] = await plansOf(
      database,
      stages,
      'SET enable_seqscan = off; SET enable_hashjoin = off',
    );
    expect(post).toMatch(/Index Scan using posting_begun_idx/);
    expect(post).toMatch(/Index Scan using posting_to_begin_idx/);
    expect(writeBack).toMatch(/Index Scan using posting_to_finish_idx/);
    for (const plan of [post, writeBack])
      expect(plan).not.toMatch(/Seq Scan on (?!bridge)|Sort Key: posting/);
  });
});

describe('a company with few documents, none of them under way', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await seededDatabase(1_000, 1);
  });
  afterAll(() => database.close());

  // As statistics see it nothing is leased: then all postings are few enough to be read for each commit, until they are counted anew.
  test('is committed to by the documents in question, not by reading all of them', async () => {
    const plans = await plansOfCommits(database, everyCommit(), 'SET enable_seqscan = off');
    const moves = plans.map((plan) => /CTE moved[^]*?(?=\n {2}CTE|$)/.exec(plan)?.[0] ?? plan);
    expect(moves.filter((move) => !/Index Cond: \(id = \w+\.id\)/.test(move))).toEqual([]);
  });
});

async function seededDatabase(documents: number, tenants: number): Promise<TestDatabase> {
  const database = await testDatabase();
  const client = new pg.Client({ connectionString: database.url.reveal() });
  await client.connect();
  const script: string = '../../../scripts/seed/seed-documents.mjs';
  const { seedDocuments } = (await import(script)) as {
    readonly seedDocuments: (client: pg.Client, documents: number, tenants: number) => Promise<void>;
  };
  await seedDocuments(client, documents, tenants);
  await client.end();
  return database;
}

const plansOfCommits = (
  database: TestDatabase,
  commits: readonly (typeof CARRIED)[],
  settings = '',
): Promise<string[]> =>
  plansOf(
    database,
    commits.map((rows) => {
      const { values, ...statement } = commitStatement([NOTHING_ELSE, ...rows], longTextsOf(rows));
      return { ...statement, values: values.map(() => '[]') };
    }),
    settings,
  );

interface Planned {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly string[];
}

async function plansOf(
  database: TestDatabase,
  statements: readonly Planned[],
  settings: string,
): Promise<string[]> {
  const client = new pg.Client({ connectionString: database.url.reveal() });
  await client.connect();
  await client.query(`SET plan_cache_mode = force_generic_plan; ${settings}`);
  const plans: string[] = [];
  for (const { name = 'planned', text, values } of statements) {
    await client.query(`PREPARE "${name}" AS ${text}`);
    const { rows: lines } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN EXECUTE "${name}"(${values.map((value) => `'${value}'`).join(', ')})`,
    );
    plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
  }
  await client.end();
  return plans;
}

/** Each thing that a commit may carry, with and without each other. */
const everyCommit = () =>
  Array.from({ length: 2 ** CARRIED.length }, (_, which) =>
    CARRIED.filter((_part, place) => (which >> place) & 1),
  );

/** What a commit may carry beside its move, each in a row of its own. */
const CARRIED = [
  { posting: {}, document: {} },
  { posting: {}, attempt: { act: 'begin' } },
  { posting: {}, attempt: { act: 'finish' } },
  { posting: {}, writeBack: { act: 'decide' } },
  { posting: {}, writeBack: { act: 'acknowledged' } },
  { posting: { wakes: true } },
  { posting: { to_state: 'acknowledged' } },
  { posting: { is_mapped: true } },
] as unknown as readonly CommitRows[];
/** Whatever is mapped has some. */
function longTextsOf(rows: typeof CARRIED): LongTexts {
  const long = new LongTexts();
  if (rows.some(({ posting }) => posting.is_mapped)) long.add('{}');
  return long;
}
const NOTHING_ELSE = { posting: {} } as unknown as CommitRows;
