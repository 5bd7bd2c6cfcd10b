// Records over HTTP through a whole bridge in processes of its own: one is killed the moment it has acknowledged them. What was
// acknowledged stands at the service once, and whoever sent it learns its number.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';
import { type HttpErp, httpErp } from '../../support/http-erp.js';
import { send } from '../../support/intake.js';
import { invoice } from '../../support/outbound-bed.js';

const SECRET = 'a secret that both sides have, and nobody else';
const TIMING = { leaseMs: 5_000, sendByMs: 1_000, erpTimeoutMs: 2_000, networkDelayMaxMs: 500 };
const outgoing = (everyMs: number) => ({
  outgoingTiming: { leaseMs: 1_500, sendByMs: 500, callMs: 1_000, lagMs: 0 },
  outgoingPace: { everyMs, leadMs: 300 },
});
const KEYS = ['a', 'b', 'c'];

let bed: Bed;
let erp: HttpErp;
beforeAll(async () => {
  erp = await httpErp();
  const origins = [{ name: 'shop', type: 'http', secrets: ['env:SHOP_SECRET'] }];
  bed = await bridgeBed({
    accounts: [{ username: 'hraun', invoices: 0, costs: 0 }],
    tenants: [{ name: 'hraun', account: 'hraun', erp: erp.erp(), more: { outgoing: { origins } } }],
    env: { ...erp.env, SHOP_SECRET: SECRET },
    processes: true,
  });
});
afterAll(async () => {
  await bed.close();
  await erp.ledger.close();
});

async function start(everyMs: number) {
  const child = bed.child({ timing: TIMING, outgoing: outgoing(everyMs) });
  const [message] = (await once(child, 'message')) as [{ url: string }];
  const url = `${message.url}/intake/v1/hraun/shop`;
  return {
    child,
    exit: once(child, 'exit'),
    post: (key: string) => send({ url, secret: SECRET, key, body: JSON.stringify(invoice(`SO-${key}`)) }),
    ask: (key: string) => send({ url: `${url}/${key}`, secret: SECRET, key, method: 'GET' }),
  };
}

test('what was acknowledged by a process that was killed then is carried once by the next, and its number is told', async () => {
  const first = await start(60_000);
  for (const key of KEYS) expect((await first.post(key)).status).toBe(202);
  first.child.kill('SIGKILL');
  await first.exit;
  const { prisma } = bed.database;
  expect(await prisma.originInbox.count()).toBe(KEYS.length);
  await prisma.outgoingTenant.create({
    data: { tenantName: 'hraun', confirmedAt: new Date(), confirmedBy: 'test' },
  });
  const second = await start(50);
  // Nobody was told that the first one had died: some send again.
  for (const key of KEYS) expect((await second.post(key)).answer).toMatchObject({ reference: `SO-${key}` });
  const deadline = Date.now() + 20_000;
  const done = async () =>
    (await Promise.all(KEYS.map((key) => second.ask(key)))).every(
      ({ answer }) => answer['state'] === 'acknowledged',
    );
  while (!(await done()) && Date.now() < deadline) await sleep(200);
  for (const key of KEYS)
    expect((await second.ask(key)).answer).toMatchObject({
      ...{ state: 'acknowledged', why: null, reference: `SO-${key}` },
      ...{
        guid: expect.any(String) as string,
        number: expect.any(String) as string,
        mark: expect.stringMatching(/^O/) as string,
      },
    });
  expect(bed.sandbox.control.journal({ endpoint: 'create-invoice', account: 'hraun' })).toHaveLength(
    KEYS.length,
  );
  second.child.kill('SIGTERM');
  await second.exit;
}, 60_000);
