// What the file of a tenant allows, and the pauses that the service asks for, hold for its account: over all clients of all processes.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tenantConnector } from '../../../src/bridge/connect-tenant.js';
import type { InvoicingSource } from '../../../src/service/invoicing-source.js';
import type { OpenTarget } from '../../../src/service/invoicing-target.js';
import type { ServiceReports } from '../../../src/service/service-reports.js';
import { createLog } from '../../../src/telemetry/log.js';
import { loadTenants } from '../../../src/tenants/load-tenants.js';
import { type Bed, bridgeBed } from '../../support/bridge-bed.js';

const ANSWER_MS = 60;
/** A call that comes this soon after the answer may have left before it was read. */
const ON_ITS_WAY_MS = 500;
const created = { kind: 'invoice', accountingStatus: 'Created' } as const;

interface Clients {
  readonly source: InvoicingSource;
  readonly target: OpenTarget;
  readonly reports: ServiceReports;
}

interface Call {
  readonly from: number;
  readonly to: number;
}

describe('the account of one tenant', () => {
  let bed: Bed;
  let opened: Clients[];

  beforeEach(() => (opened = []));
  afterEach(async () => {
    for (const { source, target, reports } of opened)
      await Promise.all([source.close(), target.close(), reports.close()]);
    await bed.close();
  });

  async function start(limits: { requestsPerSecond: number; concurrency: number }): Promise<void> {
    bed = await bridgeBed({
      accounts: [{ username: 'hraun', invoices: 4, costs: 0, seed: 'hraun' }],
      sandbox: { onItsWayMs: ON_ITS_WAY_MS, faults: [{ kind: 'latency', delayMs: ANSWER_MS }] },
      tenants: [
        {
          name: 'hraun',
          account: 'hraun',
          erp: { adapter: 'file', settings: {} },
          more: { limits: { source: limits } },
        },
      ],
      processes: true,
    });
    const { prisma } = bed.database;
    await prisma.tenant.create({ data: { name: 'hraun', environment: 'production', createdAt: new Date() } });
  }

  /** All that one process opens of it. */
  async function aProcess(): Promise<Clients> {
    const { tenants } = await loadTenants(bed.settings.tenantsDirectory, bed.env);
    const log = createLog({ level: 'fatal', format: 'json', isTty: false });
    const connector = tenantConnector({ ...bed, version: 'test', log });
    const [tenant] = tenants;
    if (!tenant) throw new Error('the tenant of the test is missing');
    const clients = {
      source: connector.source(tenant),
      target: connector.target(tenant),
      reports: connector.reports(tenant, () => undefined),
    };
    opened.push(clients);
    return clients;
  }

  async function open(number: number): Promise<Clients[]> {
    const processes: Clients[] = [];
    while (processes.length < number) processes.push(await aProcess());
    return processes;
  }

  /** Every client of these processes asks so often, all at once. */
  const ask = (processes: readonly Clients[], times: number) =>
    Promise.allSettled(
      processes.flatMap(({ source, target, reports }) =>
        Array.from({ length: times }, () => [
          source.count(created),
          target.findCustomers('4910080160'),
          reports.summary('2026-01-01', '2026-01-31'),
        ]).flat(),
      ),
    );

  /** When each call came and went, by the service's own clock. */
  const calls = () =>
    bed.sandbox.control
      .journal({ account: 'hraun', limit: 10_000 })
      .map(({ at, milliseconds }) => ({ from: Date.parse(at) - milliseconds, to: Date.parse(at) }))
      .sort((a, b) => a.from - b.from);
  const atOnceMax = (all: readonly Call[]) =>
    Math.max(
      ...all.map((call) => all.filter(({ from, to }) => from <= call.from && to > call.from + 1).length),
    );
  const inASecondMax = () => {
    const all = calls();
    return Math.max(
      ...all.map((call) => all.filter(({ from }) => from >= call.from && from < call.from + 1000).length),
    );
  };
  const tooEarly = () => bed.sandbox.control.brokenRules().filter(({ rule }) => rule === 'retry-after');

  test.each([1, 3])(
    'is asked no more at once than the file says, by postings, other direction and reports of %i processes together',
    async (number) => {
      await start({ requestsPerSecond: 1_000, concurrency: 2 });
      const processes = await open(number);
      await ask(processes, 6);
      await ask(processes, 6);
      expect(calls().length).toBeGreaterThan(36 * number);
      expect(atOnceMax(calls())).toBe(2);
    },
  );

  test.each([1, 3])('is asked no more in any second than the file says, by %i processes', async (number) => {
    await start({ requestsPerSecond: 12, concurrency: 4 });
    const processes = await open(number);
    await ask(processes, 4);
    await sleep(1_000);
    await ask(processes, 4);
    expect(calls().length).toBeGreaterThan(24 * number);
    // They left at the rate; on a machine that does much else they do not arrive as evenly.
    expect(inASecondMax()).toBeLessThanOrEqual(16);
  });

  test('is for one process alone when the others have nothing more to ask', async () => {
    await start({ requestsPerSecond: 1_000, concurrency: 4 });
    const [first, ...others] = await open(3);
    await ask(others, 2);
    await sleep(1_000);
    const before = calls().length;
    if (first) await ask([first], 12);
    expect(atOnceMax(calls().slice(before))).toBe(4);
  });

  test.each([1, 2])(
    'gets the pause that it asked one client for from all clients of %i processes',
    async (number) => {
      await start({ requestsPerSecond: 1_000, concurrency: 8 });
      const processes = await open(number);
      await ask(processes, 1);
      bed.sandbox.control.addFault({ kind: 'rate-limit', retryAfterSeconds: 2, times: 1 });
      const until = Date.now() + 3_500;
      while (Date.now() < until) {
        await ask(processes, 1);
        await sleep(50);
      }
      expect(tooEarly()).toEqual([]);
      const last = calls().at(-1);
      expect(last?.to, 'it is asked again when the pause is over').toBeGreaterThan(until - 1_000);
    },
  );
});
