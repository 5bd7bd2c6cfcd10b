// The server of the records is stopped at once, cut off, or exchanged for one that is behind, under a process that goes on working.
// Judged from outside only: each document is in the books once, and whoever lost some of its past says so.
// All of it: `PROMOTIONS=100 RESTORES=20 npx vitest run --project integration test/integration/engine/exchanged-server.test.ts`
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sum } from '../../../src/domain/money.js';
import { Secret } from '../../../src/domain/secret.js';
import type { ErpAdapter } from '../../../src/erp/erp-adapter.js';
import { checkOutside } from '../../../src/outside/check-outside.js';
import { sweep } from '../../../src/sync/intake.js';
import { advancePosting } from '../../../src/sync/advance.js';
import { type Database, openDatabase } from '../../../src/store/database.js';
import type { PrismaClient } from '../../../src/store/generated/client.js';
import { migrate } from '../../../src/store/migrate.js';
import { type OpenWitness, openWitness } from '../../../src/store/witness.js';
import { WitnessFile } from '../../../src/store/witness-file.js';
import { CUT_OVER, pipelineBed } from '../../support/pipeline-bed.js';
import { smallDisk } from '../../support/small-disk.js';
import { type Pair, startPair } from '../../support/standby.js';

const PROMOTIONS = Number(process.env['PROMOTIONS'] ?? 1);
const RESTORES = Number(process.env['RESTORES'] ?? 1);
/** Everything shorter than in production, in the same proportions. */
const TIMING = { sendByMs: 300, erpTimeoutMs: 100, networkDelayMaxMs: 100 };
const DOCUMENTS = 4;
const LONG_MS = 60 * 60_000;

const disk = smallDisk(500);
const directory = mkdtempSync(join(tmpdir(), 'witness-'));
let pair: Pair;
let database: Database;
let witness: OpenWitness;
let prisma: PrismaClient;
let bed: Awaited<ReturnType<typeof pipelineBed>>;
let wentBack = 0;
let handedOver = 0;

beforeAll(async () => {
  pair = await startPair(disk?.directory);
  await migrate(new Secret(pair.url));
  database = await openDatabase({
    databaseUrl: pair.url,
    dataDirectory: directory,
    role: 'command',
    poolSize: 3,
  });
  prisma = await database.models();
  bed = await pipelineBed({ ...database, prisma, name: 'pair', runtimeUrl: database.url }, 'pair', 'look-up');
  witness = await openWitness({
    database,
    file: new WitnessFile(directory, 'a', Date.now()),
    now: Date.now,
    onWentBack: () => void wentBack++,
  });
});
afterAll(async () => {
  witness.close();
  await database.close();
  await pair.close();
  disk?.close();
  rmSync(directory, { recursive: true });
});

/** Whatever fails because the server is away is tried again, as a worker does. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries > 200) throw error;
      await sleep(50);
    }
  }
}

const erp = (): ErpAdapter => ({
  ...bed.tenant.erp,
  post: (prepared) => Promise.resolve(bed.ledger.take(prepared)),
});
const stage = () => ({ ...bed.stage, timing: { ...bed.stage.timing, ...TIMING }, witness });

function handOver(): void {
  for (let count = 0; count < DOCUMENTS; count++) bed.handOver(`doc-${++handedOver}`);
}

/** One round of a worker: a full sweep, and a turn for everything that is due. */
async function round(): Promise<void> {
  await patiently(() => sweep(bed.intake, bed.tenant, 'invoice', CUT_OVER));
  const due = await patiently(() =>
    prisma.posting.findMany({ where: { dueAt: { lte: new Date() } }, select: { id: true } }),
  );
  for (const { id } of due)
    await advancePosting(stage(), { ...bed.tenant, erp: erp() }, id, 'me').catch(() => undefined);
}

