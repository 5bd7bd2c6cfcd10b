// What the mapping needs besides the document. It is only requested when the mapping will use it, because every call counts against the API
// limits of the account.
import { BOOK_CURRENCY } from '../domain/money.js';
import type { IsoDate, SourceDocument, SourceInvoice } from '../domain/source-document.js';
import type { FetchOutcome } from '../service/invoicing-source.js';
import type { MappingContext } from '../pipeline/mapping/context.js';
import { originalRate, rateDay, statedRate } from '../pipeline/mapping/exchange-rate.js';
import { gateSkipRules } from '../pipeline/mapping/invoice-gates.js';
import { mayBeExempt } from '../pipeline/mapping/reconcile-invoice.js';
import { openRuleBook } from '../pipeline/mapping/rules.js';
import type { PostingStore } from './posting-records.js';
import type { TenantContext } from './tenant-context.js';

export interface ContextSources {
  readonly tenant: TenantContext;
  readonly store: Pick<PostingStore, 'creditNotesOf'>;
  /** Whether a credit note that is not on record yet may refer to the invoice; absent: none does. */
  mayBeCredited?(): Promise<boolean>;
}

/** An invoice of more distinct items than this is mapped by tax treatment alone. */
const ITEMS_MAX = 1_000;
/** Read side by side; the source's own limits hold besides. */
const ITEMS_AT_ONCE = 4;

export async function lookUpContext(
  sources: ContextSources,
  document: SourceDocument,
): Promise<MappingContext> {
  if (document.kind === 'cost') return rateOn(sources, document.currency, document.issueDate);
  const [original, customer, items, creditNotes] = await Promise.all([
    findOriginal(sources, document),
    findCustomer(sources, document),
    readItems(sources, document),
    findCreditNotes(sources, document),
  ]);
  const rate = await rateOf(sources, document, original);
  const found: MappingContext = {};
  Object.assign(found, rate, customer, items, original, creditNotes);
  return found;
}

/** Asked only where neither the document states a rate nor, of a credit note, its original. */
function rateOf(
  sources: ContextSources,
  invoice: SourceInvoice,
  original: MappingContext,
): Promise<MappingContext> | MappingContext {
  const isStated = statedRate(invoice.exchangeRate) ?? originalRate(invoice, original);
  return isStated ? {} : rateOn(sources, invoice.currency, rateDay(invoice, original));
}

export async function rateOn(
  { tenant }: Pick<ContextSources, 'tenant'>,
  currency: string,
  day: IsoDate,
): Promise<MappingContext> {
  if (!tenant.rates || currency === BOOK_CURRENCY || day === '') return {};
  const { fx } = tenant.rules;
  if (fx.table[currency]?.[day] !== undefined) return {};
  const answer = await tenant.rates.rateOn(currency, day, fx.maxAgeDays);
  switch (answer.outcome) {
    case 'found':
      return { rate: { day: answer.day, rate: answer.rate, origin: answer.origin } };
    case 'none':
      return {};
    case 'unavailable':
      return { ratesProblem: answer.problem };
  }
}

/** Asked only where it makes a difference to the VAT. */
async function findCustomer({ tenant }: ContextSources, invoice: SourceInvoice): Promise<MappingContext> {
  if (invoice.customer.guid === '' || !mayBeExempt(invoice)) return {};
  const customer = await tenant.source.customer(invoice.customer.guid);
  return customer ? { customer: { taxExempt: customer.taxExempt } } : {};
}

