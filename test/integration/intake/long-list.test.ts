// A list that is longer than what is recorded at once: documents are on record, and leave the list, while it is read.
import { afterAll, expect, it } from 'vitest';
import { sweep } from '../../../src/sync/intake.js';
import { testDatabase } from '../../support/database.js';
import { CUT_OVER, intakeBed } from './intake-bed.js';

const database = await testDatabase();
const { prisma } = database;
afterAll(() => database.close());

const DOCUMENTS = 1_200;

it('what is found is on record while the sweep goes on, and what is finished meanwhile hides nothing', async () => {
  const bed = await intakeBed(database, 'long');
  bed.service.pageSize = 100;
  for (let number = 0; number < DOCUMENTS; number++) bed.handOver(`d${number}`);
  const onRecord: number[] = [];
  const reports = await sweep(
    {
      ...bed.intake,
      onFound: () => {
        onRecord.push(bed.service.created().length);
        // Whatever is on record by now is posted and told at once.
        for (const guid of recorded) {
          const document = bed.service.documents.get(guid);
          if (document) document.accountingStatus = 'Posted';
        }
      },
      store: {
        ...bed.intake.store,
        recordListed: async (tenantName, documents, keyOf, ageMs) => {
          const done = await bed.intake.store.recordListed(tenantName, documents, keyOf, ageMs);
          recorded.push(...documents.map(({ guid }) => guid));
          await prisma.$executeRaw`UPDATE document SET source_status = 'Posted' WHERE tenant_name = 'long'`;
          return done;
        },
      },
    },
    bed.tenant,
    'invoice',
    CUT_OVER,
  );
  expect(reports).toMatchObject({ outcome: 'complete', discovered: DOCUMENTS });
  expect(onRecord).toEqual([1_200, 700, 200]);
  expect(await prisma.document.count({ where: { tenantName: 'long' } })).toBe(DOCUMENTS);
});

it('its beginning is read twice and counted once, so that it makes up for nothing that is missing', async () => {
  const bed = await intakeBed(database, 'twice');
  bed.service.pageSize = 100;
  for (let number = 0; number < DOCUMENTS; number++) bed.handOver(`t${number}`);
  const report = await sweep(bed.intake, bed.tenant, 'invoice', CUT_OVER);
  expect(report).toMatchObject({ outcome: 'complete', listed: DOCUMENTS, discovered: DOCUMENTS });
});

const recorded: string[] = [];
