// An ERP or a service that asks for a pause by Retry-After gets it from every process of the bridge, whatever was under way.
import { once } from 'node:events';
import { createServer, request as forwarded } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { bridgeBed } from '../../support/bridge-bed.js';
import { brokenPromises, httpErp } from '../../support/http-erp.js';

const TIMING = { leaseMs: 5_000, sendByMs: 1_000, erpTimeoutMs: 2_000, networkDelayMaxMs: 500 };
const PAUSE_SECONDS = 4;
/** What had left before the answer could be heard: the other process looks every tenth of a second, on a machine that does more. */
const UNDER_WAY_MS = 1_000;

/** In front of the ledger; notes when each request came, and asks for a pause once, in the middle. */
async function strictGateway(upstream: string, pauseAfter: number) {
  const arrivals: number[] = [];
  let askedAt = 0;
  const server = createServer((incoming, outgoing) => {
    arrivals.push(performance.now());
    const isWrite = incoming.method === 'POST';
    if (askedAt === 0 && isWrite && arrivals.length > pauseAfter) {
      askedAt = performance.now();
      incoming.resume();
      outgoing.writeHead(429, { 'retry-after': String(PAUSE_SECONDS) }).end();
      return;
    }
    const { method, headers } = incoming;
    const onwards = forwarded(new URL(incoming.url ?? '/', upstream), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onwards.on('error', () => incoming.socket.destroy());
    incoming.pipe(onwards);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${String(port)}`, arrivals, askedAt: () => askedAt };
}

test('an ERP that asks for a pause hears from neither of two processes until it is over, and then gets the rest, once', async () => {
  const erp = await httpErp({ behaviour: { latencyMs: 30 } });
  const gateway = await strictGateway(erp.ledger.url, 20);
  const bed = await bridgeBed({
    accounts: [{ username: 'pause', invoices: 30, costs: 0, seed: 'pause' }],
    tenants: [{ name: 'pause', account: 'pause', erp: erp.erp({ baseUrl: gateway.url, deadlineMs: 2_000 }) }],
    env: erp.env,
    processes: true,
  });
  onTestFinished(async () => {
    await bed.close();
    await erp.ledger.close();
  });
  const children = [bed.child({ timing: TIMING }), bed.child({ timing: TIMING })];
  await Promise.all(children.map((child) => once(child, 'message')));
  await bed.database.prisma.tenant.updateMany({
    data: { planConfirmedAt: new Date(), planConfirmedBy: 'test' },
  });
  await expect.poll(() => gateway.askedAt(), { timeout: 60_000 }).toBeGreaterThan(0);
  await bed.settled(100_000);
  const since = gateway.arrivals.map((at) => at - gateway.askedAt());
  const early = since.filter((ms) => ms > UNDER_WAY_MS && ms < PAUSE_SECONDS * 1000 - 100);
  expect(early).toEqual([]);
  expect(since.filter((ms) => ms >= PAUSE_SECONDS * 1000).length, 'it went on').toBeGreaterThan(20);
  expect(await brokenPromises(bed, erp.ledger)).toEqual([]);
}, 180_000);

test('a service that asks for pauses is left alone by three processes, of which some are killed, and all is in the books once', async () => {
  const erp = await httpErp({ behaviour: { latencyMs: 10 } });
  const bed = await bridgeBed({
    accounts: [{ username: 'asks', invoices: 24, costs: 6, seed: 'asks' }],
    sandbox: {
      onItsWayMs: UNDER_WAY_MS,
      faults: [
        { kind: 'latency', delayMs: 30 },
        { kind: 'rate-limit', probability: 0.03, retryAfterSeconds: 2 },
        { kind: 'maintenance', probability: 0.01 },
      ],
    },
    tenants: [{ name: 'asks', account: 'asks', erp: erp.erp({ deadlineMs: 2_000 }) }],
    env: erp.env,
    processes: true,
  });
  onTestFinished(async () => {
    await bed.close();
    await erp.ledger.close();
  });
  const start = async () => {
    const child = bed.child({ timing: TIMING });
    await once(child, 'message');
    return child;
  };
  const children = await Promise.all([start(), start(), start()]);
  await bed.database.prisma.tenant.updateMany({
    data: { planConfirmedAt: new Date(), planConfirmedBy: 'test' },
  });
  for (const child of children.slice(0, 2)) {
    await sleep(2_500);
    child.kill('SIGKILL');
    children.push(await start());
  }
  await bed.settled(150_000);
  const asked = bed.sandbox.control.faults().find(({ kind }) => kind === 'rate-limit');
  expect(asked?.hits, 'it asked for pauses').toBeGreaterThan(2);
  expect(bed.sandbox.control.brokenRules().filter(({ rule }) => rule === 'retry-after')).toEqual([]);
  expect(await brokenPromises(bed, erp.ledger)).toEqual([]);
}, 240_000);
