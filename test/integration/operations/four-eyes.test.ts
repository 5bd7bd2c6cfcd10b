// Acts that a tenant wants two people for: plan, reversal, and posting again what is said to be absent.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { createUserAccounts } from '../../../src/operations/users/user-accounts.js';
import { createUserStore } from '../../../src/store/dashboard/user-store.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';

let bed: Bed;
const operations = () => bed.bridge.operations;
const accounts = () => createUserAccounts(createUserStore(bed.database), { now: () => new Date() });
const by = (login: string) => ({
  actor: login,
  identity: `login:${login}` as const,
  reason: `because of ${login}`,
});
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
    await operations().previewAct('reverse', [id], {}, by('gudrun'));
    await expect(operations().act('reverse', [id], {}, by('gudrun'))).rejects.toMatchObject(asks);
    // Another date is another question.
    await expect(
      operations().act('reverse', [id], { date: '2026-01-31' }, by('sigga')),
    ).rejects.toMatchObject(asks);
    expect((await operations().explain(id)).document.state).toBe('acknowledged');
    await expect(operations().act('reverse', [id], {}, by('gudrun'))).rejects.toMatchObject(asks);

    const both = await Promise.allSettled([
      operations().act('reverse', [id], {}, by('sigga')),
      operations().act('reverse', [id], {}, by('jon')),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await operations().explain(id)).document.state).toBe('reversed');
    const booked = await bed.database.prisma.attempt.count({ where: { postingId: id, part: 'reversal' } });
    expect(booked).toBe(1);

    // Booked anew it is another entry: nobody has agreed to that one.
    await operations().act('repost', [id], {}, by('gudrun'));
    await bed.settled();
    await expect(operations().act('reverse', [id], {}, by('gudrun'))).rejects.toMatchObject(asks);
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

  test('a token counts as the person who was authenticated when it was made, whatever name they gave', async () => {
    const document = (await operations().documents({ states: ['acknowledged'], limit: 9 })).items.at(-1);
    const make = (actor: string) =>
      operations().createToken({ name: 'shared', role: 'admin' }, { ...by('gudrun'), actor });
    const reverse = async (value: string) => {
      const answer = await fetch(`${bed.bridge.http!.url}/api/v1/documents/${document!.postingId}/reverse`, {
        method: 'POST',
        headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
        body: JSON.stringify({ reason: 'over the API' }),
      });
      return answer.status;
    };
    expect(await reverse((await make('gudrun')).value)).toBe(409);
    expect(await reverse((await make('Sigga, as she typed it')).value)).toBe(409);
  });

  test('a user of the operating system is no second person before an admin declares which login it is', async () => {
    const document = (await operations().documents({ states: ['acknowledged'], limit: 9 })).items.at(-1);
    const id = document!.postingId;
    const shell = { actor: 'root', identity: 'os:root', reason: 'on the command line' } as const;
    const unknown = { ...asks, message: expect.stringContaining('not known which person') as string };
    await operations().withdraw((await operations().approvals())[0]!.id, by('gudrun'));

    // What the command line asks first, no login completes alone.
    await expect(operations().act('reverse', [id], {}, shell)).rejects.toMatchObject(unknown);
    await expect(operations().act('reverse', [id], {}, by('gudrun'))).rejects.toMatchObject(asks);
    await expect(operations().act('reverse', [id], {}, shell)).rejects.toMatchObject(unknown);
    const [waiting] = await operations().approvals();
    expect(waiting?.actor).toBe('gudrun');
    await expect(operations().agree(waiting!.id, shell)).rejects.toMatchObject(unknown);

    await accounts().create('gudrun', 'admin', new Secret('langt og gott lykilorð'), 'test');
    await accounts().create('jon', 'admin', new Secret('annað langt lykilorð'), 'test');
    await accounts().setSystemUser('gudrun', 'root', 'test');
    await expect(accounts().setSystemUser('jon', 'root', 'test')).rejects.toThrow('already the system user');
    await expect(operations().agree(waiting!.id, shell)).rejects.toMatchObject(asks);
    await accounts().setSystemUser('gudrun', null, 'test');
    await accounts().setSystemUser('jon', 'root', 'test');
    await operations().agree(waiting!.id, shell);
    expect((await operations().explain(id)).document.state).toBe('reversed');
  });

  test('who is disabled loses every token they made, and those made with these', async () => {
    const first = await operations().createToken({ name: 'hers', role: 'admin' }, by('gudrun'));
    expect(Date.parse(first.token.expiresAt!) - Date.now()).toBeLessThanOrEqual(90 * 86_400_000);
    const call = (value: string, body?: object) =>
      fetch(`${bed.bridge.http!.url}/api/v1/tokens`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${value}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
    const made = await call(first.value, { name: 'second', role: 'admin', reason: 'one more' });
    const second = ((await made.json()) as { value: string }).value;
    expect((await call(second)).status).toBe(200);
    await accounts().disable('gudrun', 'test');
    expect([(await call(first.value)).status, (await call(second)).status]).toEqual([401, 401]);
  });
});
