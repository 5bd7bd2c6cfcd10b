// One tenant on real records, with the simulated service as its source: no network, no queue, every step by hand.
import { readFileSync } from 'node:fs';
import { parse as parseYaml } from 'yaml';
import type { InvoicingSource } from '../../../src/invoicing/invoicing-source.js';
import { NO_FAIL_POINTS } from '../../../src/pipeline/fail-points.js';
import { type IntakeStage, sweep } from '../../../src/pipeline/intake/sweep.js';
import { tenantRules } from '../../../src/pipeline/mapping/rules.js';
import { advancePosting } from '../../../src/pipeline/posting/advance-posting.js';
import { POST_TIMING, type PostingStage } from '../../../src/pipeline/posting/post-stage.js';
import type { SweepReport } from '../../../src/pipeline/records.js';
import type { TenantContext } from '../../../src/pipeline/tenant-context.js';
import { writeBack } from '../../../src/pipeline/writeback/write-back.js';
import { createBreakerStore } from '../../../src/store/breaker-store.js';
import { createIntakeStore } from '../../../src/store/intake-store.js';
import { createPostingStore } from '../../../src/store/posting-store.js';
import { SYSTEM_RUNTIME } from '../../../src/worker/system-runtime.js';
import { Kernel } from '../../simulation/world/kernel.js';
import { MemoryRecords } from '../../simulation/world/memory-store.js';
import { simulatedErp, SimulatedLedger } from '../../simulation/world/simulated-erp.js';
import {
  type SimulatedDocument,
  SimulatedService,
  simulatedSource,
} from '../../simulation/world/simulated-source.js';
import type { TestDatabase } from '../../support/database.js';

const RULES_FILE = new URL('../../../config/rules/default.yaml', import.meta.url);
const RULES = tenantRules.parse(parseYaml(readFileSync(RULES_FILE, 'utf8')));
export const CUT_OVER = '2026-01-01';

export interface IntakeBed {
  readonly tenant: TenantContext;
  readonly stage: PostingStage;
  readonly intake: IntakeStage;
  handOver(guid: string, more?: Partial<SimulatedDocument>): SimulatedDocument;
  /** `source`: what this sweep meets instead of the service as it is. */
  sweep(source?: Partial<InvoicingSource>): Promise<SweepReport>;
  post(guid: string, source?: Partial<InvoicingSource>): Promise<void>;
  writeBack(guid: string): Promise<void>;
  row(guid: string): ReturnType<typeof rowOf>;
}

export async function intakeBed(database: TestDatabase, name: string): Promise<IntakeBed> {
  const { prisma } = database;
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
  const { service, ...world } = calmWorld();
  const tenant: TenantContext = {
    ...world,
    name,
    environment: 'production',
    sourceAccount: name,
    cutOver: CUT_OVER,
    rules: RULES,
    rulesVersion: 'v1',
  };
  const common = { runtime: SYSTEM_RUNTIME, failPoints: NO_FAIL_POINTS };
  const stage: PostingStage = {
    ...common,
    store: createPostingStore(prisma, 'worker'),
    breakers: createBreakerStore(prisma),
    timing: POST_TIMING,
  };
  const intake: IntakeStage = { ...common, store: createIntakeStore(prisma, 'worker') };
  const meeting = (source: Partial<InvoicingSource>) => ({
    ...tenant,
    source: { ...tenant.source, ...source },
  });
  const row = (guid: string) => rowOf(database, name, guid);
  return {
    tenant,
    stage,
    intake,
    row,
    handOver: (guid, more) => handOver(service, guid, more),
    sweep: (source = {}) => sweep(intake, meeting(source), 'invoice', CUT_OVER),
    post: async (guid, source = {}) => {
      await advancePosting(stage, meeting(source), (await row(guid)).id, 'me');
    },
    writeBack: async (guid) => {
      await writeBack(stage, tenant, (await row(guid)).id, 'me');
    },
  };
}

function calmWorld() {
  const kernel = new Kernel(1);
  const service = new SimulatedService(kernel, {});
  const ledger = new SimulatedLedger(kernel, 'look-up', new MemoryRecords(kernel, {}), {});
  service.faulty = false;
  ledger.faulty = false;
  const life = { step: () => Promise.resolve() };
  return { service, source: simulatedSource(service, life), erp: simulatedErp(ledger, life) };
}

function handOver(service: SimulatedService, guid: string, more: Partial<SimulatedDocument> = {}) {
  const document: SimulatedDocument = {
    guid,
    kind: 'invoice',
    number: guid,
    amount: 1240,
    net: 1000,
    issueDate: new Date().toISOString().slice(0, 10),
    accountingStatus: 'Created',
    status: 'Sent',
    deleted: false,
    edited: false,
    ...more,
  };
  service.documents.set(guid, document);
  return document;
}

function rowOf({ prisma }: TestDatabase, tenantName: string, guid: string) {
  return prisma.posting.findFirstOrThrow({
    where: { tenantName, document: { guid } },
    include: { document: true },
  });
}
