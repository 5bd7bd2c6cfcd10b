// A document that was settled without a booking, and that a person hands over again.
import { afterAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../support/database.js';
import { intakeBed, type IntakeBed } from './intake-bed.js';

const database = await testDatabase();
afterAll(() => database.close());

/** Cancelled at the source: skipped, and Skipped is to be written there. */
async function skipped(name: string) {
  const bed = await intakeBed(database, name);
  const document = bed.handOver('x', { status: 'Cancelled' });
  await bed.sweep();
  await bed.post('x');
  return {
    bed,
    document,
    mendAndHandOver: () => Object.assign(document, { accountingStatus: 'Created', status: 'Sent' }),
  };
}

async function stateAfterSweep(bed: IntakeBed): Promise<string> {
  await bed.sweep();
  return (await bed.row('x')).state;
}

describe('a document that was skipped and is handed over again', () => {
  it('begins anew', async () => {
    const { bed, mendAndHandOver } = await skipped('anew');
    await bed.writeBack('x');
    expect(await bed.row('x')).toMatchObject({ state: 'skipped', document: { sourceStatus: 'Skipped' } });
    mendAndHandOver();
    expect(await stateAfterSweep(bed)).toBe('discovered');
  });

  it('begins anew though a list from before our Skipped was recorded after it', async () => {
    const { bed, document, mendAndHandOver } = await skipped('old-list');
    let acknowledged: Promise<void> | null = null;
    await bed.sweep({
      list: async (query, page) => {
        const read = await bed.tenant.source.list(query, page);
        await (acknowledged ??= bed.writeBack('x'));
        return read;
      },
    });
    expect(document.accountingStatus).toBe('Skipped');
    expect(await bed.row('x')).toMatchObject({ state: 'skipped', document: { sourceStatus: 'Skipped' } });
    mendAndHandOver();
    expect(await stateAfterSweep(bed)).toBe('discovered');
  });
});
