// The real stores and the real pipeline between a simulated source and a simulated ledger, one step at a time, no queues.
import { readFileSync } from 'node:fs';
import { parse as parseYaml } from 'yaml';
import { tenantRules } from '../../src/pipeline/mapping/rules.js';
import { POST_TIMING, type PostingDeps } from '../../src/sync/work.js';
import type { TenantContext } from '../../src/sync/tenant-context.js';
import { NO_FAIL_POINTS } from '../../src/sync/fail-points.js';
import { createPostingStore } from '../../src/store/posting-store.js';
import { createIntakeStore } from '../../src/store/intake-store.js';
import { createBreakerStore } from '../../src/store/breaker-store.js';
import { SYSTEM_RUNTIME } from '../../src/worker/schedules.js';
import { SeededChance } from '../../lab/proof/chance.js';
import { Kernel } from '../../lab/proof/kernel.js';
import {
  type SimulatedDocument,
  SimulatedService,
  simulatedSource,
} from '../../lab/proof/simulated-source.js';
import { MemoryRecords } from '../../lab/proof/memory-records.js';
import { simulatedErp } from '../../lab/proof/simulated-erp.js';
import { SimulatedLedger, type ErpKind } from '../../lab/proof/simulated-ledger.js';
import type { TestDatabase } from './database.js';

const RULES = tenantRules.parse(
  parseYaml(readFileSync(new URL('../../config/rules/default.yaml', import.meta.url), 'utf8')),
);

export const CUT_OVER = '2026-01-01';

export async function pipelineBed(database: TestDatabase, name: string, erpKind: ErpKind = 'look-up') {
  const { prisma, db } = database;
  const at = new Date();
  await prisma.tenant.create({
    data: {
      name,
      environment: 'production',
      createdAt: at,
      planConfirmedAt: at,
      planConfirmedBy: 'test',
      sourceAccount: name,
    },
  });
  const kernel = new Kernel(new SeededChance(1));
  const service = new SimulatedService(kernel, {});
  service.faulty = false;
  const records = new MemoryRecords(kernel, {});
  const ledger = new SimulatedLedger(kernel, erpKind, records, {});
  ledger.faulty = false;
  const life = { step: () => Promise.resolve() };
  const tenant: TenantContext = {
    name,
    environment: 'production',
    sourceAccount: name,
    cutOver: CUT_OVER,
    rules: RULES,
    rulesVersion: 'v1',
    source: simulatedSource(service, life),
    erp: simulatedErp(ledger, records, life),
  };
  const stage: PostingDeps = {
    runtime: SYSTEM_RUNTIME,
    store: createPostingStore(database, 'worker'),
    breakers: createBreakerStore(db),
    failPoints: NO_FAIL_POINTS,
    timing: POST_TIMING,
  };
  const intake = {
    runtime: SYSTEM_RUNTIME,
    store: createIntakeStore(db, 'worker'),
    failPoints: NO_FAIL_POINTS,
  };
  const handOver = (guid: string, more: Partial<SimulatedDocument> = {}): SimulatedDocument => {
    const document: SimulatedDocument = {
      guid,
      kind: 'invoice',
      number: guid,
      costCode: '2093',
      amount: 1240,
      net: 1000,
      issueDate: new Date().toISOString().slice(0, 10),
      accountingStatus: 'Created',
      status: 'Sent',
      deleted: false,
      version: 1,
      amounts: [1240],
      ...more,
    };
    service.documents.set(guid, document);
    return document;
  };
  const row = async (guid: string) => {
    const found = await prisma.posting.findFirstOrThrow({
      where: { tenantName: name, document: { guid } },
      include: { document: true },
    });
    return found;
  };
  return { prisma, db, kernel, service, ledger, tenant, stage, intake, handOver, row };
}
