// A database that went back in time, and nobody says so: the witness beside it notices before anything is sent.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { ErpAdapter } from '../../../src/erp/erp-adapter.js';
import { sweep } from '../../../src/pipeline/intake/sweep.js';
import { advancePosting } from '../../../src/pipeline/posting/advance-posting.js';
import { openWitness } from '../../../src/store/witness.js';
import { WitnessFile } from '../../../src/store/witness-file.js';
import { testDatabase } from '../../support/database.js';
import { CUT_OVER, pipelineBed } from '../../support/pipeline-bed.js';

const lost = await testDatabase();
const restored = await testDatabase();
const directory = mkdtempSync(join(tmpdir(), 'witness-'));
afterAll(async () => {
  await Promise.all([lost.close(), restored.close()]);
  rmSync(directory, { recursive: true });
});

interface Options {
  readonly place?: string;
  readonly now?: () => number;
  readonly told?: number[];
}

function witnessOf(
  database: typeof lost,
  name: string,
  { place = 'shared', now = Date.now, told = [] }: Options,
) {
  const file = new WitnessFile(join(directory, place), name, now());
  return openWitness({ database, file, now, onWentBack: (missing) => void told.push(missing) });
}

type Bed = Awaited<ReturnType<typeof pipelineBed>>;

async function post(bed: Bed, witness: Awaited<ReturnType<typeof openWitness>>, guid: string) {
  const { id } = await bed.row(guid);
  const erp: ErpAdapter = {
    ...bed.tenant.erp,
    post: (prepared) => Promise.resolve(bed.ledger.take(prepared)),
  };
  await advancePosting({ ...bed.stage, witness }, { ...bed.tenant, erp }, id, 'me');
}

const isOpen = (database: typeof lost) =>
  database.prisma.incident.count({ where: { code: 'DATABASE_WENT_BACK', severity: 'critical' } });

it('a restored database is noticed at the start, and nothing is sent before a look', async () => {
  const before = await pipelineBed(lost, 'same');
  before.handOver('first');
  await sweep(before.intake, before.tenant, 'invoice', CUT_OVER);
  const witness = await witnessOf(lost, 'a', {});
  await post(before, witness, 'first');
  expect(before.ledger.entries).toHaveLength(1);
  witness.close();

  // The disk is lost, and a backup from before is put in its place: the document is still Created there, as it was then.
  const told: number[] = [];
  const after = await pipelineBed(restored, 'same');
  after.ledger.entries.push(...before.ledger.entries);
  after.handOver('first');
  await sweep(after.intake, after.tenant, 'invoice', CUT_OVER);
  const next = await witnessOf(restored, 'b', { told });
  expect(told).toEqual([1]);
  expect(await isOpen(restored)).toBe(1);
  await post(after, next, 'first');
  expect(after.ledger.entries).toHaveLength(1);
  expect(await after.row('first')).toMatchObject({ state: 'mapped', erpReference: null });
  next.close();

  const again: number[] = [];
  (await witnessOf(restored, 'c', { told: again })).close();
  expect(again).toEqual([]);
});

it('one that is exchanged under a running process is noticed between the intent and the send', async () => {
  let time = Date.now();
  const told: number[] = [];
  const bed = await pipelineBed(lost, 'running');
  bed.handOver('next');
  await sweep(bed.intake, bed.tenant, 'invoice', CUT_OVER);
  const file = new WitnessFile(join(directory, 'running'), 'a', time);
  const witness = await openWitness({
    database: lost,
    file,
    now: () => time,
    onWentBack: (missing) => void told.push(missing),
  });
  // What was sent on the word of the server that is gone.
  file.mark('01890000-0000-7000-8000-000000000001');
  time += 6_000;
  await post(bed, witness, 'next');
  expect(told).toEqual([1]);
  expect(bed.ledger.entries).toEqual([]);
  expect(await bed.row('next')).toMatchObject({ state: 'mapped' });
  const attempt = await lost.prisma.attempt.findFirst({ where: { posting: { tenantName: 'running' } } });
  expect(attempt).toMatchObject({ outcome: 'never-sent' });
  expect(await isOpen(lost)).toBe(1);
  witness.close();
});
