// Something in front of the ERP that answers in the ERP's place, while the ERP works on. Scaled like the slow ERP: a call may
// take a second, and whoever does not know looks for the entry once it must have arrived.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { connect, withDeadline } from '../../../src/erp/connect.js';
import { FaultProxy } from '../../../lab/kit/conformance/fault-proxy.js';
import type { HttpConfiguration } from '../../../src/erp/http/settings.js';
import { httpAdapter } from '../../../src/erp/http/index.js';
import { sweep } from '../../../src/sync/intake.js';
import { advancePosting } from '../../../src/sync/advance.js';
import { testDatabase } from '../../support/database.js';
import { erpServices } from '../../support/erp/erp-services.js';
import { httpErp, LEDGER_SECRET } from '../../support/http-erp.js';
import { pipelineBed } from '../../support/pipeline-bed.js';

const CALL_MS = 1_000;
const TIMING = { leaseMs: 6_000, sendByMs: 300, erpTimeoutMs: 1_000, networkDelayMaxMs: 500 };
/** Later than the first wait by the table, and as late as an ERP may be that was given a second. */
const BOOKS_AFTER_MS = 1_500;

const database = await testDatabase();
const { prisma } = database;
afterAll(() => database.close());

async function scene(name: string, keys: HttpConfiguration['keys'], documents = 1) {
  const kind = { 'idempotency-key': 'key', 'unique-reference': 'unique-reference' } as const;
  const idempotency = keys === 'look-up' || keys === 'none' ? keys : kind[keys];
  const erp = await httpErp({ behaviour: { idempotency } });
  const proxy = new FaultProxy({
    upstream: erp.ledger.url,
    finalStep: 'create',
    classify: ({ method }) => (method === 'POST' ? 'create' : 'other'),
    errorBody: () => '{}',
    attachmentRefusal: { status: 422, body: '{}' },
  });
  const { settings } = erp.erp({ baseUrl: await proxy.start(), keys, deadlineMs: CALL_MS });
  const configuration = httpAdapter.configuration.parse(settings);
  const adapter = connect(
    httpAdapter.create(configuration, erpServices({ 'env:LEDGER_SECRET': LEDGER_SECRET })),
    [withDeadline(CALL_MS)],
    { callMsMax: CALL_MS },
  );
  // The first call opens the connection; here a deadline is as short as that may take on a busy machine.
  await adapter.health();
  const bed = await pipelineBed(database, name);
  for (let number = 1; number <= documents; number++)
    bed.handOver(`d${String(number)}`, { issueDate: '2026-11-15' });
  await sweep(bed.intake, bed.tenant, 'invoice', '2026-01-01');
  const stage = { ...bed.stage, timing: TIMING };
  const advance = async (guid: string) =>
    advancePosting(stage, { ...bed.tenant, erp: adapter }, (await bed.row(guid)).id, 'me');
  const close = async () => {
    await adapter.close();
    await proxy.stop();
    await erp.ledger.close();
  };
  return { bed, ledger: erp.ledger, proxy, advance, close };
}

/** Works on it whenever it is due, until it rests. */
async function worked(world: Awaited<ReturnType<typeof scene>>, guid: string) {
  const until = Date.now() + 30_000;
  for (;;) {
    const row = await world.bed.row(guid);
    if (['acknowledged', 'parked', 'held'].includes(row.state) || Date.now() > until) return row;
    await world.advance(guid);
    await sleep(40);
  }
}

describe('a proxy that answers 503 while the ERP books later', () => {
  test.concurrent.each(['idempotency-key', 'unique-reference', 'look-up'] as const)(
    'leads to one entry, and it is posted (keys: %s)',
    async (keys) => {
      const world = await scene(`gateway-${keys}`, keys);
      await world.proxy.provoke({ kind: 'gateway-answers', reply: 503, on: 'final-step' });
      await world.advance('d1');
      expect((await world.bed.row('d1')).state, 'in doubt, and not as if nothing had been sent').toBe(
        'posting',
      );
      const late = sleep(BOOKS_AFTER_MS).then(() => world.proxy.heal());
      const row = await worked(world, 'd1');
      await late;
      expect(world.ledger.control.entriesByKey(row.key)).toHaveLength(1);
      expect(row.state).toBe('acknowledged');
      await world.close();
    },
  );

  test.concurrent(
    'is believed by nobody where the ERP promises nothing: parked, and never sent again',
    async () => {
      const world = await scene('gateway-none', 'none');
      await world.proxy.provoke({ kind: 'gateway-answers', reply: 503, on: 'final-step' });
      const row = await worked(world, 'd1');
      await world.proxy.heal();
      expect(row).toMatchObject({ state: 'parked', reason: 'OUTCOME_UNKNOWN' });
      expect(world.ledger.control.entriesByKey(row.key)).toHaveLength(1);
      await world.close();
    },
  );
});

describe('a layer that says "unavailable" after it has booked', () => {
  test.concurrent.each([500, 502, 503])(
    'is not sent the document again where it promises nothing about keys (%i)',
    async (errorStatus) => {
      const world = await scene(`layer-${String(errorStatus)}`, 'none');
      world.ledger.control.set({ errorStatus });
      world.ledger.control.failNext({ fault: 'error-after-effect', on: 'post', times: 1 });
      const row = await worked(world, 'd1');
      expect(row).toMatchObject({ state: 'parked', reason: 'OUTCOME_UNKNOWN' });
      expect(world.ledger.control.entriesByKey(row.key)).toHaveLength(1);
      await world.close();
    },
  );
});

describe('an ERP that is away behind its proxy', () => {
  test('opens the breaker, although nobody knows what became of the requests', async () => {
    const world = await scene('gateway-away', 'look-up', 6);
    await world.proxy.provoke({ kind: 'server-error', status: 503, on: 'final-step' });
    for (let number = 1; number <= 6; number++) await world.advance(`d${String(number)}`);
    const breaker = await prisma.breaker.findFirst({ where: { tenantName: 'gateway-away', side: 'erp' } });
    expect(breaker).toMatchObject({ state: 'open' });
    await world.close();
  });
});
