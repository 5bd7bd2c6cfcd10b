// That an entry stands in the books goes on record together with what the source was told of it: two commits for a document, and nothing
// that somebody else could not find out again in between.
import { afterAll, describe, expect, test } from 'vitest';
import { CodedError } from '../../../src/domain/errors/coded-error.js';
import type { PreparedPost } from '../../../src/erp/erp-adapter.js';
import type { FailPoint } from '../../../src/sync/fail-points.js';
import { sweep } from '../../../src/sync/intake.js';
import { advancePosting } from '../../../src/sync/advance.js';
import type { PostingDeps } from '../../../src/sync/work.js';
import type { ErpKind } from '../../../lab/proof/simulated-ledger.js';
import { testDatabase } from '../../support/database.js';
import { CUT_OVER, pipelineBed } from '../../support/pipeline-bed.js';

const database = await testDatabase();
afterAll(() => database.close());

async function begun(name: string, kind: ErpKind = 'look-up') {
  const bed = await pipelineBed(database, name, kind);
  const post = (prepared: PreparedPost) => Promise.resolve(bed.ledger.take(prepared));
  const tenant = { ...bed.tenant, erp: { ...bed.tenant.erp, post } };
  bed.handOver('d1', { issueDate: '2026-11-15' });
  await sweep(bed.intake, tenant, 'invoice', CUT_OVER);
  const { id } = await bed.row('d1');
  const commits: string[] = [];
  const { store } = bed.stage;
  const stage: PostingDeps = {
    ...bed.stage,
    store: {
      ...store,
      commit: (claim, change) => {
        commits.push(`${change.action}: ${change.to ?? ''}`);
        return store.commit(claim, change);
      },
    },
  };
  const incidents = () => bed.prisma.incident.findMany({ where: { tenantName: name } });
  return { ...bed, tenant, stage, id, commits, incidents };
}

/** A process that comes to a point and is never heard of again. */
async function dies(at: FailPoint, stage: PostingDeps, work: (dying: PostingDeps) => Promise<unknown>) {
  await new Promise<void>((resolve) => {
    const reach = (point: FailPoint) => {
      if (point !== at) return Promise.resolve();
      resolve();
      return new Promise<void>(() => undefined);
    };
    void work({ ...stage, failPoints: { reach } });
  });
}

const LONG_AGO = "interval '1 hour'";

