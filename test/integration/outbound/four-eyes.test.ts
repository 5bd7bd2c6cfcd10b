// Where a tenant wants two people: nothing goes into the service, and nothing is sent again on somebody's word, before a second one agrees.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';

let bed: Bed;
const operations = () => bed.bridge.operations;
const by = (login: string) => ({
  actor: login,
  identity: `login:${login}` as const,
  reason: `because of ${login}`,
});
const asks = { code: 'SECOND_PERSON_NEEDED' };
const origins = [{ name: 'orders', type: 'folder', directory: '../../orders' }];

beforeAll(async () => {
  bed = await bridgeBed({
    accounts: [{ username: 'hraun', invoices: 0, costs: 0 }],
    tenants: [
      {
        ...{ name: 'hraun', account: 'hraun', erp: { adapter: 'file' } },
        more: { fourEyes: ['plan', 'surely-absent'], outgoing: { origins } },
      },
    ],
  });
});
afterAll(() => bed.close());

const confirmed = async () => (await operations().outgoing('hraun'))[0]?.confirmed;

test('the plan of this direction is confirmed by the second person, however often the first one asks', async () => {
  await expect(operations().confirmOutgoing('hraun', by('gudrun'))).rejects.toMatchObject(asks);
  await expect(operations().confirmOutgoing('hraun', by('gudrun'))).rejects.toMatchObject(asks);
  // Agreeing to what is posted into the books is no agreement to what is sent out.
  const [waiting, more] = await operations().approvals();
  expect([waiting?.act, waiting?.subject, waiting?.actor, more]).toEqual([
    ...['outgoing-plan', 'hraun', 'gudrun'],
    undefined,
  ]);
  await expect(operations().agree(waiting!.id, by('gudrun'))).rejects.toMatchObject(asks);
  expect(await confirmed()).toBeNull();

  await operations().agree(waiting!.id, by('sigga'));
  expect(await confirmed()).toMatchObject({ by: 'sigga' });
  expect(await operations().approvals()).toEqual([]);
  // What is confirmed is confirmed: nobody has to agree again.
  expect(await operations().confirmOutgoing('hraun', by('jon'))).toBe(false);
});

test('who says that the service surely has nothing of it needs somebody who says so too; a plain replay needs nobody', async () => {
  const { prisma } = bed.database;
  const now = new Date();
  const row = {
    ...{ tenantName: 'hraun', origin: 'orders', kind: 'draft', place: 'a.jsonl:1', content: '{}' },
    ...{ contentHash: 'x', state: 'received', stateSince: now, receivedAt: now, sends: 1 },
  };
  const park = async (id: string, reference: string) => {
    await prisma.submission.create({ data: { ...row, id, reference, key: `O${reference.padEnd(19, 'A')}` } });
    await prisma.$executeRaw`UPDATE submission SET state = 'parked', reason = 'SUBMISSION_UNKNOWN' WHERE id = ${id}::uuid`;
    return id;
  };
  const id = await park('0b7c1f5e-1111-4222-8333-444455556666', 'D-1');
  await operations().pauseOutgoing('hraun', by('gudrun'));
  const absent = { surelyAbsent: true };
  await expect(operations().replaySubmission(id, by('gudrun'), absent)).rejects.toMatchObject(asks);
  expect((await operations().submission(id)).state).toBe('parked');
  const [waiting] = await operations().approvals();
  expect([waiting?.act, waiting?.subject]).toEqual(['outgoing-absent', id]);

  const both = await Promise.allSettled([
    operations().replaySubmission(id, by('sigga'), absent),
    operations().replaySubmission(id, by('jon'), absent),
  ]);
  expect(both.map(({ status }) => status)).toContain('fulfilled');
  expect((await operations().submission(id)).state).toBe('received');
  // It was sent once more since: nobody has agreed to that.
  await prisma.$executeRaw`UPDATE submission SET state = 'parked', sends = 2 WHERE id = ${id}::uuid`;
  await expect(operations().replaySubmission(id, by('gudrun'), absent)).rejects.toMatchObject(asks);
  // Nor is it theirs to say who looked before that, or who agrees to what was asked before it.
  const older = operations().replaySubmission(id, by('sigga'), { ...absent, sends: 1 });
  await expect(older).rejects.toMatchObject({ code: 'ACT_NOT_POSSIBLE', message: /sent 2 times/ });
  const [asked] = await operations().approvals();
  await prisma.$executeRaw`UPDATE submission SET sends = 3 WHERE id = ${id}::uuid`;
  await expect(operations().agree(asked!.id, by('sigga'))).rejects.toMatchObject({
    code: 'ACT_NOT_POSSIBLE',
  });
  expect((await operations().submission(id)).state).toBe('parked');

  await prisma.$executeRaw`UPDATE submission SET reason = 'TRIES_EXHAUSTED', sends = 0 WHERE id = ${id}::uuid`;
  expect((await operations().replaySubmission(id, by('gudrun'))).state).not.toBe('parked');
});

test('what waits for a person is in the overview and among the problems until somebody has done it', async () => {
  const { prisma } = bed.database;
  const now = new Date();
  const data = (id: string, reference: string) => ({
    ...{ id, reference, key: `O${reference.padEnd(19, 'B')}`, tenantName: 'hraun', origin: 'orders' },
    ...{ kind: 'customer', place: 'b.jsonl:1', content: '{}', contentHash: 'x', state: 'received' },
    ...{ stateSince: now, receivedAt: now },
  });
  const said = async () => {
    const { conditions, tenants } = await operations().overview();
    const codes = conditions.map(({ code }) => code).filter((code) => OF_THIS_DIRECTION.test(code));
    const problems = (await operations().problems('hraun')).filter(({ direction }) => direction === 'out');
    return [codes, problems.map(({ code, count }) => [code, count]), tenants[0]?.outgoing.needsYou];
  };
  await operations().pauseOutgoing('hraun', by('gudrun'));
  for (const { id } of await operations().submissions({ states: ['received', 'parked'] }))
    await operations().skipSubmission(id, by('gudrun'));
  expect(await said()).toEqual([[], [], 0]);

  const parked = '0b7c1f5e-1111-4222-8333-444455557777';
  await prisma.submission.create({ data: data(parked, 'K-1') });
  await prisma.$executeRaw`UPDATE submission SET state = 'parked', reason = 'CUSTOMER_DEACTIVATED',
    reason_params = '{"kennitala":"5402696029","guid":"g"}' WHERE id = ${parked}::uuid`;
  expect(await said()).toEqual([['SUBMISSIONS_NEED_A_PERSON'], [['CUSTOMER_DEACTIVATED', 1]], 1]);
  await operations().skipSubmission(parked, by('gudrun'));
  expect(await said()).toEqual([[], [], 0]);

  const waiting = '0b7c1f5e-1111-4222-8333-444455558888';
  await prisma.submission.create({ data: data(waiting, 'K-2') });
  await prisma.outgoingTenant.updateMany({ data: { confirmedAt: null } });
  // Who holds it back knows that it waits.
  expect(await said()).toEqual([[], [], 0]);
  await operations().resumeOutgoing('hraun', by('gudrun'));
  expect(await said()).toEqual([['OUTGOING_UNCONFIRMED'], [['OUTGOING_UNCONFIRMED', 1]], 1]);
  await operations().skipSubmission(waiting, by('gudrun'));
  expect(await said()).toEqual([[], [], 0]);
});

const OF_THIS_DIRECTION = /^(SUBMISSIONS|OUTGOING)_/;
