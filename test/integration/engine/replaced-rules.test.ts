// Rules that change while a document is judged by those before: it is looked at again soon, whichever process had it.
import { afterAll, expect, test } from 'vitest';
import { sweep } from '../../../src/sync/intake.js';
import { advancePosting } from '../../../src/sync/advance.js';
import { testDatabase } from '../../support/database.js';
import { CUT_OVER, pipelineBed } from '../../support/pipeline-bed.js';

const database = await testDatabase();
afterAll(() => database.close());

async function heldWhileTheRulesAre(name: string, current: string) {
  const bed = await pipelineBed(database, name);
  bed.handOver('x', { kind: 'cost', costCode: '9999' });
  await sweep(bed.intake, bed.tenant, 'cost', CUT_OVER);
  await bed.prisma.tenant.update({ where: { name }, data: { rulesVersion: current } });
  const { id } = await bed.row('x');
  await advancePosting(bed.stage, { ...bed.tenant, rulesVersion: 'v1' }, id, 'me');
  const { state, reason, dueAt } = await bed.row('x');
  expect([state, reason]).toEqual(['held', 'UNMAPPED_COST_CODE']);
  return (dueAt?.getTime() ?? Infinity) - Date.now();
}

test('a document that is held by rules which were replaced meanwhile is looked at again within seconds', async () => {
  expect(await heldWhileTheRulesAre('replaced', 'v2')).toBeLessThan(15_000);
});

test('a document that is held by the rules that count waits for a change of them', async () => {
  expect(await heldWhileTheRulesAre('current', 'v1')).toBeGreaterThan(3_600_000);
});
