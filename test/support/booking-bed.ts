// A pipeline bed whose ERP takes an entry, and takes it back, at once: no virtual time passes. For what comes after a posting: payments,
// releases, summaries, and what operators do with them.
import type { BridgeEvent } from '../../src/domain/bridge-event.js';
import type { ErpAdapter, PostOutcome } from '../../src/erp/erp-adapter.js';
import type { runAct } from '../../src/operations/run-act.js';
import { createOperationRecords } from '../../src/store/operations/act-records.js';
import { createPostingStore } from '../../src/store/posting-store.js';
import { advancePosting } from '../../src/sync/advance.js';
import { sweep } from '../../src/sync/intake.js';
import type { TenantContext } from '../../src/sync/tenant-context.js';
import { SYSTEM_RUNTIME } from '../../src/worker/schedules.js';
import type { TestDatabase } from './database.js';
import { CUT_OVER, pipelineBed } from './pipeline-bed.js';

type Rules = TenantContext['rules'];

interface Own {
  readonly rules: (rules: Rules) => Rules;
  readonly capabilities?: Partial<ErpAdapter['capabilities']>;
  /** What the ERP says to this key in place of taking the entry. */
  readonly answer?: (key: string) => PostOutcome | null | undefined;
  readonly tell?: (event: BridgeEvent) => void;
  /** How often what is due is worked on: what one has done may make the next one due. */
  readonly rounds?: number;
}

export async function bookingBed(database: TestDatabase, name: string, own: Own) {
  const bed = await pipelineBed(database, name);
  const { prisma } = database;
  const { ledger } = bed;
  const erp: ErpAdapter = {
    ...bed.tenant.erp,
    capabilities: { ...bed.tenant.erp.capabilities, ...own.capabilities },
    post: (prepared) => Promise.resolve(own.answer?.(prepared.key) ?? ledger.take(prepared)),
    reverse: ({ key, original }) => {
      const stored = ledger.entries.find(({ id }) => id === original.reference.id);
      if (!stored) throw new Error('no such entry');
      return Promise.resolve(ledger.takeReversal(key, stored));
    },
  };
  const tenant = { ...bed.tenant, erp, rules: own.rules(bed.tenant.rules) };
  const stage = { ...bed.stage, store: createPostingStore(database, 'worker', own.tell) };
  const work = async () => {
    for (let round = 0; round < (own.rounds ?? 1); round++) {
      const due = await prisma.posting.findMany({ where: { tenantName: name, dueAt: { lte: new Date() } } });
      for (const { id } of due) await advancePosting(stage, tenant, id, 'me');
    }
  };
  return {
    ...bed,
    ...{ tenant, work },
    post: async () => {
      await sweep(bed.intake, tenant, 'invoice', CUT_OVER);
      await work();
    },
    operations: {
      records: createOperationRecords(database),
      connections: { get: () => Promise.resolve(tenant), tenant: () => null, names: () => [name] },
      postings: (actor: string) => createPostingStore(database, actor),
      clock: SYSTEM_RUNTIME.clock,
      owner: 'me',
      poke: () => undefined,
      language: 'en',
    } as unknown as Parameters<typeof runAct>[0],
  };
}
