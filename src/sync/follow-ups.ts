// Step 3 for the postings that follow a booked document: payments of an invoice, and releases of income or cost that belongs to another month.
// The source has no status for them, so steps 7 to 9 do not apply.
import { BOOK_CURRENCY, type Decimal, sum } from '../domain/money.js';
import { journalFromJson } from '../domain/journal-json.js';
import type { Journal } from '../domain/journal.js';
import { plainKennitala } from '../domain/kennitala.js';
import type { SourceInvoice } from '../domain/source-document.js';
import { reason } from '../language/messages.js';
import { contentHash } from './content-hash.js';
import { mapPayment } from '../pipeline/mapping/map-payment.js';
import { mapRelease } from '../pipeline/mapping/map-document.js';
import type { MappingOutcome } from '../pipeline/mapping/outcome.js';
import { signed } from '../pipeline/mapping/settle-invoice.js';
import {
  type BookedDocument,
  type BookedInvoice,
  invoiceOfPayment,
  readReleaseGuid,
  type ReleaseName,
  settledJournals,
} from './follow-up-records.js';
import { jittered, WAITS_MS } from './back-off.js';
import { applyMapping, commitDecision } from './examine.js';
import { rateOn } from './mapping-context.js';
import { parkBecause, skipBecause } from './outcomes.js';
import type { DocumentFacts } from './posting-records.js';
import type { PostingWork, Step } from './work.js';

/** The document has no entry in the books any more, so nothing can follow it. */
const WITHOUT_ENTRY = new Set(['reversed', 'orphaned', 'skipped', 'rejected']);

/** Maps the part of the invoice's payment that is not in the books. All earlier payments of the invoice are finished by then. */
export async function examinePayment(work: PostingWork): Promise<Step> {
  const { posting, tenant, deps } = work;
  const { guid, number } = invoiceOfPayment(posting.guid);
  // Read our records before the source: then the source shows at least the payments that are booked.
  const invoice = await deps.store.bookedInvoice(tenant.name, guid);
  if (invoice === null || WITHOUT_ENTRY.has(invoice.state))
    return commitDecision(work, skipBecause(reason('NOTHING_TO_SETTLE')));
  if (invoice.isBusy || invoice.state !== 'acknowledged' || invoice.journal === null)
    return waitFor(work, 'invoice');

  const fetched = await tenant.source.get('invoice', guid);
  await deps.breakers.succeeded(tenant.name, 'source');
  switch (fetched.outcome) {
    case 'gone':
      return commitDecision(work, skipBecause(reason('SOURCE_DELETED')));
    case 'unreadable': {
      const why = reason('SOURCE_UNREADABLE', { problem: fetched.problem });
      return commitDecision(work, parkBecause(why));
    }
    case 'found':
      return fetched.document.kind === 'invoice'
        ? mapPaid(work, invoice, number, fetched.document, fetched.snapshot)
        : waitFor(work, 'invoice');
  }
}

/** Another process or a person works on the document, so its result is not known yet. */
function waitFor(work: PostingWork, followed: 'invoice' | 'document'): Promise<Step> {
  const dueInMs = jittered(WAITS_MS.outageMost, work.deps.runtime.random);
  return work.commitAndRelease({ action: `waits-for-${followed}`, dueInMs });
}

async function mapPaid(
  work: PostingWork,
  invoice: BookedInvoice,
  number: number,
  shown: SourceInvoice,
  snapshot: string,
): Promise<Step> {
  const { rules } = work.tenant;
  const hash = contentHash('invoice', snapshot);
  const day = invoice.payments.find((payment) => payment.number === number)?.day ?? '';
  const document = paymentFacts(shown, snapshot, hash, day);
  if (hash !== invoice.contentHash) {
    const why = reason('CONTENT_CHANGED', { status: shown.accountingStatus });
    return commitDecision(work, { ...parkBecause(why), document });
  }
  const booked = journalFromJson(invoice.journal ?? '');
  const context = await rateOn(work, shown.currency, day);
  const mapped = mapPayment(shown, rules, context, { booked, settled: settledJournals(invoice), day });
  if (mapped.outcome !== 'post') return applyMapping(work, document, mapped);
  return applyMapping(work, { ...document, amount: amountReceived(mapped.journal).toFixed() }, mapped);
}

function amountReceived({ lines }: Journal): Decimal {
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

/** Maps the part of a booked document that belongs to the day of the release. It is read from our records, not from the source. */
export async function examineRelease(work: PostingWork): Promise<Step> {
  const { posting, tenant, deps } = work;
  const name = readReleaseGuid(posting.guid);
  const booked = await deps.store.bookedDocument(tenant.name, name.kind, name.guid);
  if (booked === null || WITHOUT_ENTRY.has(booked.state) || booked.generation !== name.generation)
    return commitDecision(work, skipBecause(reason('NOTHING_TO_RELEASE')));
  if (booked.isBusy || booked.state !== 'acknowledged' || booked.journal === null)
    return waitFor(work, 'document');
  const mapped = mapRelease(journalFromJson(booked.journal), name.day, tenant.rules);
  return applyMapping(work, releaseFacts(booked, name, mapped), mapped);
}

function releaseFacts(
  booked: BookedDocument,
  { guid, day }: ReleaseName,
  mapped: MappingOutcome,
): DocumentFacts {
  const lines = mapped.outcome === 'post' ? mapped.journal.lines : [];
  return {
    number: booked.number,
    amount: sum(lines.map(({ debit }) => debit)).toFixed(),
    currency: BOOK_CURRENCY,
    issueDate: day,
    counterpartyName: booked.counterpartyName,
    counterpartyKennitala: booked.counterpartyKennitala,
    referGuid: guid,
    sourceStatus: '',
    snapshot: booked.snapshot ?? '{}',
    contentHash: booked.contentHash ?? '',
  };
}
