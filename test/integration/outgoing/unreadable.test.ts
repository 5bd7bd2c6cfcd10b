// Files that cannot be read, as people at the folder and at the bridge see them: from a folder into a real PostgreSQL.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestDatabase } from '../../support/database.js';
import { KENNITALA, outgoingBed, testDatabase } from '../../support/outgoing-bed.js';

let database: TestDatabase;
let bed: Awaited<ReturnType<typeof outgoingBed>>;
beforeAll(async () => {
  database = await testDatabase();
});
afterEach(() => bed.close());
afterAll(() => database.close());

const HEAD = 'kennitala;name;email;address;zip;city';
const good = (name: string) => `${KENNITALA};${name};a@example.is;Laugavegur 1;101;Reykjavík`;

async function opened() {
  bed = await outgoingBed({ database });
  return bed;
}

test('an incident counts down as records are mended, and ends with the last', async () => {
  const { beside, settle, name, prisma } = await opened();
  const incident = async () => {
    const row = await prisma.incident.findFirstOrThrow({
      where: { tenantName: name, code: 'ORIGIN_PROBLEMS' },
    });
    return {
      state: row.state,
      title: row.title,
      ...(JSON.parse(row.params ?? '{}') as { count: number; first: string }),
    };
  };
  await beside('a.csv', [HEAD, '1;a', '2;b', '3;c'].join('\n'));
  await beside('b.csv', [HEAD, '4;d'].join('\n'));
  await settle();
  expect(await incident()).toMatchObject({ state: 'open', count: 4 });
  await beside('a.csv', [HEAD, good('Prufa'), '2;b', '3;c'].join('\n'));
  await settle();
  expect(await incident()).toMatchObject({ state: 'open', count: 3 });
  await beside('a.csv', [HEAD, good('Prufa')].join('\n'));
  await settle();
  const left = await incident();
  expect(left).toMatchObject({ state: 'open', count: 1, first: 'b.csv:2' });
  expect(left.title).toContain('1 record');
  await beside('b.csv', [HEAD, good('Prufa')].join('\n'));
  await settle();
  expect(await incident()).toMatchObject({ state: 'resolved' });
});
