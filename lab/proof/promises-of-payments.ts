// What payments after posting promise: the books have what the invoice shows, no payment stands without its invoice, and whatever
// the books do not follow, a person has decided or can see.
import { type Decimal, sum } from '../../src/domain/decimal.js';
import { receivableOf } from '../../src/pipeline/mapping/settle-invoice.js';
import { isDone } from '../../src/sync/follow-up-records.js';
import { settlementKey } from '../../src/domain/posting-key.js';
import { bookedInvoice, paymentsOf } from './memory-payment-store.js';
import type { PostingRow } from './memory-records.js';
import { mainsOf, restsSinceBackup } from './promises-of-books.js';
import type { Run } from './run.js';
import type { Stored } from './simulated-ledger.js';
import type { SimulatedDocument } from './simulated-source.js';

export function promisesOfPayments(run: Run): string[] {
  return [...run.service.documents.values()].flatMap((document) => {
    const row = run.records.byGuid.get(document.guid);
    return document.kind === 'invoice' && row && !restsSinceBackup(run.records, row)
      ? ofInvoice(run, document, row)
      : [];
  });
}

function ofInvoice({ records, ledger }: Run, document: SimulatedDocument, row: PostingRow): string[] {
  const payments = paymentsOf(records, document.guid);
  const live = payments.flatMap(({ keys }) => keys.flatMap((key) => ledger.live(key)));
  const [main] = mainsOf(ledger, row);
  if (live.length > 0 && !main) return [`3: a payment of ${document.number} without its entry`];
  const isFollowed =
    row.posting.state === 'acknowledged' &&
    !document.deleted &&
    document.status !== 'Cancelled' &&
    // What is booked by hand is settled by hand.
    main?.byHand === undefined &&
    !payments.some((payment) => restsSinceBackup(records, payment));
  const known = bookedInvoice(records, document.guid);
  // What a person decided or has to decide, they answer for; a reversal of which nobody knows is one of those.
  if (!main || !isFollowed || known === null || known.isBusy || !known.payments.every(isDone)) return [];
  const settled = row.keys.flatMap((key) => ledger.live(settlementKey(key)));
  const closed = closedBy([...settled, ...live]);
  const owed = receivableOf(main.journal)?.isk.toNumber() ?? 0;
  const wanted =
    document.credits !== undefined
      ? 0
      : document.status === 'Paid'
        ? owed
        : document.isHalfPaid
          ? Math.round(owed / 2)
          : 0;
  return closed.eq(wanted)
    ? []
    : [`15: ${document.number} shows ${wanted} as paid, the books have ${closed.toFixed()}`];
}

function closedBy(entries: readonly Stored[]): Decimal {
  return sum(entries.map(({ journal }) => receivableOf(journal)?.isk.neg() ?? sum([])));
}
