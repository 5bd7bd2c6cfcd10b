import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { createMetricsReader } from '../../../src/store/metrics-reader.js';
import { bridgeBed } from '../../support/bridge-bed.js';
import { testDatabase } from '../../support/database.js';

const database = await testDatabase();
afterAll(() => database.close());
const { prisma, db } = database;

interface Row {
  readonly state: string;
  readonly stateSince: string;
  readonly dueAt: string | null;
  readonly reason?: string;
  readonly leased?: boolean;
  readonly attempt?: string | null;
}

/** Moments as SQL intervals from now. */
async function addPosting(tenant: string, row: Row): Promise<void> {
  const [document, posting, guid] = [randomUUID(), randomUUID(), randomUUID()];
  await prisma.$transaction(async (tx) => {
    await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
    await tx.$executeRaw`
      INSERT INTO document (id, tenant_name, kind, guid, number, amount, currency, issue_date, counterparty_name,
                            counterparty_kennitala, source_status, first_seen_at, last_seen_at)
      VALUES (${document}::uuid, ${tenant}, 'invoice', ${guid}, '1', 1, 'ISK', '2026-01-01', '', '', 'Created', now(), now())`;
    await tx.$executeRaw`
      INSERT INTO posting (id, document_id, tenant_name, kind, key, state, state_since, due_at, discovered_at, warnings, reason, lease_until)
      VALUES (${posting}::uuid, ${document}::uuid, ${tenant}, 'invoice', ${guid}, ${row.state}, now() + ${row.stateSince}::interval,
              now() + ${row.dueAt}::interval, now() + ${row.stateSince}::interval, '{}', ${row.reason ?? null},
              CASE WHEN ${row.leased ?? false} THEN now() + interval '1 minute' END)`;
    if (row.attempt !== undefined)
      await tx.$executeRaw`
        INSERT INTO attempt (id, posting_id, number, fence, part, key, request, started_at, send_by, outcome)
        VALUES (gen_random_uuid(), ${posting}::uuid, 1, 1, 'main', 'k', '{}', now(), now(), ${row.attempt})`;
  });
}

async function addTenant(name: string): Promise<void> {
  await prisma.tenant.create({ data: { name, environment: 'development', createdAt: new Date() } });
}

async function delayOf(tenant: string) {
  const { delays } = await createMetricsReader(db).read();
  return delays.find((delay) => delay.tenant === tenant)!;
}

describe('the figures of the records', () => {
  it('measure lag from when work could have begun, not from a due time that was moved to the front', async () => {
    await addTenant('lag');
    await addPosting('lag', { state: 'posted', stateSince: '-20 seconds', dueAt: '-1 hour' });
    expect((await delayOf('lag')).lagSeconds).toBeCloseTo(20, -1);
    await addPosting('lag', { state: 'held', stateSince: '-9 days', dueAt: '-40 seconds' });
    const { lagSeconds, oldestSeconds } = await delayOf('lag');
    expect(lagSeconds).toBeGreaterThan(39);
    expect(lagSeconds).toBeLessThan(60);
    expect(oldestSeconds).toBeLessThan(40);
  });

  it('call nothing late that is not due, or that somebody is working on', async () => {
    await addTenant('calm');
    await addPosting('calm', { state: 'discovered', stateSince: '-1 day', dueAt: '1 hour' });
    await addPosting('calm', { state: 'discovered', stateSince: '-1 day', dueAt: '-1 hour', leased: true });
    await addPosting('calm', { state: 'acknowledged', stateSince: '-9 days', dueAt: null });
    expect(await delayOf('calm')).toMatchObject({ lagSeconds: 0, unknownOutcomes: 0 });
  });

  it('count what may or may not be in the ERP', async () => {
    await addTenant('unsure');
    await addPosting('unsure', {
      state: 'posting',
      stateSince: '-1 hour',
      dueAt: '1 hour',
      attempt: 'unknown',
    });
    await addPosting('unsure', { state: 'posting', stateSince: '-1 hour', dueAt: '1 hour', attempt: null });
    await addPosting('unsure', {
      state: 'posting',
      stateSince: '0',
      dueAt: '0',
      attempt: null,
      leased: true,
    });
    await addPosting('unsure', { state: 'posting', stateSince: '0', dueAt: '0', attempt: 'pending' });
    await addPosting('unsure', {
      state: 'parked',
      stateSince: '-1 day',
      dueAt: null,
      reason: 'OUTCOME_UNKNOWN',
    });
    expect((await delayOf('unsure')).unknownOutcomes).toBe(3);
    const { reasons } = await createMetricsReader(db).read();
    expect(reasons).toContainEqual({ state: 'parked', reason: 'OUTCOME_UNKNOWN', count: 1 });
  });
});

