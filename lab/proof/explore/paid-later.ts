// An invoice that is in the books, is paid, and was found so by a follow-up: from here on its payment is what is explored.
import { NO_FAIL_POINTS } from '../../../src/sync/fail-points.js';
import { advancePosting } from '../../../src/sync/advance.js';
import { POST_TIMING } from '../../../src/sync/work.js';
import { followPayments } from '../../../src/sync/begin-follow-ups.js';
import { journalFromJson, journalToJson } from '../../../src/domain/journal-json.js';
import { settlementKey } from '../../../src/domain/posting-key.js';
import type { Runtime } from '../../../src/domain/runtime.js';
import type { Kernel } from '../kernel.js';
import { memoryBreakers } from '../memory-breakers.js';
import { memoryPaymentStore } from '../memory-payment-store.js';
import { memoryPostingStore } from '../memory-posting-store.js';
import type { MemoryRecords } from '../memory-records.js';
import type { SimulatedLedger } from '../simulated-ledger.js';
import type { SimulatedDocument, SimulatedService } from '../simulated-source.js';
import { tenantAround } from '../world.js';

interface Paid {
  readonly kernel: Kernel;
  readonly records: MemoryRecords;
  readonly service: SimulatedService;
  readonly ledger: SimulatedLedger;
  readonly document: SimulatedDocument;
}

/** A history that is lost now had settled it: the restored database knows of the invoice only, and of the payment that it sees. */
export function settleBefore({ kernel, records, ledger, document }: Paid): void {
  const invoice = records.byGuid.get(document.guid)?.posting;
  if (!invoice?.journal) throw new Error('it is not in the books');
  const { history } = kernel;
  const key = settlementKey(invoice.key);
  const journal = journalFromJson(invoice.journal);
  const lines = journal.lines.map((line) => ({ ...line, debit: line.credit, credit: line.debit }));
  history.note('claim', invoice, 'lost');
  for (const step of ['intend', 'send'] as const) history.note(step, { guid: invoice.guid, key }, 'lost');
  ledger.take({ key, request: journalToJson({ ...journal, lines }) });
  for (const entry of ledger.entries) entry.state = 'posted';
  kernel.note('a history that is lost now has settled it');
  records.restoredAt = kernel.nowMs;
  history.mark('restore');
}

/** Nothing goes wrong until then. */
export async function postThenPay(world: Paid, runtime: Runtime): Promise<void> {
  const { records, ledger, document } = world;
  const life = { step: () => Promise.resolve(), worker: 'before' };
  const tenant = tenantAround(world, life);
  const erp = {
    ...tenant.erp,
    post: (prepared: Parameters<typeof tenant.erp.post>[0]) => {
      ledger.noteFate(['send'], prepared.key, life.worker);
      const outcome = ledger.take(prepared);
      for (const entry of ledger.entries) entry.state = 'posted';
      ledger.noteFate(['answer'], prepared.key, life.worker);
      return Promise.resolve(outcome);
    },
  };
  const stage = {
    runtime,
    store: memoryPostingStore(records, life),
    breakers: memoryBreakers(records, life),
    failPoints: NO_FAIL_POINTS,
    timing: POST_TIMING,
  };
  const id = records.byGuid.get(document.guid)?.posting.id ?? '';
  await advancePosting(stage, { ...tenant, erp }, id, 'before');
  document.status = 'Paid';
  const store = memoryPaymentStore(records, life);
  const begun = await followPayments({ runtime, store, failPoints: NO_FAIL_POINTS }, tenant, 0);
  if (begun !== 1) throw new Error('no payment was begun');
}
