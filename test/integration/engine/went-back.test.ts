// A database that went back in time, and nobody says so: the witness beside it notices before anything is sent.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { ErpAdapter } from '../../../src/erp/erp-adapter.js';
import { sweep } from '../../../src/sync/intake.js';
import { advancePosting } from '../../../src/sync/advance.js';
import { openWitness } from '../../../src/store/witness.js';
import { WitnessFile } from '../../../src/store/witness-file.js';
import { testDatabase } from '../../support/database.js';
import { CUT_OVER, pipelineBed } from '../../support/pipeline-bed.js';

const lost = await testDatabase();
const restored = await testDatabase();
const exchanged = await testDatabase();
const directory = mkdtempSync(join(tmpdir(), 'witness-'));
afterAll(async () => {
  await Promise.all([lost, restored, exchanged].map((database) => database.close()));
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

it('one that is exchanged while the outcome of a request is unknown is noticed before that is sent again', async () => {
  let time = Date.now();
  const told: number[] = [];
  const bed = await pipelineBed(exchanged, 'resent', 'native-key');
  bed.handOver('once');
  await sweep(bed.intake, bed.tenant, 'invoice', CUT_OVER);
  const file = new WitnessFile(join(directory, 'resent'), 'a', time);
  const now = () => time;
  const witness = await openWitness({
    database: exchanged,
    file,
    now,
    onWentBack: (missing) => void told.push(missing),
  });
  const { id } = await bed.row('once');
  const did: string[] = [];
  const erp: ErpAdapter = {
    ...bed.tenant.erp,
    post: () => {
      did.push('post');
      return Promise.resolve({ outcome: 'unknown', message: 'the answer was lost' });
    },
    findByKey: () => {
      did.push('look');
      return Promise.resolve({ outcome: 'none' });
    },
  };
  const advance = async () => {
    await exchanged.prisma.posting.update({ where: { id }, data: { dueAt: new Date(Date.now() - 1_000) } });
    await advancePosting({ ...bed.stage, witness }, { ...bed.tenant, erp }, id, 'me');
  };
  const attempt = () => exchanged.prisma.attempt.findFirst({ where: { postingId: id } });
  await advance();
  await advance();
  expect(did).toEqual(['post', 'post']);
  // What was sent on the word of the server that is gone.
  file.mark('01890000-0000-7000-8000-000000000002');
  time += 6_000;
  await advance();
  expect(told).toEqual([1]);
  expect(did, 'nothing leaves').toEqual(['post', 'post']);
  expect(await bed.row('once')).toMatchObject({ state: 'posting' });
  expect(await attempt(), 'the earlier ones may have arrived').toMatchObject({ outcome: 'unknown' });
  await advance();
  expect(did.slice(2), 'from now on it looks first').toEqual(['look', 'post']);
  witness.close();
});
