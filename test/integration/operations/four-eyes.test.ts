// Acts that a tenant wants two people for: plan, reversal, and posting again what is said to be absent.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';

let bed: Bed;
const operations = () => bed.bridge.operations;
const by = (login: string) => ({ actor: login, identity: login, reason: `because of ${login}` });
const asks = { code: 'SECOND_PERSON_NEEDED' };

beforeAll(async () => {
  bed = await bridgeBed({
    accounts: [{ username: 'hraun', invoices: 3, costs: 0, seed: 'eyes', difficulty: 'tidy' }],
    tenants: [
      {
        name: 'hraun',
        account: 'hraun',
        erp: { adapter: 'file' },
        more: { fourEyes: ['plan', 'reversal', 'surely-absent'] },
      },
    ],
    confirmPlans: false,
  });
});
afterAll(() => bed.close());

const actions = async (subject: string) =>
  (await operations().audit({ subject })).items
    .filter(({ action }) => action.startsWith('approval.'))
    .map(({ action, actor }) => `${action} ${actor}`)
    .reverse();

describe('where a tenant asks for four eyes', () => {
  test('a plan is confirmed by the second person, however often the first one asks', async () => {
    await expect(operations().confirmPlan('hraun', by('gudrun'))).rejects.toMatchObject(asks);
    await expect(operations().confirmPlan('hraun', by('gudrun'))).rejects.toMatchObject(asks);
    const other = { ...by('gudrun'), actor: 'Sigga, says Guðrún' };
    await expect(operations().confirmPlan('hraun', other)).rejects.toMatchObject(asks);
    const [waiting, more] = await operations().approvals();
    expect([waiting?.act, waiting?.actor, more]).toEqual(['plan', 'gudrun', undefined]);
    await expect(operations().agree(waiting!.id, by('gudrun'))).rejects.toMatchObject(asks);
    const operator = { ...by('sigga'), role: 'operator' } as const;
    await expect(operations().agree(waiting!.id, operator)).rejects.toMatchObject({ code: 'COMPANY_ROLE' });
    expect((await operations().overview()).tenants[0]?.planConfirmed).toBeNull();

    await operations().agree(waiting!.id, by('sigga'));
    expect((await operations().overview()).tenants[0]?.planConfirmed).toMatchObject({ by: 'sigga' });
    expect(await actions('hraun')).toEqual(['approval.asked gudrun', 'approval.agreed sigga']);
    expect(await operations().approvals()).toEqual([]);
    await bed.settled();
  });

  test('an entry is reversed when two want the same, and of two at once only one reversal is booked', async () => {
    const [document] = (await operations().documents({ states: ['acknowledged'], limit: 1 })).items;
    const id = document!.postingId;
    await operations().reverse(id, by('gudrun'), { dryRun: true });
    await expect(operations().reverse(id, by('gudrun'))).rejects.toMatchObject(asks);
    // Another date is another question.
    await expect(operations().reverse(id, by('sigga'), { date: '2026-01-31' })).rejects.toMatchObject(asks);
    expect((await operations().explain(id)).document.state).toBe('acknowledged');
    await expect(operations().reverse(id, by('gudrun'))).rejects.toMatchObject(asks);

    const both = await Promise.allSettled([
      operations().reverse(id, by('sigga')),
      operations().reverse(id, by('jon')),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await operations().explain(id)).document.state).toBe('reversed');
    const booked = await bed.database.prisma.attempt.count({ where: { postingId: id, part: 'reversal' } });
    expect(booked).toBe(1);

    // Booked anew it is another entry: nobody has agreed to that one.
    await operations().repost(id, by('gudrun'));
    await bed.settled();
    await expect(operations().reverse(id, by('gudrun'))).rejects.toMatchObject(asks);
  });

  test('who says that something is surely absent needs somebody who says so too; a plain replay needs nobody', async () => {
    const [document] = (await operations().documents({ states: ['acknowledged'], limit: 1 })).items;
    const id = document!.postingId;
    const prisma = bed.database.prisma;
    await prisma.attempt.updateMany({ where: { postingId: id }, data: { outcome: 'unknown' } });
    const absent = { surelyAbsent: true };
    await expect(operations().startReplay({ postingIds: [id] }, by('gudrun'), absent)).rejects.toMatchObject(
      asks,
    );
    const run = await operations().startReplay({ postingIds: [id] }, by('sigga'), absent);
    expect(run.total).toBe(1);
    expect((await operations().startReplay({ postingIds: [id] }, by('gudrun'))).total).toBe(1);
  });

  test('one token is one person, whoever it says it speaks for', async () => {
    const document = (await operations().documents({ states: ['acknowledged'], limit: 9 })).items.at(-1);
    const token = async (maker: string) =>
      (await operations().createToken({ name: `of ${maker}`, role: 'admin' }, by(maker))).value;
    const reverse = async (value: string, person: string) => {
      const answer = await fetch(`${bed.bridge.http!.url}/api/v1/documents/${document!.postingId}/reverse`, {
        method: 'POST',
        headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
        body: JSON.stringify({ reason: 'over the API', by: person }),
      });
      return answer.status;
    };
    const [hers, another] = [await token('gudrun'), await token('gudrun')];
    expect(await reverse(hers, 'Guðrún')).toBe(409);
    expect(await reverse(hers, 'Sigga')).toBe(409);
    expect(await reverse(another, 'Sigga')).toBe(409);
    expect(await reverse(await token('sigga'), 'Sigga')).toBe(200);
  });
});
