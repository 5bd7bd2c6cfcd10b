// A document is acknowledged while a list from before that is being recorded, at the same moment, over another connection.
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { readMigrations } from '../../../src/store/migrate.js';
import { testDatabase } from '../../support/database.js';
import { intakeBed } from './intake-bed.js';

const database = await testDatabase();
const worker = new pg.Client({ connectionString: database.url.reveal() });
await worker.connect();
afterAll(async () => {
  await worker.end();
  await database.close();
});

const someoneWaits = async () => {
  const { rows } = await worker.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
};

describe('a document that is acknowledged while an older list is recorded', () => {
  it('stays what the source was told: a status from before would be counted as waiting for ever', async () => {
    const bed = await intakeBed(database, 'meanwhile');
    bed.handOver('x');
    await bed.sweep();
    const { id } = await bed.row('x');
    const ofPosting = 'WHERE id = (SELECT document_id FROM posting WHERE id = $1)';
    await worker.query('BEGIN; SET LOCAL session_replication_role = replica');
    await worker.query(`SELECT 1 FROM document ${ofPosting} FOR UPDATE`, [id]);
    await database.prisma.$executeRaw`UPDATE cursor SET full_sweep_due = true`;
    const recorded = bed.sweep();
    await expect.poll(someoneWaits, { timeout: 10_000 }).toBe(true);
    await worker.query(`UPDATE posting SET state = 'acknowledged', state_since = now() WHERE id = $1`, [id]);
    await worker.query(`UPDATE document SET source_status = 'Posted' ${ofPosting}`, [id]);
    await worker.query('COMMIT');
    await recorded;
    expect(await bed.row('x')).toMatchObject({ state: 'acknowledged', document: { sourceStatus: 'Posted' } });
  });

  it('is put right by a migration where that had happened, and what waits goes on waiting', async () => {
    const bed = await intakeBed(database, 'before');
    bed.handOver('told', { amount: 0, net: 0, amounts: [0] });
    bed.handOver('left');
    await bed.sweep();
    await bed.post('told');
    await bed.writeBack('told');
    expect(await bed.row('told')).toMatchObject({ state: 'skipped', document: { sourceStatus: 'Skipped' } });
    await database.prisma
      .$executeRaw`UPDATE document SET source_status = 'Created' WHERE tenant_name = ${bed.tenant.name}`;
    const migration = readMigrations().find(({ name }) => name.endsWith('_told_stays_told'));
    await worker.query(migration?.sql ?? '');
    expect(await bed.row('told')).toMatchObject({ document: { sourceStatus: 'Skipped' } });
    expect(await bed.row('left')).toMatchObject({
      state: 'discovered',
      document: { sourceStatus: 'Created' },
    });
  });
});
