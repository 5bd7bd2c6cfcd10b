// Operators on real records: the true stores, pipeline and operations around a simulated source and books that a test has in
// its hand. No process runs, so a test says when each step happens.
import { readFileSync } from 'node:fs';
import { parse as parseYaml } from 'yaml';
import { journalFromJson, journalToJson } from '../../../src/domain/journal-json.js';
import type { ErpAdapter, ErpCapabilities, ErpEntry, FindOutcome } from '../../../src/erp/erp-adapter.js';
import { createOperations, type Operations } from '../../../src/operations/operations.js';
import { NO_FAIL_POINTS } from '../../../src/pipeline/fail-points.js';
import { sweep } from '../../../src/pipeline/intake/sweep.js';
import { tenantRules } from '../../../src/pipeline/mapping/rules.js';
import { advancePosting } from '../../../src/pipeline/posting/advance-posting.js';
import { examineDocument } from '../../../src/pipeline/posting/examine-document.js';
import { POST_TIMING, type PostingStage, PostingWork } from '../../../src/pipeline/posting/post-stage.js';
import type { TenantContext } from '../../../src/pipeline/tenant-context.js';
import { writeBack } from '../../../src/pipeline/writeback/write-back.js';
import { createBreakerStore } from '../../../src/store/breaker-store.js';
import { createIntakeStore } from '../../../src/store/intake-store.js';
import { createOperationRecords } from '../../../src/store/operations/act-records.js';
import { createPostingStore } from '../../../src/store/posting-store.js';
import { SYSTEM_RUNTIME } from '../../../src/worker/system-runtime.js';
import { Kernel } from '../../simulation/world/kernel.js';
import { MemoryRecords } from '../../simulation/world/memory-store.js';
import { simulatedErp, SimulatedLedger } from '../../simulation/world/simulated-erp.js';
import { SimulatedService, simulatedSource } from '../../simulation/world/simulated-source.js';
import type { TestDatabase } from '../../support/database.js';

export const ACT = { actor: 'Guðrún', reason: 'a test of what operators do' };
const RULES_FILE = new URL('../../../config/rules/default.yaml', import.meta.url);
const RULES = tenantRules.parse(parseYaml(readFileSync(RULES_FILE, 'utf8')));
const AT_ONCE = { step: () => Promise.resolve() };

/** Books whose answers can be lost, and which can hide what they have. */
export class Books {
  readonly entries: ErpEntry[] = [];
  /** Ids of the entries that were reversed, as often as they were. */
  readonly reversed: string[] = [];
  visible = true;
  losesAnswer = (_key: string): boolean => false;
  refusal: (id: string) => Awaited<ReturnType<ErpAdapter['reverse']>> | null = () => null;

  /** Of settlements, that nobody has reversed. */
  liveSettlements(): string[] {
    const ids = this.entries.filter(({ key }) => key.startsWith('S')).map(({ reference }) => reference.id);
    return ids.filter((id) => !this.reversed.includes(id));
  }

  find(fits: (entry: ErpEntry) => boolean): FindOutcome {
    const entries = this.visible ? this.entries.filter(fits) : [];
    if (entries.length > 1) return { outcome: 'many', entries };
    return entries[0] ? { outcome: 'one', entry: entries[0] } : { outcome: 'none' };
  }
}

function adapterOf(books: Books, base: ErpAdapter, capabilities: Partial<ErpCapabilities>): ErpAdapter {
  return {
    ...base,
    capabilities: { ...base.capabilities, reverse: true, ...capabilities },
    prepare: ({ key, journal }) =>
      Promise.resolve({ outcome: 'prepared', prepared: { key, request: journalToJson(journal) } }),
    post: ({ key, request }) => {
      const reference = { id: `e${books.entries.length + 1}` };
      const { postingDate, lines } = journalFromJson(request);
      books.entries.push({ reference, key, state: 'posted', postingDate, lines });
      return Promise.resolve(
        books.losesAnswer(key)
          ? { outcome: 'unknown', message: 'the answer was lost' }
          : { outcome: 'posted', reference },
      );
    },
    findByKey: (key) => Promise.resolve(books.find((entry) => entry.key === key)),
    findByReference: (id) => Promise.resolve(books.find((entry) => entry.reference.id === id)),
    reverse: ({ original: { reference } }) => {
      const refusal = books.refusal(reference.id);
      if (refusal) return Promise.resolve(refusal);
      books.reversed.push(reference.id);
      return Promise.resolve({ outcome: 'posted', reference: { id: `r${books.reversed.length}` } });
    },
  };
}

