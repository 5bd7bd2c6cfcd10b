// Credentials that open the account of another company: nothing of it comes into these books, somebody is told at once, the other
// tenants go on, and the tenant goes on when its credentials are put right.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';

const ACCOUNTS = ['hraun', 'stranger', 'neighbour'];
/** What says whose account it is. */
const WHO = 'hello';

describe('credentials of another company', () => {
  let bed: Bed;

  beforeAll(async () => {
    bed = await bridgeBed({
      accounts: ACCOUNTS.map((username) => {
        const seed = `account of ${username}`;
        return { username, invoices: 4, costs: 2, seed, difficulty: 'tidy' };
      }),
      tenants: [spec('hraun', 'hraun'), spec('neighbour', 'neighbour')],
    });
    await bed.settled();
  });
  afterAll(() => bed.close());

  const spec = (name: string, account: string) => ({ name, account, erp: { adapter: 'file' } });
  const until = async (what: string, holds: () => Promise<boolean> | boolean) => {
    for (let look = 0; look < 300; look++) {
      if (await holds()) return;
      await sleep(100);
    }
    throw new Error(`never: ${what}`);
  };
  const { stringify } = JSON;
  const incident = () =>
    bed.database.prisma.incident.findFirst({ where: { code: 'SOURCE_ACCOUNT_CHANGED' } });
  const registrationNo = (username: string) =>
    bed.sandbox.accounts.find((account) => account.username === username)!.registrationNo;
  const calls = (account: string) => bed.sandbox.control.journal({ account }).map(({ endpoint }) => endpoint);
  const documents = async (tenantName: string) =>
    (await bed.database.prisma.document.findMany({ where: { tenantName } })).map(({ guid }) => guid).sort();
  const issued = (username: string) =>
    (['invoice', 'cost'] as const)
      .flatMap((kind) => bed.sandbox.control.documents(username, { kind }))
      .map(({ guid }) => guid);
  const sweep = async (tenantName: string) => {
    await bed.bridge.tenants.requestSweep(tenantName);
    const waiting = () => bed.database.prisma.outbox.count({ where: { topic: 'sweep', tenantName } });
    await until(`the sweep of ${tenantName}`, async () => (await waiting()) === 0);
  };
  const useAccount = async (account: string) => {
    await bed.writeTenant(spec('hraun', account));
    await until('the file is taken over', () =>
      stringify(bed.bridge.connections.tenant('hraun')?.source.auth ?? {}).includes(`"${account}"`),
    );
  };

  test('stop their tenant before anything is listed or written, with a critical incident', async () => {
    const before = await documents('hraun');
    const states = await bed.states('hraun');
    await useAccount('stranger');
    await sweep('hraun');
    await until('the incident', async () => (await incident())?.state === 'open');
    expect(await incident()).toMatchObject({ severity: 'critical', tenantName: 'hraun' });
    expect((await incident())?.details).toContain(registrationNo('stranger'));
    expect((await incident())?.details).toContain(registrationNo('hraun'));
    expect(calls('stranger').filter((endpoint) => endpoint !== WHO)).toEqual([]);
    expect(await documents('hraun')).toEqual(before);
    expect(await bed.states('hraun')).toEqual(states);
    const breaker = await bed.database.prisma.breaker.findFirst({ where: { tenantName: 'hraun' } });
    expect(breaker).toMatchObject({ side: 'source', state: 'refused' });
  });

  test('stop no other tenant', async () => {
    bed.sandbox.control.issueInvoice('neighbour', { unitPrice: '4400' });
    await sweep('neighbour');
    await bed.settled();
    expect(await documents('neighbour')).toEqual(issued('neighbour').sort());
  });

  test('stop it over a restart', async () => {
    await bed.restart();
    await bed.bridge.tenants.requestSweep('hraun');
    await until('it is asked again', () => calls('stranger').length >= 2);
    await sleep(500);
    expect(calls('stranger').filter((endpoint) => endpoint !== WHO)).toEqual([]);
    expect((await incident())?.state).toBe('open');
  });

  test('list nothing while the service cannot say whose account it is', async () => {
    await bed.bridge.close();
    const about = { account: 'stranger', endpoint: WHO };
    const { id } = bed.sandbox.control.addFault({ kind: 'reset-before', ...about });
    await bed.restart();
    const before = calls('stranger').length;
    await bed.bridge.tenants.requestSweep('hraun');
    await until('it is asked', () => calls('stranger').length > before);
    await sleep(500);
    bed.sandbox.control.removeFault(id);
    expect(calls('stranger').filter((endpoint) => endpoint !== WHO)).toEqual([]);
    expect(await documents('hraun')).toEqual(issued('hraun').sort());
  });

  test('put right let it go on by itself, and the incident ends', async () => {
    await useAccount('hraun');
    const hellos = () => calls('hraun').filter((endpoint) => endpoint === WHO).length;
    const before = hellos();
    // A sweep that began with the other credentials may still be on its way, and ends those that were asked for meanwhile.
    await until('the incident ends', async () => {
      await sweep('hraun');
      return (await incident())?.state === 'resolved';
    });
    await bed.settled();
    expect(await documents('hraun')).toEqual(issued('hraun').sort());
    // Asked once for each connection, however many calls it then makes.
    expect(hellos() - before).toBeLessThanOrEqual(1);
  });
});
