// Many documents are skipped one after the other, and a cost leaves Skipped only by a person's hand: whoever asked hears of each.
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../support/database.js';
import { ACT, operatorBed } from './operator-bed.js';

const database = await testDatabase();
afterAll(() => database.close());

test('a batch that breaks off says of each document what became of it: skipped, not known, or not tried', async () => {
  const bed = await operatorBed(database, 'breaks-off');
  const ids: string[] = [];
  for (const guid of ['a', 'b', 'c']) ids.push(await bed.invoice(guid));
  const [a = '', b = '', c = ''] = ids;
  const { source } = bed.tenant;
  const get = source.get.bind(source);
  Object.assign(source, {
    get: (...[kind, guid]: Parameters<typeof get>) =>
      guid === 'b' ? Promise.reject(new Error('The socket was lost.')) : get(kind, guid),
  });
  const { done, refused } = await bed.operations.act('skip', ids, {}, ACT);
  expect(done).toEqual([a]);
  expect(refused).toEqual([
    { postingId: b, why: expect.stringContaining('not known whether it was skipped') as string },
    { postingId: c, why: expect.stringContaining('Not tried') as string },
  ]);
  expect(refused[0]?.why).toContain('The socket was lost.');
  expect([(await bed.row(a)).state, (await bed.row(b)).state, (await bed.row(c)).state]).toEqual([
    'skipped',
    'discovered',
    'discovered',
  ]);
});
