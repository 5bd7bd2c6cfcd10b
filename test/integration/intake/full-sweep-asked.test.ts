// A full sweep that a person asks for, or that a restore makes necessary.
import { afterAll, describe, expect, it } from 'vitest';
import { markRestored } from '../../../src/store/witness.js';
import { testDatabase } from '../../support/database.js';
import { intakeBed, type IntakeBed } from './intake-bed.js';

const database = await testDatabase();
afterAll(() => database.close());

/** The database is restored while the list is being read. */
async function sweepMeanwhileRestored(bed: IntakeBed) {
  let restored: Promise<unknown> | null = null;
  return bed.sweep({
    list: async (query, page) => {
      await (restored ??= markRestored(database.db, { by: 'Guðrún', reason: 'a test' }));
      return bed.tenant.source.list(query, page);
    },
  });
}

async function swept(name: string): Promise<IntakeBed> {
  const bed = await intakeBed(database, name);
  bed.handOver('x');
  expect(await bed.sweep()).toMatchObject({ mode: 'full' });
  return bed;
}

describe('a full sweep that is asked for', () => {
  it('is made once', async () => {
    const bed = await swept('once');
    await markRestored(database.db, { by: 'Guðrún', reason: 'a test' });
    expect(await bed.sweep()).toMatchObject({ mode: 'full' });
    expect(await bed.sweep()).toMatchObject({ mode: 'fast' });
  });

  it('is not forgotten when a fast one is under way', async () => {
    const bed = await swept('beside-fast');
    expect(await sweepMeanwhileRestored(bed)).toMatchObject({ mode: 'fast' });
    expect(await bed.sweep()).toMatchObject({ mode: 'full' });
    expect(await bed.sweep()).toMatchObject({ mode: 'fast' });
  });

  it('is not answered by a full one that began before', async () => {
    const bed = await swept('beside-full');
    await markRestored(database.db, { by: 'Guðrún', reason: 'a test' });
    expect(await sweepMeanwhileRestored(bed)).toMatchObject({ mode: 'full' });
    expect(await bed.sweep()).toMatchObject({ mode: 'full' });
    expect(await bed.sweep()).toMatchObject({ mode: 'fast' });
  });
});
