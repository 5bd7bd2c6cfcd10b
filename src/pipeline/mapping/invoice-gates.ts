// Whether an invoice can be booked at all. The order of the questions is the specification's.
import type { IsoDate } from '../../domain/ids.js';
import { isDocumentedCurrency, amountText } from '../../domain/money.js';
import { plainKennitala } from '../../domain/kennitala.js';
import type { SourceInvoice } from '../../domain/source-document.js';
import type { MappingContext } from './context.js';
import { doubt, stop, type Stop } from './outcome.js';
import type { RuleBook } from './rules.js';
import { isTaxCode } from './vat-rates.js';

const STATUSES = new Set(['Draft', 'Sent', 'Cancelled', 'Paid', 'Collection']);

export function gateInvoice(invoice: SourceInvoice, book: RuleBook, context: MappingContext): Stop | null {
  return (
    gateStatus(invoice) ??
    gateSkipRules(invoice, book) ??
    gateCancelled(invoice, book, context) ??
    gateNumber(invoice) ??
    gateEnumerations(invoice) ??
    gateLines(invoice) ??
    (invoice.type === 'credit' ? gateCreditNote(invoice, book, context) : gateAmount(invoice))
  );
}

function gateStatus(invoice: SourceInvoice): Stop | null {
  if (invoice.accountingStatus !== 'Created') {
    return stop('NOT_CREATED', { status: invoice.accountingStatus });
  }
  if (!STATUSES.has(invoice.status)) {
    return stop('UNKNOWN_STATUS', { status: invoice.status });
  }
  return invoice.status === 'Draft' ? stop('DRAFT') : null;
}

function gateCancelled(
  { status, amount, currency }: SourceInvoice,
  { whenCancelled }: RuleBook,
  { creditNotes = [], creditNoteMayCome }: MappingContext,
): Stop | null {
  // With a credit note it is booked as usual: the credit note alone would leave negative revenue.
  if (status !== 'Cancelled' || creditNotes.length > 0) return null;
  if (creditNoteMayCome) return stop('WAIT_FOR_CREDIT_NOTE');
  const about = { amount: amountText(amount), currency };
  return whenCancelled === 'skip' || amount.isZero() ? stop('CANCELLED', about) : doubt('CANCELLED', about);
}

function gateNumber({ number }: SourceInvoice): Stop | null {
  return number.trim() === '' ? stop('NO_NUMBER') : null;
}

/** By the rules, nobody books it here. */
export function gateSkipRules(invoice: SourceInvoice, book: RuleBook): Stop | null {
  const { skip } = book.rules;
  if (!skip) return null;
  const { guid, registrationNo } = invoice.customer;
  const isListed = (skip.customers ?? []).some(
    (listed) => listed === guid || plainKennitala(listed) === plainKennitala(registrationNo),
  );
  if (isListed) return stop('SKIPPED_CUSTOMER', { customer: registrationNo || guid });
  const series = (skip.series ?? []).find((beginning) => invoice.number.startsWith(beginning));
  if (series !== undefined) return stop('SKIPPED_SERIES', { series });
  return gateCutOver(invoice.issueDate, book);
}

export function gateCutOver(issueDate: IsoDate, book: RuleBook): Stop | null {
  const before = book.rules.skip?.before ?? null;
  if (before === null || issueDate === '' || issueDate >= before) return null;
  return stop('BEFORE_CUT_OVER', { date: issueDate, before });
}

function gateEnumerations(invoice: SourceInvoice): Stop | null {
  if (!isDocumentedCurrency(invoice.currency)) return unknownCurrency(invoice.currency);
  if (invoice.type !== 'invoice' && invoice.type !== 'credit') {
    return stop('UNKNOWN_TYPE', { type: invoice.type });
  }
  const at = invoice.items.findIndex((item) => !isTaxCode(item.tax));
  const odd = invoice.items[at];
  if (!odd) return null;
  return stop('UNKNOWN_VAT_CODE', { vatCode: odd.tax, line: at + 1 });
}

/** Without its lines nothing tells what was sold: the totals alone would put everything on the account for fees. */
function gateLines({ items, amount }: SourceInvoice): Stop | null {
  if (items.length === 0 && !amount.isZero()) {
    return stop('MALFORMED_DOCUMENT', { problem: `items is empty, amount is ${amountText(amount)}` });
  }
  const at = items.findIndex(({ unstated }) => unstated !== undefined);
  const fields = items[at]?.unstated ?? [];
  if (fields.length === 0) return null;
  return stop('MALFORMED_DOCUMENT', {
    problem: `items, line ${String(at + 1)}: ${fields.join(' and ')} missing`,
  });
}

export function unknownCurrency(currency: string): Stop {
  return stop('UNKNOWN_CURRENCY', { currency });
}

function gateAmount(invoice: SourceInvoice): Stop | null {
  if (!invoice.amount.lt(0)) return null;
  return stop('NEGATIVE_INVOICE', { amount: amountText(invoice.amount), type: invoice.type });
}

function gateCreditNote(invoice: SourceInvoice, book: RuleBook, { original }: MappingContext): Stop | null {
  if (invoice.referGuid.trim() === '') return stop('CREDIT_WITHOUT_REFERENCE');
  if (!original || original.accountingStatus === 'Posted' || isBeforeCutOver(original, book)) return null;
  if (original.accountingStatus === 'Skipped')
    return stop('ORIGINAL_NOT_POSTED', { original: invoice.referGuid });
  return stop('WAIT_FOR_ORIGINAL', { status: original.accountingStatus, original: invoice.referGuid });
}

/** Such an invoice is in the books by hand, whatever the service says of it: nobody books it here. */
export function isBeforeCutOver(
  { issueDate = '', isBeforeCutOver: isKnown }: NonNullable<MappingContext['original']>,
  book: RuleBook,
): boolean {
  return isKnown === true || gateCutOver(issueDate, book) !== null;
}