async function readItems({ tenant }: ContextSources, invoice: SourceInvoice): Promise<MappingContext> {
  const { revenueByCategory, cases = [] } = tenant.rules.invoice;
  const asks = cases.some(({ when }) => when.category !== undefined);
  if (Object.keys(revenueByCategory).length === 0 && !asks) return {};
  const guids = [...new Set(invoice.items.map((item) => item.guid).filter((guid) => guid !== ''))];
  if (guids.length > ITEMS_MAX) return {};
  const items: Record<string, { category: string }> = {};
  for (let at = 0; at < guids.length; at += ITEMS_AT_ONCE) {
    const some = guids.slice(at, at + ITEMS_AT_ONCE);
    const read = await Promise.all(some.map((guid) => tenant.source.item(guid)));
    for (const [index, guid] of some.entries()) {
      const category = read[index]?.category;
      if (category !== undefined) items[guid] = { category };
    }
  }
  return { items };
}

async function findOriginal({ tenant }: ContextSources, invoice: SourceInvoice): Promise<MappingContext> {
  if (invoice.type !== 'credit' || invoice.referGuid === '') return {};
  const original = await tenant.source.get('invoice', invoice.referGuid);
  // It is there, and whether it is booked cannot be read: nothing takes it back before that is known.
  if (original.outcome === 'unreadable') return { original: { accountingStatus: 'unreadable' } };
  if (original.outcome === 'gone') return {};
  const { document } = original;
  const isInvoice = document.kind === 'invoice';
  const deliveryDate = isInvoice ? document.deliveryDate : '';
  const exchangeRate = isInvoice ? document.exchangeRate : null;
  return {
    original: {
      accountingStatus: document.accountingStatus,
      currency: document.currency,
      ...(document.issueDate === '' ? {} : { issueDate: document.issueDate }),
      ...(isBefore(document.issueDate, tenant.cutOver) ? { isBeforeCutOver: true } : {}),
      ...(deliveryDate === '' ? {} : { deliveryDate }),
      ...(exchangeRate === null ? {} : { exchangeRate }),
    },
  };
}

function isBefore(day: IsoDate, cutOver: IsoDate | null): boolean {
  return cutOver !== null && day !== '' && day < cutOver;
}

/** Of one invoice; more are read at the next look. */
const CREDIT_NOTES_MAX = 10;

/** They are read, since an invoice that was cancelled is booked only together with a credit note that is booked as well. */
async function findCreditNotes(sources: ContextSources, invoice: SourceInvoice): Promise<MappingContext> {
  const { store, tenant } = sources;
  if (invoice.status !== 'Cancelled') return {};
  const guids = await store.creditNotesOf(tenant.name, invoice.guid, CREDIT_NOTES_MAX);
  const read = await Promise.all(guids.map((guid) => tenant.source.get('invoice', guid)));
  const answers = read.map((fetched) => answerOf(fetched, invoice, sources));
  const creditNotes = guids.filter((_guid, index) => answers[index] === 'is booked');
  if (creditNotes.length > 0) return { creditNotes };
  const mayCome = answers.includes('may be booked') || (await sources.mayBeCredited?.()) === true;
  return mayCome ? { creditNoteMayCome: true } : {};
}

type Answer = 'is booked' | 'may be booked' | 'is not booked';

/** What becomes of a credit note, as far as that can be told before its invoice is in the books. */
function answerOf(fetched: FetchOutcome, { guid }: SourceInvoice, { tenant }: ContextSources): Answer {
  if (fetched.outcome === 'gone') return 'is not booked';
  if (fetched.outcome === 'unreadable') return 'may be booked';
  const { document: note } = fetched;
  if (note.kind !== 'invoice' || note.type !== 'credit' || note.referGuid !== guid) return 'is not booked';
  if (note.accountingStatus === 'Posted') return 'is booked';
  if (note.accountingStatus === 'Skipped' || note.status === 'Cancelled') return 'is not booked';
  if (gateSkipRules(note, openRuleBook(tenant.rules))) return 'is not booked';
  // Refused ones are mended and handed over again; what is a draft may be issued.
  const isHandedOver = note.accountingStatus === 'Created' || note.accountingStatus === 'Error';
  return isHandedOver && note.status !== 'Draft' ? 'is booked' : 'may be booked';
}