describe('a scrape', () => {
  it('reads as little of many thousand waiting documents as of a few', async () => {
    const many = await testDatabase({ poolSize: 1 });
    try {
      await many.prisma.tenant.create({
        data: { name: 'backlog', environment: 'development', createdAt: new Date() },
      });
      await seedBacklog(many.prisma, 20_000);
      const [before, read] = [await rowsRead(many.prisma), await createMetricsReader(many.db).read()];
      expect(read.states).toEqual([{ tenant: 'backlog', state: 'discovered', count: 20_000 }]);
      expect(read.delays[0]!.lagSeconds).toBeGreaterThan(19_000);
      expect(read.delays[0]!.oldestSeconds).toBeGreaterThan(19_000);
      expect((await rowsRead(many.prisma)) - before).toBeLessThan(200);
    } finally {
      await many.close();
    }
  });
});

type Records = typeof prisma;

/** Each due a second after the one before it, the last one now. */
async function seedBacklog(to: Records, count: number): Promise<void> {
  await to.$executeRaw`
    WITH one AS (INSERT INTO document (id, tenant_name, kind, guid, number, amount, currency, issue_date, counterparty_name,
                                       counterparty_kennitala, source_status, first_seen_at, last_seen_at)
      SELECT gen_random_uuid(), 'backlog', 'invoice', n::text, n::text, 1, 'ISK', '2026-01-01', '', '', 'Created', now(), now()
      FROM generate_series(1, ${count}::int) n RETURNING id, guid::int AS n)
    INSERT INTO posting (id, document_id, tenant_name, kind, key, state, state_since, due_at, discovered_at, warnings)
    SELECT lpad(to_hex(n), 32, '0')::uuid, id, 'backlog', 'invoice', n::text, 'discovered', at, at, at, '{}'
    FROM one, LATERAL (SELECT now() - (${count}::int - n) * interval '1 second' AS at) moment`;
  await to.$executeRaw`ANALYZE posting`;
}

/** Of the table of postings, by whatever way, in this session. */
async function rowsRead(from: Records): Promise<number> {
  await from.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  await from.$queryRaw`SELECT pg_stat_clear_snapshot()::text`;
  const [row] = await from.$queryRaw<{ read: number }[]>`
    SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read FROM pg_stat_user_tables WHERE relname = 'posting'`;
  return row!.read;
}

describe('a bridge at work', () => {
  it('counts its attempts, write-backs, sweeps and calls while the pipeline knows nothing of it', async () => {
    const bed = await bridgeBed({
      accounts: [{ username: 'maela', invoices: 6, costs: 3, seed: 'numbers' }],
      tenants: [{ name: 'maela', account: 'maela', erp: { adapter: 'file' } }],
    });
    try {
      await bed.settled();
      const text = await bed.bridge.metrics.text();
      const { acknowledged = 0 } = await bed.states();
      expect(acknowledged).toBeGreaterThan(0);
      expect(text).toContain(`ledgerbridge_postings{tenant="maela",state="acknowledged"} ${acknowledged}`);
      expect(text).toContain(
        `ledgerbridge_write_backs_total{status="Posted",result="acknowledged"} ${acknowledged}`,
      );
      expect(text).toMatch(/ledgerbridge_attempts_total\{outcome="posted"\} [1-9]/);
      expect(text).toMatch(/ledgerbridge_sweeps_total\{mode="full",outcome="complete"\} [1-9]/);
      expect(text).toMatch(
        /ledgerbridge_call_seconds_count\{side="erp",system="file",call="post",outcome="posted"\} [1-9]/,
      );
      expect(text).toMatch(
        /ledgerbridge_call_seconds_count\{side="source",system="credential",call="get",outcome="found"\} [1-9]/,
      );
      expect(text).toMatch(/ledgerbridge_queue_depth\{queue="post"\} \d/);
    } finally {
      await bed.close();
    }
  });
});
