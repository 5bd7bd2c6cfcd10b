// What the audit says of those who did not get in.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/domain/secret.js';
import { codeAt, stepAt } from '../../../src/operations/users/second-factor.js';
import { failedSignIn } from '../../../src/operations/exports.js';
import { closeTallies, createActTally } from '../../../src/store/act-tally.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { dashboardBed, type OwnDashboard, PASSWORD } from '../../support/dashboard-bed.js';

const HOUR_MS = 3_600_000;
const WRONG = 'not the password';

let bed: Bed;
let dash: OwnDashboard;
let now = new Date();

beforeAll(async () => {
  bed = await bridgeBed({ accounts: [], tenants: [] });
  dash = await dashboardBed(bed.bridge, {
    now: () => now,
    key: new Secret(randomBytes(32).toString('base64')),
  });
});
afterAll(async () => {
  await dash.close();
  await bed.close();
});
// Each test has an hour of its own, an address of its own and people of its own.
let hours = 0;
beforeEach(async () => {
  await closeTallies(bed.database.db, new Date(now.getTime() + 3 * HOUR_MS));
  hours += 1;
  now = new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + hours * 4 * HOUR_MS);
});

function knock(payload: Record<string, string>, remoteAddress = `10.1.${String(hours)}.1`, url = '/login') {
  const headers = { origin: dash.url, host: new URL(dash.url).host };
  return dash.app.inject({ method: 'POST', url, remoteAddress, headers, payload });
}

async function newUser(name: string) {
  const login = `${name}-${randomUUID().slice(0, 8)}`;
  await dash.addUser(login, 'viewer');
  return login;
}

async function failed(subject: string) {
  const { items } = await bed.bridge.operations.audit({ subject, limit: 200 });
  return items.filter(({ action }) => action === 'sign-in.failed').map(({ details }) => details);
}

describe('the audit of failed sign-ins', () => {
  it('tells the first at once and how many there were when the hour is over', async () => {
    const login = await newUser('wrong');
    for (let tries = 0; tries < 4; tries++) await knock({ login, password: WRONG }, '2001:db8:1:2::7');
    const first = { how: 'password', address: '2001:db8:1:2::/64' };
    expect(await failed(login)).toEqual([first]);
    await closeTallies(bed.database.db, new Date(now.getTime() + HOUR_MS + 9 * 60_000));
    expect(await failed(login)).toEqual([first]);
    await closeTallies(bed.database.db, new Date(now.getTime() + HOUR_MS + 10 * 60_000));
    expect(await failed(login)).toEqual([
      { ...first, count: 4, from: now.toISOString(), to: now.toISOString() },
      first,
    ]);
    await closeTallies(bed.database.db, new Date(now.getTime() + 2 * HOUR_MS));
    expect(await failed(login)).toHaveLength(2);
  });

  it('never has a name that nobody has: somebody may have typed a password there', async () => {
    const typed = `Leyniord ${randomUUID()}`;
    const before = (await failed('(unknown)')).length;
    await knock({ login: typed, password: WRONG });
    expect(await failed('(unknown)')).toHaveLength(before + 1);
    const rows = await bed.database.prisma.$queryRaw<{ text: string }[]>`
      SELECT e::text AS text FROM audit_entry e UNION ALL SELECT t::text FROM act_tally t`;
    expect(rows.filter(({ text }) => text.toLowerCase().includes(typed.slice(9)))).toEqual([]);
  });

  it('grows by a few entries when hundreds of names are tried from hundreds of networks', async () => {
    const before = (await failed('(unknown)')).length;
    const tally = createActTally(bed.database.db);
    for (let tries = 0; tries < 30; tries++)
      await Promise.all(
        Array.from({ length: 10 }, (_, one) => {
          const address = `10.${String(100 + tries)}.${String(one)}.1`;
          return tally.count(failedSignIn({ how: 'password', login: null, address, at: now }));
        }),
      );
    const told = (await failed('(unknown)')).length - before;
    expect(told).toBeGreaterThan(40);
    expect(told).toBeLessThan(65);
    await closeTallies(bed.database.db, new Date(now.getTime() + 2 * HOUR_MS));
    const all = (await failed('(unknown)')).slice(0, -before || undefined);
    const counted = all.filter(({ count }) => typeof count === 'number').map(({ count }) => Number(count));
    const various = Math.max(...counted);
    expect(various).toBeGreaterThan(200);
    // Each of the others was told when it happened: nothing is missing.
    const alone = all.filter(({ count, various: many }) => count === undefined && many === undefined).length;
    expect(various + alone).toBe(300);
  });

  it('has a wrong second factor, and a password that is asked for again', async () => {
    const login = await newUser('kodi');
    const { secret } = await dash.users.secondFactor.begin(login);
    await dash.users.secondFactor.confirm(login, codeAt(secret, stepAt(now)), 'none');
    const page = await knock({ login, password: PASSWORD });
    const ticket = /name="ticket" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    expect((await knock({ ticket, code: '000000' }, undefined, '/login/code')).statusCode).toBe(401);
    expect(await failed(login)).toEqual([{ how: 'code', address: `10.1.${String(hours)}.1` }]);
    expect(await dash.users.isPassword(login, new Secret(WRONG), '10.2.2.2')).toBe(false);
    expect(await failed(login)).toContainEqual({ how: 'password', address: '10.2.2.2' });
    expect(await dash.users.isPassword(login, new Secret(PASSWORD), '10.2.2.2')).toBe(true);
    expect(await failed(login)).toHaveLength(2);
  });

  it('has tokens that are refused: by their id where it is known, and never by their value', async () => {
    const { operations } = bed.bridge;
    const act = { actor: 'test', reason: 'to be revoked' };
    const made = await operations.createToken({ name: 'gamli', role: 'viewer' }, act);
    await operations.revokeToken(made.token.id, act);
    const ask = (authorization?: string) =>
      fetch(`${bed.bridge.http!.url}/api/v1/overview`, {
        headers: authorization === undefined ? {} : { authorization },
      });
    const unknown = (await failed('(unknown)')).length;
    expect((await ask(`Bearer ${made.value}`)).status).toBe(401);
    expect(await failed(made.token.id)).toEqual([{ how: 'token', token: 'gamli', address: '127.0.0.1' }]);
    // Nobody tried anything here.
    expect((await ask()).status).toBe(401);
    expect(await failed('(unknown)')).toHaveLength(unknown);
    const guess = `lbt_${randomBytes(32).toString('base64url')}`;
    expect((await ask(`Bearer ${guess}`)).status).toBe(401);
    expect(await failed('(unknown)')).toHaveLength(unknown + 1);
    const rows = await bed.database.prisma.$queryRaw<{ text: string }[]>`
      SELECT e::text AS text FROM audit_entry e UNION ALL SELECT t::text FROM act_tally t`;
    for (const secret of [guess, made.value])
      expect(rows.filter(({ text }) => text.includes(secret.slice(4)))).toEqual([]);
  });
});
