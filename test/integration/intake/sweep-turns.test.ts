// One sweep of a tenant at a time, however long it takes, and whoever is killed over it. In small times.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { handleSweep, type SweepTiming, type Workshop } from '../../../src/worker/handlers.js';
import { testDatabase } from '../../support/database.js';
import { intakeBed } from './intake-bed.js';
import { requestSweep, workshop } from './sweep-workshop.js';

const database = await testDatabase();
const { prisma } = database;
afterAll(() => database.close());

const TIMING: SweepTiming = { leaseMs: 1_500, everyMs: 200, maxMs: 60_000 };
const MARK_MS = 1_000;

/** A tenant whose lists do not come before `open` is called. */
async function slowTenant(name: string) {
  const bed = await intakeBed(database, name);
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  let reading = 0;
  const source: typeof bed.tenant.source = {
    ...bed.tenant.source,
    list: async (query, page) => {
      reading++;
      await gate;
      return bed.tenant.source.list(query, page);
    },
  };
  const shop = workshop(database, bed, { ...bed.tenant, source });
  const isReading = async () => {
    while (reading === 0) await sleep(10);
  };
  return { shop, isReading, open, lists: () => reading };
}

const wake = (shop: Workshop, id: string) => handleSweep(shop, { id, tenantName: null }, TIMING);
const isOpen = async (id: string) => (await prisma.outbox.count({ where: { id } })) === 1;

describe('a sweep that takes longer than the mark of its request and than its lease', () => {
  it('is not handed out again while it goes on', async () => {
    const { shop, open } = await slowTenant('slow');
    await requestSweep(database, 'slow');
    const runs: Promise<void>[] = [];
    const endsAt = Date.now() + 2 * TIMING.leaseMs;
    while (Date.now() < endsAt) {
      for (const { id } of await shop.dispatch.takeOutbox(20, MARK_MS)) runs.push(wake(shop, id));
      await sleep(MARK_MS / 10);
    }
    open();
    await Promise.all(runs);
    expect(runs).toHaveLength(1);
    expect(await prisma.outbox.count()).toBe(0);
  });

  it('is left alone by a second wake-up of its request, which stays open until it is done', async () => {
    const { shop, isReading, open, lists } = await slowTenant('woken-twice');
    const id = await requestSweep(database, 'woken-twice');
    const first = wake(shop, id);
    await isReading();
    await wake(shop, id);
    expect({ lists: lists(), open: await isOpen(id) }).toEqual({ lists: 1, open: true });
    open();
    await first;
    expect(await isOpen(id)).toBe(false);
  });

  it('answers another request for the same meanwhile', async () => {
    const { shop, isReading, open, lists } = await slowTenant('asked-twice');
    const first = wake(shop, await requestSweep(database, 'asked-twice'));
    await isReading();
    const second = await requestSweep(database, 'asked-twice');
    await wake(shop, second);
    expect({ lists: lists(), open: await isOpen(second) }).toEqual({ lists: 1, open: false });
    open();
    await first;
  });
});

it('a sweep whose process was killed is made by the next wake-up after its lease has run out', async () => {
  const { shop, open } = await slowTenant('killed');
  open();
  const id = await requestSweep(database, 'killed');
  const killed = { tenantName: 'killed', requestId: id, runId: randomUUID() };
  await shop.sweepTurns.take(killed, TIMING.leaseMs);
  await shop.sweepTurns.renew(killed, TIMING.leaseMs);
  await wake(shop, id);
  expect(await prisma.sweep.count({ where: { tenantName: 'killed' } }), 'nobody knows yet').toBe(0);
  expect(await shop.dispatch.takeOutbox(20, MARK_MS)).toEqual([]);
  await sleep(TIMING.leaseMs + 100);
  expect(await shop.dispatch.takeOutbox(20, MARK_MS)).toEqual([{ id, topic: 'sweep' }]);
  await wake(shop, id);
  expect(await prisma.sweep.count({ where: { tenantName: 'killed', outcome: 'complete' } })).toBe(2);
  expect(await isOpen(id)).toBe(false);
});
