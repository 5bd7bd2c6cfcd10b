// What a benchmark asks of the records: a database of its own, tenants that may begin at once, and what the work cost.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/store/database.js';
import { migrateAsOwner } from '../../src/store/migrate.js';
import { createTenantStore } from '../../src/store/tenant-store.js';
import type { Db } from '../../src/store/db.js';
import pg from 'pg';

export interface RecordFigures {
  readonly acknowledged: number;
  /** Not at rest yet: the benchmark was to end after some seconds. */
  readonly underWay: number;
  /** Documents that came to rest otherwise: skipped, parked, waiting for a person. */
  readonly rested: number;
  /** The states of those, each with its reason: nothing rests in a benchmark without being named. */
  readonly restedAs: readonly { readonly state: string; readonly reason: string; readonly count: number }[];
  /** From the first that was listed to the last that was acknowledged. */
  readonly elapsedMs: number;
  /** From listed to acknowledged. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly firstPostedMs: number;
  /** What a document waits for on the way, in the mean: its turn, reading and mapping; the ERP; the source that is told. */
  readonly stepsMs: Readonly<Record<'begun' | 'posted' | 'acknowledged', number>>;
  readonly commitsPerDocument: number;
  readonly walBytesPerDocument: number;
}

export interface BenchRecords {
  readonly url: string;
  readonly serverPid: number;
  reset(): Promise<void>;
  askForSweeps(names: readonly string[]): Promise<void>;
  progress(): Promise<{ readonly acknowledged: number; readonly open: number }>;
  allListed(total: number): Promise<boolean>;
  figures(): Promise<RecordFigures>;
  close(): Promise<void>;
}

export interface BenchCompanies {
  readonly names: readonly string[];
  /** Of their files, so that the bridge finds them as it would have left them. */
  readonly rulesVersion: string;
  /** Documents of earlier years. */
  readonly filled: number;
}

interface Counters {
  readonly commits: number;
  readonly wal: number;
}

export async function openBenchRecords(
  dataDirectory: string,
  { names, rulesVersion, filled }: BenchCompanies = { names: [], rulesVersion: '', filled: 0 },
): Promise<BenchRecords> {
  const database = await openDatabase({ dataDirectory, role: 'bridge', poolSize: 2 });
  const { db, models } = database;
  await migrateAsOwner(database);
  const owner = (database.ownerUrl ?? database.url).reveal();
  const tenants = createTenantStore(db, 'bench');
  for (const name of names) {
    const unlimited = { weight: 1, postingsPerSecond: 1_000_000 };
    await tenants.register({
      name,
      environment: 'development',
      ledger: 'bench',
      rulesVersion,
      ...unlimited,
    });
    await tenants.confirmPlan(name, 'bench');
  }
  if (filled > 0) await fillRecords(owner, names, filled);
  let before: Counters = { commits: 0, wal: 0 };
  const began = new Date();
  return {
    url: owner,
    serverPid: postmasterPid(dataDirectory),
    reset: async () => {
      before = await counters(db);
    },
    askForSweeps: async (all) => {
      for (const name of all) await tenants.requestSweep(name);
    },
    progress: () => progress(db),
    allListed: async (total) =>
      (await (await models()).document.count({ where: { firstSeenAt: { gte: began } } })) >= total,
    figures: async () => figures(db, began, before, await counters(db)),
    close: () => database.close(),
  };
}

function postmasterPid(dataDirectory: string): number {
  const text = readFileSync(join(dataDirectory, 'postgres', 'cluster', 'postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}

async function counters(db: Db): Promise<Counters> {
  const [row] = await db.rows<Counters>`
    SELECT xact_commit::float8 AS commits, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS wal
    FROM pg_stat_database WHERE datname = current_database()`;
  return row ?? { commits: 0, wal: 0 };
}

const UNDER_WAY = ['discovered', 'mapped', 'posting', 'posted', 'writing_back'];

async function progress(db: Db): Promise<{ acknowledged: number; open: number }> {
  const [row] = await db.rows<{ acknowledged: number; open: number }>`
    SELECT coalesce(sum(delta) FILTER (WHERE state = 'acknowledged'), 0)::int AS acknowledged,
           coalesce(sum(delta) FILTER (WHERE state = ANY(${UNDER_WAY})), 0)::int AS open
    FROM posting_tally`;
  return row ?? { acknowledged: 0, open: 0 };
}

async function figures(db: Db, began: Date, before: Counters, after: Counters): Promise<RecordFigures> {
  const [row] = await db.rows<
    Omit<RecordFigures, 'restedAs' | 'stepsMs' | 'commitsPerDocument' | 'walBytesPerDocument'>
  >`
    SELECT count(*) FILTER (WHERE state = 'acknowledged')::int AS acknowledged,
           count(*) FILTER (WHERE state = ANY(${UNDER_WAY}))::int AS "underWay",
           count(*) FILTER (WHERE state <> 'acknowledged' AND NOT state = ANY(${UNDER_WAY}))::int AS rested,
           (extract(epoch FROM max(acknowledged_at) - min(discovered_at)) * 1000)::float8 AS "elapsedMs",
           (extract(epoch FROM min(posted_at) - min(discovered_at)) * 1000)::float8 AS "firstPostedMs",
           (extract(epoch FROM percentile_cont(0.5) WITHIN GROUP (ORDER BY acknowledged_at - discovered_at)) * 1000)::float8 AS "p50Ms",
           (extract(epoch FROM percentile_cont(0.99) WITHIN GROUP (ORDER BY acknowledged_at - discovered_at)) * 1000)::float8 AS "p99Ms"
    FROM posting WHERE discovered_at >= ${began}`;
  const found = row ?? {
    acknowledged: 0,
    underWay: 0,
    rested: 0,
    elapsedMs: 0,
    firstPostedMs: 0,
    p50Ms: 0,
    p99Ms: 0,
  };
  const restedAs = await db.rows<RecordFigures['restedAs'][number]>`
    SELECT state, coalesce(reason, '') AS reason, count(*)::int AS count
    FROM posting WHERE state <> 'acknowledged' AND NOT state = ANY(${UNDER_WAY}) GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 20`;
  const [stepsMs] = await db.rows<RecordFigures['stepsMs']>`
    SELECT (1000 * avg(extract(epoch FROM a.started_at - p.discovered_at)))::float8 AS begun,
           (1000 * avg(extract(epoch FROM p.posted_at - a.started_at)))::float8 AS posted,
           (1000 * avg(extract(epoch FROM p.acknowledged_at - p.posted_at)))::float8 AS acknowledged
    FROM posting p JOIN attempt a ON a.posting_id = p.id AND a.number = 1
    WHERE p.state = 'acknowledged' AND p.discovered_at >= ${began}`;
  return {
    ...found,
    restedAs,
    stepsMs: stepsMs ?? { begun: 0, posted: 0, acknowledged: 0 },
    commitsPerDocument: (after.commits - before.commits) / found.acknowledged,
    walBytesPerDocument: (after.wal - before.wal) / found.acknowledged,
  };
}

// Years of documents that are done, for a benchmark: rows as the bridge would have left them, without their audit trail and
// without counting in the tallies. Guards and triggers of the tables are off meanwhile, in this connection alone.

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
