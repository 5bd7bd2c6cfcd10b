// Whoever slept, and may have lost its claim meanwhile, sends nothing: not to the ERP, nor to the source, which knows no fence.
import { afterAll, describe, expect, test } from 'vitest';
import type { PreparedPost } from '../../../src/erp/erp-adapter.js';
import type { FailPoint } from '../../../src/sync/fail-points.js';
import { sweep } from '../../../src/sync/intake.js';
import { advancePosting } from '../../../src/sync/advance.js';
import { POST_TIMING, type PostingDeps } from '../../../src/sync/work.js';
import { SYSTEM_RUNTIME } from '../../../src/worker/schedules.js';
import { testDatabase } from '../../support/database.js';
import { CUT_OVER, pipelineBed } from '../../support/pipeline-bed.js';

const database = await testDatabase();
afterAll(() => database.close());

/** A process whose machine sleeps the first time that it comes to a point: its clock has moved on when it goes on. */
function sleeper(stage: PostingDeps, point: FailPoint, forMs: number): PostingDeps {
  let sleptMs = 0;
  return {
    ...stage,
    runtime: { ...SYSTEM_RUNTIME, clock: { now: () => new Date(Date.now() + sleptMs) } },
    failPoints: {
      reach: (reached) => {
        if (reached === point) sleptMs = forMs;
        return Promise.resolve();
      },
    },
  };
}

describe('a process that sleeps', () => {
  test.each([
    ['after it has read the source', 'after-source-check', POST_TIMING.sendByMs + 1],
    ['before it reads the source, until its lease is gone', 'after-posted', POST_TIMING.leaseMs + 1],
  ] as const)('%s tells nobody, and whoever claims it next does', async (_when, point, forMs) => {
    const bed = await pipelineBed(database, point);
    const { stage, intake, service, ledger, handOver, row } = bed;
    const post = (prepared: PreparedPost) => Promise.resolve(ledger.take(prepared));
    const tenant = { ...bed.tenant, erp: { ...bed.tenant.erp, post } };
    handOver('d1', { issueDate: '2026-11-15' });
    await sweep(intake, tenant, 'invoice', CUT_OVER);
    const { id } = await row('d1');

    await advancePosting(sleeper(stage, point, forMs), tenant, id, 'sleeper');
    expect(service.writes).toEqual([]);
    expect(await row('d1')).toMatchObject({ state: 'posted', leaseOwner: null });

    await advancePosting(stage, tenant, id, 'next');
    expect(await row('d1')).toMatchObject({ state: 'acknowledged' });
    expect(service.writes).toMatchObject([{ guid: 'd1', status: 'Posted' }]);
  });

  test('before it sends once more what may have arrived uses up no try', async () => {
    const {
      stage,
      tenant: plain,
      intake,
      handOver,
      row,
      prisma,
    } = await pipelineBed(database, 'resent-asleep');
    let posts = 0;
    const post = () => Promise.resolve({ outcome: 'unknown', message: `lost ${String(++posts)}` } as const);
    const capabilities = { ...plain.erp.capabilities, idempotency: 'unique-reference' as const };
    const tenant = { ...plain, erp: { ...plain.erp, capabilities, post } };
    handOver('d1', { issueDate: '2026-11-15' });
    await sweep(intake, tenant, 'invoice', CUT_OVER);
    const { id } = await row('d1');
    await advancePosting(stage, tenant, id, 'me');
    const { tries } = await row('d1');
    for (let times = 0; times < 3; times++) {
      await prisma.$executeRaw`UPDATE posting SET due_at = now() - interval '1 millisecond' WHERE id = ${id}::uuid`;
      await advancePosting(sleeper(stage, 'after-intent', POST_TIMING.sendByMs + 1), tenant, id, 'sleeper');
    }
    expect(posts).toBe(1);
    expect(await row('d1')).toMatchObject({ state: 'posting', tries });
  });
});