async function untilQuiet(): Promise<void> {
  for (let rounds = 0; rounds < 200; rounds++) {
    await round();
    if (bed.service.created().length === 0) return;
    // What waits for its next try waits in the database: a process that died is not made up for by waiting here.
    await patiently(
      () =>
        prisma.$executeRaw`UPDATE posting SET due_at = now() WHERE state IN ('mapped', 'discovered', 'posted', 'writing_back')`,
    );
    // A commit that was made and not heard of leaves a lease that nobody holds: nobody is at work here, so it may as well have run out.
    await patiently(
      () => prisma.$executeRaw`UPDATE posting SET lease_until = now() WHERE lease_until > now()`,
    );
    await sleep(50);
  }
}

/** Neither side's word is ours. */
function judged() {
  const amountOf = (journal: (typeof bed.ledger.entries)[number]['journal']) =>
    sum(journal.lines.map(({ debit }) => debit)).toFixed();
  const { findings, waiting } = checkOutside({
    environment: 'production',
    sourceAccount: 'pair',
    ledger: 'simulated',
    settledBefore: '9999',
    documents: bed.service.existing().map(({ kind, guid, number, accountingStatus, amount }) => ({
      ...{ kind, guid, number, accountingStatus },
      amount: String(amount),
      handedOverAt: '2026-01-01',
    })),
    entries: bed.ledger.entries.map(({ id, key, journal }) => ({
      ...{ id, key, isReversed: false },
      amount: amountOf(journal),
    })),
  });
  return { findings, waiting, entries: bed.ledger.entries.length };
}

const allInOrder = () => expect(judged()).toEqual({ findings: [], waiting: 0, entries: handedOver });
const incidents = () => prisma.incident.count({ where: { code: 'DATABASE_WENT_BACK' } });
const resolveIncidents = () =>
  patiently(() => prisma.incident.deleteMany({ where: { code: 'DATABASE_WENT_BACK' } }));

test('stopped at once in the middle of the work, and connections cut in mid-commit: nothing is lost, nothing is double', async () => {
  const before = wentBack;
  for (const fault of ['cut', 'stopped', 'cut'] as const) {
    handOver();
    const working = round();
    await sleep(40);
    if (fault === 'cut') pair.cut();
    else await pair.stopAtOnce();
    await working;
    await untilQuiet();
    allInOrder();
  }
  expect(wentBack).toBe(before);
});

test.skipIf(disk === null)('its disk is full for a while: nothing is lost, nothing is double', async () => {
  handOver();
  disk?.fill();
  const working = Promise.race([round(), sleep(1_500)]);
  await working;
  const meanwhile = bed.ledger.entries.length;
  disk?.free();
  await pair.stopAtOnce();
  await untilQuiet();
  expect(meanwhile).toBeLessThan(handedOver);
  allInOrder();
});

test('a synchronous standby is promoted: it has forgotten nothing, and nobody says so', async () => {
  const before = wentBack;
  await pair.prepare('synchronous');
  handOver();
  await round();
  await pair.promote();
  await untilQuiet();
  allInOrder();
  expect(wentBack).toBe(before);
});

/** What was sent after it fell behind, or after the copy was made, is unknown to what comes next. */
async function losesItsPast(exchange: () => Promise<void>): Promise<void> {
  const before = wentBack;
  handOver();
  await round();
  expect(bed.ledger.entries.length).toBeGreaterThan(handedOver - DOCUMENTS);
  // What the source was told stands; of the others only the books know.
  for (const document of [...bed.service.documents.values()].slice(-2)) document.accountingStatus = 'Created';
  await exchange();
  handOver();
  await untilQuiet();
  allInOrder();
  expect(wentBack).toBe(before + 1);
  expect(await patiently(incidents)).toBe(1);
  await resolveIncidents();
}

test(
  `a standby that is behind is promoted, ${PROMOTIONS} times: 0 double, and an incident each time`,
  async () => {
    for (let time = 1; time <= PROMOTIONS; time++) {
      await pair.prepare('standby');
      await patiently(() => round());
      await pair.lag();
      await losesItsPast(() => pair.promote());
    }
  },
  LONG_MS,
);

test(
  `older files are put in its place, ${RESTORES} times, and nobody says so: 0 double, and an incident each time`,
  async () => {
    for (let time = 1; time <= RESTORES; time++) {
      await pair.prepare('backup');
      await losesItsPast(() => pair.putBack());
    }
  },
  LONG_MS,
);