/** A tenant of its own in the database. */
export async function operatorBed(
  database: TestDatabase,
  name: string,
  capabilities: Partial<ErpCapabilities> = {},
) {
  const { prisma } = database;
  const at = new Date();
  const planConfirmed = { planConfirmedAt: at, planConfirmedBy: 'test' };
  const account = { environment: 'production', sourceAccount: name } as const;
  await prisma.tenant.create({ data: { name, createdAt: at, ...account, ...planConfirmed } });
  const kernel = new Kernel(1);
  const service = new SimulatedService(kernel, {});
  service.faulty = false;
  const ledger = new SimulatedLedger(kernel, 'look-up', new MemoryRecords(kernel, {}), {});
  const books = new Books();
  const tenant: TenantContext = {
    name,
    ...account,
    cutOver: '2026-01-01',
    rules: RULES,
    rulesVersion: 'v1',
    source: simulatedSource(service, AT_ONCE),
    erp: adapterOf(books, simulatedErp(ledger, AT_ONCE), capabilities),
  };
  const stage: PostingStage = {
    runtime: SYSTEM_RUNTIME,
    store: createPostingStore(prisma, 'worker'),
    breakers: createBreakerStore(prisma),
    failPoints: NO_FAIL_POINTS,
    timing: POST_TIMING,
  };
  const intake = {
    runtime: SYSTEM_RUNTIME,
    store: createIntakeStore(prisma, 'worker'),
    failPoints: NO_FAIL_POINTS,
  };
  const sweepNow = () => sweep(intake, tenant, 'invoice', '2026-01-01');
  const row = (id: string) => prisma.posting.findUniqueOrThrow({ where: { id } });

  return {
    prisma,
    service,
    books,
    tenant,
    stage,
    row,
    sweep: sweepNow,
    operations: operationsOn(database, tenant),
    /** An invoice at the source, found by a sweep. */
    invoice: async (guid: string): Promise<string> => {
      const facts = { number: guid, amount: 1240, net: 1000, issueDate: '2026-11-15', status: 'Sent' };
      const untouched = { accountingStatus: 'Created', deleted: false, edited: false };
      service.documents.set(guid, { guid, kind: 'invoice', ...facts, ...untouched });
      await sweepNow();
      const where = { tenantName: name, document: { guid } };
      return (await prisma.posting.findFirstOrThrow({ where })).id;
    },
    /** Mapped with a settlement, as a paid invoice is. */
    mapAsPaid: async (id: string): Promise<void> => {
      const claim = await stage.store.claim(id, 'worker', POST_TIMING.leaseMs);
      if (!claim) throw new Error(`nobody has ${id}, yet it cannot be claimed`);
      const work = new PostingWork(stage, tenant, claim);
      await examineDocument(work);
      await work.rest({ action: 'given-back', dueInMs: 0 });
      await prisma.$executeRaw`UPDATE posting SET settlement = journal WHERE id = ${id}::uuid`;
    },
    /** As when its wait is over. */
    advance: async (id: string) => {
      await prisma.$executeRaw`UPDATE posting SET due_at = least(due_at, now()) WHERE id = ${id}::uuid`;
      return advancePosting(stage, tenant, id, 'worker');
    },
    writeBack: (id: string) => writeBack(stage, tenant, id, 'worker'),
    /** Whatever was sent has arrived by now, or never will. */
    tenMinutesPass: () => prisma.$executeRaw`
      UPDATE attempt SET started_at = started_at - interval '10 minutes', last_sent_at = last_sent_at - interval '10 minutes'`,
  };
}

export type OperatorBed = Awaited<ReturnType<typeof operatorBed>>;

function operationsOn({ prisma }: TestDatabase, tenant: TenantContext): Operations {
  return createOperations({
    records: createOperationRecords(prisma),
    postings: (actor) => createPostingStore(prisma, actor),
    reconcile: () => Promise.reject(new Error('nobody reconciles here')),
    owner: 'test',
    connections: { names: () => [tenant.name], tenant: () => null, get: () => Promise.resolve(tenant) },
    clock: SYSTEM_RUNTIME.clock,
    poke: () => undefined,
  });
}
