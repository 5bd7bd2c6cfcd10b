// People edit tenant files while documents are on their way: nothing of it is an outage.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLog } from '../../../src/telemetry/log.js';
import { bridgeBed } from '../../support/bridge-bed.js';
import { brokenPromises, httpErp } from '../../support/http-erp.js';

const INTERRUPTED = ['source-outage', 'erp-transient', 'outcome-unknown', 'failed'];

test('edits of a tenant file while its documents are on their way interrupt no call and open no breaker', async () => {
  const erp = await httpErp();
  const spec = { name: 'hraun', account: 'hraun', erp: erp.erp() };
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const bed = await bridgeBed({
    accounts: [{ username: 'hraun', invoices: 40, costs: 0, seed: 'reloads', difficulty: 'tidy' }],
    tenants: [spec],
    env: erp.env,
    bridge: { log: createLog({ level: 'info', format: 'json', isTty: false, destination }) },
  });
  // Slow enough that calls are under way whenever a file changes.
  bed.sandbox.control.addFault({ kind: 'latency', delayMs: 200 });
  try {
    for (let edit = 1; edit <= 15; edit++) {
      await bed.writeTenant({ ...spec, more: { title: `Edited ${String(edit)} times` } });
      await sleep(350);
    }
    await bed.bridge.tenants.requestSweep('hraun');
    await bed.settled(90_000);
    expect(lines.filter((line) => line.includes('tenant files changed')).length).toBeGreaterThan(5);
    expect(lines.filter((line) => line.includes('work failed'))).toEqual([]);
    const interrupted = await bed.database.prisma.auditEntry.count({
      where: { action: { in: INTERRUPTED.map((action) => `posting.${action}`) } },
    });
    expect(interrupted).toBe(0);
    const breakers = await bed.database.prisma.breaker.findMany({ where: { failures: { gt: 0 } } });
    expect(breakers).toEqual([]);
    expect(await brokenPromises(bed, erp.ledger)).toEqual([]);
  } finally {
    await bed.close();
    await erp.ledger.close();
  }
}, 120_000);
