// A payment before it is booked: its invoice is read afresh, and what of it is not in the books is mapped. All earlier payments of
// the invoice have come to their end by then, so nobody else is about to book the same difference.
import { plainKennitala } from '../../domain/kennitala.js';
import { type Decimal, sum } from '../../domain/decimal.js';
import type { Journal } from '../../domain/journal.js';
import { journalFromJson } from '../../domain/journal-json.js';
import type { SourceInvoice } from '../../domain/source-document.js';
import { reason } from '../../language/messages.js';
import { contentHash } from '../content-hash.js';
import { signed } from '../mapping/settle-invoice.js';
import { mapPayment } from '../mapping/map-payment.js';
import { jittered, WAITS_MS } from '../posting/back-off.js';
import { because, keep, settle } from '../posting/examine-document.js';
import { rateOn } from '../posting/look-up-context.js';
import type { PostingWork, Step } from '../posting/post-stage.js';
import type { DocumentFacts } from '../../sync/posting-records.js';
import { type BookedInvoice, invoiceOfPayment } from './records.js';
import { settledJournals } from './settled-journals.js';

export async function examinePayment(work: PostingWork): Promise<Step> {
  const { guid, number } = invoiceOfPayment(work.posting.guid);
  // First the records, then the source: what is read afterwards shows at least what was booked.
  const invoice = await work.stage.store.bookedInvoice(work.tenant.name, guid);
  if (invoice === null || IS_OVER.has(invoice.state))
    return settle(work, because(reason('NOTHING_TO_SETTLE'), 'skipped'));
  if (invoice.isBusy || invoice.state !== 'acknowledged' || invoice.journal === null) return waits(work);
  const fetched = await work.tenant.source.get('invoice', guid);
  await work.stage.breakers.succeeded(work.tenant.name, 'source');
  switch (fetched.outcome) {
    case 'gone':
      return settle(work, because(reason('SOURCE_DELETED'), 'skipped'));
    case 'unreadable':
      return settle(work, because(reason('SOURCE_UNREADABLE', { problem: fetched.problem }), 'parked'));
    case 'found':
      return fetched.document.kind === 'invoice'
        ? mapPaid(work, invoice, number, fetched.document, fetched.snapshot)
        : waits(work);
  }
}

/** Its entry is in the books no longer: there is nothing that a payment could settle. */
const IS_OVER = new Set(['reversed', 'orphaned', 'skipped', 'rejected']);

/** Somebody is at the invoice: what becomes of it is not known yet. */
function waits(work: PostingWork): Promise<Step> {
  const { random } = work.stage.runtime;
  return work.rest({ action: 'waits-for-invoice', dueInMs: jittered(WAITS_MS.outageMost, random) });
}

async function mapPaid(
  work: PostingWork,
  invoice: BookedInvoice,
  number: number,
  shown: SourceInvoice,
  snapshot: string,
): Promise<Step> {
  const hash = contentHash('invoice', snapshot);
  const day = invoice.payments.find((payment) => payment.number === number)?.day ?? '';
  const document = paymentFacts(shown, snapshot, hash, day);
  if (hash !== invoice.contentHash)
    return settle(work, {
      ...because(reason('CONTENT_CHANGED', { status: shown.accountingStatus }), 'parked'),
      document,
    });
  const { rules } = work.tenant;
  const booked = journalFromJson(invoice.journal ?? '');
  const context = await rateOn(work, shown.currency, day);
  const mapped = mapPayment(shown, rules, context, { booked, settled: settledJournals(invoice), day });
  if (mapped.outcome !== 'post') return keep(work, document, mapped);
  return keep(work, { ...document, amount: received(mapped.journal).toFixed() }, mapped);
}

function received({ lines }: Journal): Decimal {
  const money = lines.filter(({ role }) => role === 'bank' || role === 'clearing');
  return sum(money.map((line) => line.currencyAmount ?? signed(line)));
}

function paymentFacts(invoice: SourceInvoice, snapshot: string, hash: string, day: string): DocumentFacts {
  return {
    number: invoice.number,
    amount: '0',
    currency: invoice.currency,
    issueDate: day,
    counterpartyName: invoice.customer.name,
    counterpartyKennitala: plainKennitala(invoice.customer.registrationNo),
    referGuid: invoice.guid,
    sourceStatus: invoice.status,
    snapshot,
    contentHash: hash,
  };
}
