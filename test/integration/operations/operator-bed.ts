// Operators on real records: the true stores, pipeline and operations around a simulated source and books that a test has in
// its hand. No process runs, so a test says when each step happens.
import { NOTHING_GOES_OUT } from '../../../src/operations/outgoing/deps.js';
import { NOBODY_CLOSES } from '../../../src/operations/closing/closing.js';
import type { Clock } from '../../../src/domain/runtime.js';
import { journalFromJson, journalToJson } from '../../../src/domain/journal-json.js';
import type { ErpAdapter, ErpCapabilities, ErpEntry, FindOutcome } from '../../../src/erp/erp-adapter.js';
import { createOperations, type Operations } from '../../../src/operations/operations.js';
import { sweep } from '../../../src/sync/intake.js';
import { advancePosting } from '../../../src/sync/advance.js';
import { examineDocument } from '../../../src/sync/examine.js';
import { POST_TIMING, PostingWork } from '../../../src/sync/work.js';
import type { TenantContext } from '../../../src/sync/tenant-context.js';
import { createOperationRecords } from '../../../src/store/operations/act-records.js';
import { createPostingStore } from '../../../src/store/posting-store.js';
import { SYSTEM_RUNTIME } from '../../../src/worker/schedules.js';
import type { TestDatabase } from '../../support/database.js';
import { CUT_OVER, pipelineBed } from '../../support/pipeline-bed.js';

export const ACT = { actor: 'Guðrún', reason: 'a test of what operators do' };

/** Books whose answers can be lost, and which can hide what they have. */
export class Books {
  readonly entries: ErpEntry[] = [];
  /** Ids of the entries that were reversed, as often as they were. */
  readonly reversed: string[] = [];
  visible = true;
  /** Why a reversal is booked, and yet not set against what it undoes. */
  unmatched: string | null = null;
  losesAnswer = (_key: string): boolean => false;
  declines = (_key: string): boolean => false;
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
      if (books.declines(key))
        return Promise.resolve({ outcome: 'rejected', code: 'unknown-account', message: 'no such account' });
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
      const reversal = { id: `r${books.reversed.length}` };
      const unmatched = books.unmatched === null ? {} : { unmatched: { message: books.unmatched } };
      return Promise.resolve({ outcome: 'posted', reference: reversal, ...unmatched });
    },
  };
}

/** A tenant of its own in the database. */
export async function operatorBed(
  database: TestDatabase,
  name: string,
  capabilities: Partial<ErpCapabilities> = {},
  more: Partial<TenantContext> = {},
) {
  const { prisma } = database;
  const bed = await pipelineBed(database, name);
  const { service, stage, intake } = bed;
  const books = new Books();
  const erp = adapterOf(books, bed.tenant.erp, capabilities);
  const tenant: TenantContext = { ...bed.tenant, erp, ...more };
  const clock = { ...SYSTEM_RUNTIME.clock };
  const sweepNow = () => sweep(intake, tenant, 'invoice', CUT_OVER);
  const row = (id: string) => prisma.posting.findUniqueOrThrow({ where: { id } });

  return {
    prisma,
    service,
    books,
    tenant,
    stage,
    row,
    sweep: sweepNow,
    /** Of the operators' process. */
    clock,
    operations: operationsOn(database, tenant, clock),
    /** An invoice at the source, found by a sweep. */
    invoice: async (guid: string): Promise<string> => {
      bed.handOver(guid, { issueDate: '2026-11-15' });
      await sweepNow();
      const where = { tenantName: name, document: { guid } };
      return (await prisma.posting.findFirstOrThrow({ where })).id;
    },
    /** Mapped with a settlement, as a paid invoice is. */
    mapAsPaid: async (id: string): Promise<void> => {
      const claim = await stage.store.claim(id, 'worker', POST_TIMING.leaseMs);
      if (!claim) throw new Error(`nobody has ${id}, yet it cannot be claimed`);
      const work = new PostingWork(stage, tenant, claim, Date.now());
      await examineDocument(work);
      await work.commitAndRelease({ action: 'given-back', dueInMs: 0 });
      await prisma.$executeRaw`UPDATE posting SET settlement = journal WHERE id = ${id}::uuid`;
    },
    /** As when its wait is over. */
    advance: async (id: string) => {
      await prisma.$executeRaw`UPDATE posting SET due_at = least(due_at, now() - interval '1 millisecond') WHERE id = ${id}::uuid`;
      return advancePosting(stage, tenant, id, 'worker');
    },
    writeBack: (id: string) => advancePosting(stage, tenant, id, 'worker'),
    /** Whatever was sent has arrived by now, or never will. */
    fifteenMinutesPass: () => prisma.$executeRaw`
      UPDATE attempt SET started_at = started_at - interval '15 minutes', last_sent_at = last_sent_at - interval '15 minutes'`,
  };
}

export type OperatorBed = Awaited<ReturnType<typeof operatorBed>>;

function operationsOn(database: TestDatabase, tenant: TenantContext, clock: Clock): Operations {
  return createOperations({
    files: null,
    records: createOperationRecords(database),
    postings: (actor) => createPostingStore(database, actor),
    reconcile: () => Promise.reject(new Error('nobody reconciles here')),
    owner: 'test',
    connections: { names: () => [tenant.name], tenant: () => null, get: () => Promise.resolve(tenant) },
    clock,
    language: 'en',
    poke: () => undefined,
    closing: NOBODY_CLOSES,
    outgoing: NOTHING_GOES_OUT,
    rehearse: () => Promise.reject(new Error('nobody rehearses here')),
    tryChannels: () => Promise.resolve([]),
  });
}