describe('a document that is booked and told', () => {
  test('is on record with both in one commit, after its intent', async () => {
    const { stage, tenant, id, commits, prisma, row } = await begun('at-once');
    await advancePosting(stage, tenant, id, 'me');
    expect(commits).toEqual(['intent: posting', 'acknowledged: acknowledged']);
    const { postedAt, acknowledgedAt, ...posting } = await row('d1');
    expect(posting).toMatchObject({ state: 'acknowledged', leaseOwner: null, dueAt: null });
    expect(posting.erpReference).toContain('"id"');
    expect(posting.document.sourceStatus).toBe('Posted');
    expect(postedAt?.getTime()).toBeLessThanOrEqual(acknowledgedAt?.getTime() ?? 0);
    expect(await prisma.attempt.findMany({ where: { postingId: id } })).toMatchObject([
      { outcome: 'posted', erpReference: posting.erpReference },
    ]);
    const [writeBack, ...more] = await prisma.writeBack.findMany({ where: { postingId: id } });
    expect(more).toEqual([]);
    expect(writeBack).toMatchObject({ wanted: 'Posted', state: 'acknowledged', sends: 1 });
    expect(writeBack?.sentAt).not.toBeNull();
    expect(writeBack?.acknowledgedAt).not.toBeNull();
    const audit = await prisma.auditEntry.findMany({ where: { subject: id }, orderBy: { id: 'asc' } });
    expect(audit.map(({ action, details }) => [action, JSON.parse(details ?? '{}') as unknown])).toEqual([
      ['posting.intent', { from: 'discovered', to: 'posting' }],
      ['posting.posted', { from: 'posting', to: 'posted', outcome: 'posted', wanted: 'Posted' }],
      ['posting.acknowledged', { from: 'posted', to: 'acknowledged' }],
    ]);
  });

  test.each(['after-posted', 'after-write-back'] as const)(
    'by a process that dies %s is found in the books by the next, is booked once, and nobody is called',
    async (point) => {
      const { stage, tenant, id, prisma, row, service, ledger, incidents } = await begun(`dies-${point}`);
      await dies(point, stage, (dying) => advancePosting(dying, tenant, id, 'dying'));
      expect(await row('d1')).toMatchObject({ state: 'posting', leaseOwner: 'dying' });
      const told = point === 'after-write-back' ? ['Posted'] : [];
      expect(service.writes.map(({ status }) => status)).toEqual(told);

      await prisma.$executeRawUnsafe(
        `UPDATE posting SET lease_until = now() - ${LONG_AGO}, due_at = now() - ${LONG_AGO} WHERE id = '${id}'`,
      );
      await prisma.$executeRawUnsafe(
        `UPDATE attempt SET last_sent_at = now() - ${LONG_AGO} WHERE posting_id = '${id}'`,
      );
      await advancePosting(stage, tenant, id, 'next');
      expect(await row('d1')).toMatchObject({ state: 'acknowledged', leaseOwner: null });
      expect(ledger.entries).toHaveLength(1);
      expect(service.writes.map(({ status }) => status)).toEqual(['Posted']);
      expect(await incidents()).toEqual([]);
    },
  );

  test('is on record as posted before the source is told, where the ERP cannot show it again', async () => {
    const { stage, tenant, id, commits, service } = await begun('cannot-show', 'none');
    await dies('after-posted', stage, (dying) => advancePosting(dying, tenant, id, 'dying'));
    expect(commits).toEqual(['intent: posting', 'posted: posted']);
    expect(service.writes).toEqual([]);
  });

  test('is on record as posted when the source is away', async () => {
    const { stage, tenant: plain, id, commits, row, ledger } = await begun('source-away');
    let asked = 0;
    const get: typeof plain.source.get = (kind, guid) =>
      ++asked === 1
        ? plain.source.get(kind, guid)
        : Promise.reject(new CodedError('SOURCE_UNAVAILABLE', 'away'));
    const tenant = { ...plain, source: { ...plain.source, get } };
    await advancePosting(stage, tenant, id, 'me');
    expect(commits).toEqual(['intent: posting', 'posted: posted', 'source-outage: ']);
    expect(await row('d1')).toMatchObject({ state: 'posted', leaseOwner: null });

    await database.prisma.$executeRaw`UPDATE posting SET due_at = now() WHERE id = ${id}::uuid`;
    await advancePosting(stage, plain, id, 'next');
    expect(await row('d1')).toMatchObject({ state: 'acknowledged' });
    expect(ledger.entries).toHaveLength(1);
  });

  test('that the source refuses is on record as posted, with what it answered', async () => {
    const { stage, tenant: plain, id, commits, row } = await begun('source-refuses');
    const updateStatus: typeof plain.source.updateStatus = () =>
      Promise.resolve({ outcome: 'refused', message: 'not now' } as never);
    const tenant = { ...plain, source: { ...plain.source, updateStatus } };
    await advancePosting(stage, tenant, id, 'me');
    expect(commits.slice(0, 3)).toEqual([
      'intent: posting',
      'posted: posted',
      'write-back-refused: writing_back',
    ]);
    expect(await row('d1')).toMatchObject({ state: 'writing_back', tries: 1 });
    const writeBacks = await database.prisma.writeBack.findMany({ where: { postingId: id } });
    expect(writeBacks).toMatchObject([{ state: 'sent', answer: 'not now' }]);
  });
});

test('a document that was skipped and told so by a process that died is skipped still when it is set going again', async () => {
  const { stage, tenant, prisma, row, service, handOver, intake } = await begun('skipped-and-died');
  handOver('d2', { issueDate: '2026-11-15', amount: 0, net: 0, amounts: [0] });
  await sweep(intake, tenant, 'invoice', CUT_OVER);
  const { id } = await row('d2');
  await dies('after-write-back', stage, (dying) => advancePosting(dying, tenant, id, 'dying'));
  expect(service.writes).toMatchObject([{ guid: 'd2', status: 'Skipped' }]);
  await prisma.$executeRaw`
    UPDATE posting SET state = 'discovered', lease_owner = NULL, lease_until = NULL, due_at = now(), fence = fence + 1
    WHERE id = ${id}::uuid`;

  await advancePosting(stage, tenant, id, 'next');
  expect(await row('d2')).toMatchObject({ state: 'skipped', reason: 'NOT_CREATED', dueAt: null });
  expect(await prisma.writeBack.findMany({ where: { postingId: id } })).toMatchObject([
    { wanted: 'Skipped', state: 'acknowledged' },
  ]);
  expect(service.writes).toHaveLength(1);
});
