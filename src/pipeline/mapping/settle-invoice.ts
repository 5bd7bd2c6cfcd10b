// The payment of an invoice, where the tenant wants it booked: a paid claim with its interest and costs, or the way it was
// paid at the till. By default there is none, and the ERP's bank reconciliation closes the receivable.
import { message } from '../../language/messages.js';
import type { Message } from '../../domain/message.js';
import { BOOK_CURRENCY, amountText, isWithin, roundTo, Decimal, ZERO, sum } from '../../domain/money.js';
import type { LineRole, Journal, JournalLine } from '../../domain/journal.js';
import type { SourceInvoice } from '../../domain/source-document.js';
import type { MappingContext } from './context.js';
import type { DraftLine, PricedLine } from './make-journal.js';
import { isStop, warning, because, type Because } from './outcome.js';
import { priceLines } from './invoice-lines.js';
import { entryOf, type RuleBook } from './rules.js';
import type { PaymentFacts } from '../../service/invoicing-source.js';

export interface Settlement {
  /** Empty: nothing to settle. */
  readonly lines: readonly PricedLine[];
  readonly warnings: readonly Message[];
}

const NOTHING: Settlement = { lines: [], warnings: [] };
const CLAIM_TOLERANCE = new Decimal(1);

export interface SettlementDraft {
  readonly invoice: SourceInvoice;
  /** The receivable as the journal books it, in the sense of an invoice. */
  readonly receivable: PricedLine | undefined;
  readonly book: RuleBook;
  readonly context: MappingContext;
  /** Asked for only when there is something to settle. */
  readonly text: () => string;
}

export function settleInvoice(draft: SettlementDraft): Settlement {
  const { invoice, receivable, book } = draft;
  const { settlement } = book.rules.invoice;
  // A credit note has no claim, its claim fields are those of its original; and that it was paid out no document shows.
  if (settlement === 'none' || !receivable || invoice.type === 'credit') return NOTHING;
  if (invoice.claimStatus === 'paid' && invoice.currency === BOOK_CURRENCY)
    return settleClaim(draft, receivable);
  return settlement === 'all' && invoice.status === 'Paid' ? settlePaid(draft, receivable) : NOTHING;
}

function settleClaim(draft: SettlementDraft, receivable: PricedLine): Settlement {
  const { invoice, book } = draft;
  const text = draft.text();
  const { accounts } = book.rules;
  const deposited = invoice.bankTransactionAmount;
  const tax = invoice.capitalGainsTax;
  const interest = invoice.defaultInterestAmount;
  const costs = invoice.defaultChargeAmount.plus(invoice.otherDefaultCostsAmount);
  const owed = invoice.amount.plus(interest).plus(costs).minus(tax);
  if (!isWithin(owed, deposited, CLAIM_TOLERANCE)) {
    const amounts = { owed: amountText(owed), deposited: amountText(deposited) };
    return { lines: [], warnings: [warning('CLAIM_AMOUNTS_MISMATCH', amounts)] };
  }
  const line = (role: LineRole, name: keyof typeof accounts, amount: Decimal, why: Message): DraftLine => {
    const account = accounts[name] as string;
    return { account, role, amount, text, because: [because('account', account, `accounts.${name}`, why)] };
  };
  const priced = priceLines(
    [
      line('bank', 'bank', deposited, message('PAID_IN')),
      line('withheld-tax', 'withheldCapitalTax', tax, message('TAX_WITHHELD')),
      closingLine(receivable, text),
      line('interest', 'interestIncome', interest.neg(), message('INTEREST_PAID')),
      line('collection', 'collectionIncome', costs.neg(), message('COLLECTION_PAID')),
    ],
    { currency: BOOK_CURRENCY, rate: new Decimal(1), book, roundingText: text },
  );
  return isStop(priced)
    ? { lines: [], warnings: [warning('CLAIM_AMOUNTS_MISMATCH')] }
    : { lines: priced, warnings: [] };
}

function settlePaid(settling: SettlementDraft, receivable: PricedLine): Settlement {
  const { book, context } = settling;
  const text = settling.text();
  const paid = paidAccount(book, context);
  const role: LineRole = paid.rule === 'accounts.paidClearing' ? 'clearing' : 'bank';
  const { isk, currencyAmount } = receivable;
  const draft: DraftLine = { account: paid.value, role, amount: ZERO, text, because: [paid] };
  const closed: DraftLine = closingLine(receivable, text);
  return {
    lines: [
      { draft, isk, ...(currencyAmount === undefined ? {} : { currencyAmount }) },
      {
        draft: closed,
        isk: isk.neg(),
        ...(currencyAmount === undefined ? {} : { currencyAmount: currencyAmount.neg() }),
      },
    ],
    warnings: [],
  };
}

export function paidAccount({ rules }: RuleBook, { methodPayment }: MappingContext): Because {
  const known =
    methodPayment === undefined ? undefined : entryOf(rules.accounts.byPaymentMethod, methodPayment);
  if (known !== undefined && methodPayment !== undefined) {
    const rule = `accounts.byPaymentMethod.${methodPayment}`;
    return because('account', known, rule, message('PAID_BY_METHOD', { method: methodPayment }));
  }
  const account = rules.accounts.paidClearing;
  return because('account', account, 'accounts.paidClearing', message('PAYMENT_UNKNOWN'));
}

function closingLine({ draft, isk }: PricedLine, text: string): DraftLine {
  const { account, role, counterparty } = draft;
  return {
    account,
    role,
    amount: isk.neg(),
    ...(counterparty === undefined ? {} : { counterparty }),
    text,
    because: draft.because,
  };
}

// What an invoice shows of its payment, and what of it is in the books. The service shows no list of payments and no day: only
// how much has come in by now. So a payment is a difference, and so is one that was taken back.

/** In ISK, as the books have it. */
export interface SettledAmounts {
  /** By the bank. */
  readonly deposited: Decimal;
  /** Of what was only marked as paid: by the till, or by nobody knows whom. */
  readonly cleared: Decimal;
  readonly tax: Decimal;
  readonly interest: Decimal;
  /** Default charge and other costs of collection. */
  readonly costs: Decimal;
  /** Of the receivable. */
  readonly closed: Decimal;
}

/** `unclear`: it says nothing by which the books could follow. `marked`: paid in whole, and nobody says how. */
type PaidSoFar =
  | { readonly paid: 'nothing' | 'unclear' | 'marked' }
  | { readonly paid: 'claim'; readonly amounts: SettledAmounts }
  | { readonly paid: 'mismatch'; readonly owed: string; readonly deposited: string };

export function paidSoFar(invoice: PaymentFacts, receivable: Decimal, book: RuleBook): PaidSoFar {
  const { settlement } = book.rules.invoice;
  // A cancelled invoice is credited; whether what was paid went back, no document shows.
  if (settlement === 'none' || invoice.type === 'credit' || invoice.status === 'Cancelled')
    return { paid: 'unclear' };
  const inIsk = invoice.currency === BOOK_CURRENCY;
  if (invoice.claimStatus === 'paid' && inIsk) return wholeClaim(invoice, receivable, book);
  if (invoice.status === 'Paid') return { paid: settlement === 'all' ? 'marked' : 'unclear' };
  if (inIsk && !invoice.bankTransactionAmount.isZero()) return partOfClaim(invoice, receivable, book);
  return { paid: 'nothing' };
}

function wholeClaim(invoice: PaymentFacts, receivable: Decimal, book: RuleBook): PaidSoFar {
  const amounts = claimAmounts(invoice, book);
  const owed = invoice.amount.plus(amounts.interest).plus(amounts.costs).minus(amounts.tax);
  const { bankTransactionAmount: deposited } = invoice;
  if (!isWithin(owed, deposited, CLAIM_TOLERANCE))
    return { paid: 'mismatch', owed: amountText(owed), deposited: amountText(deposited) };
  return { paid: 'claim', amounts: { ...amounts, closed: receivable } };
}

/** Interest and costs come first, as the law has it: what is left of the money closes the receivable. */
function partOfClaim(invoice: PaymentFacts, receivable: Decimal, book: RuleBook): PaidSoFar {
  const amounts = claimAmounts(invoice, book);
  const closed = amounts.deposited.plus(amounts.tax).minus(amounts.interest).minus(amounts.costs);
  if (closed.lt(0) || closed.gt(receivable)) {
    const owed = receivable.plus(amounts.interest).plus(amounts.costs).minus(amounts.tax);
    return { paid: 'mismatch', owed: amountText(owed), deposited: amountText(amounts.deposited) };
  }
  return { paid: 'claim', amounts: { ...amounts, closed } };
}

function claimAmounts(invoice: PaymentFacts, { iskDecimals }: RuleBook): Omit<SettledAmounts, 'closed'> {
  const costs = invoice.defaultChargeAmount.plus(invoice.otherDefaultCostsAmount);
  return {
    deposited: roundTo(invoice.bankTransactionAmount, iskDecimals),
    cleared: ZERO,
    tax: roundTo(invoice.capitalGainsTax, iskDecimals),
    interest: roundTo(invoice.defaultInterestAmount, iskDecimals),
    costs: roundTo(costs, iskDecimals),
  };
}

/** What the journals of a settlement and of payments come to. */
export function settledBy(journals: readonly Journal[]): SettledAmounts {
  const lines = journals.flatMap((journal) => journal.lines);
  const debited = (...roles: readonly LineRole[]) =>
    sum(lines.filter(({ role }) => roles.includes(role)).map(signed));
  return {
    deposited: debited('bank'),
    cleared: debited('clearing'),
    tax: debited('withheld-tax'),
    interest: debited('interest').neg(),
    costs: debited('collection').neg(),
    closed: debited('receivable').neg(),
  };
}

export function signed({ debit, credit }: JournalLine): Decimal {
  return debit.minus(credit);
}

export function amountsBetween(now: SettledAmounts, before: SettledAmounts): SettledAmounts {
  return {
    deposited: now.deposited.minus(before.deposited),
    cleared: now.cleared.minus(before.cleared),
    tax: now.tax.minus(before.tax),
    interest: now.interest.minus(before.interest),
    costs: now.costs.minus(before.costs),
    closed: now.closed.minus(before.closed),
  };
}

export function isNothing(amounts: SettledAmounts): boolean {
  return Object.values<Decimal>({ ...amounts }).every((amount) => amount.isZero());
}

/** The receivable as it was booked; null: the entry has none. */
export function receivableOf({ lines }: Journal): { isk: Decimal; currency: Decimal } | null {
  const own = lines.filter(({ role }) => role === 'receivable');
  if (own.length === 0) return null;
  return {
    isk: sum(own.map(signed)),
    currency: sum(own.map(({ currencyAmount }) => currencyAmount ?? ZERO)),
  };
}

/** Whether the books lack something that the invoice shows, or hold something that it does not show any more. */
export function isToBeFollowed(
  invoice: PaymentFacts,
  booked: Journal,
  settled: readonly Journal[],
  book: RuleBook,
): boolean {
  const receivable = receivableOf(booked);
  if (receivable === null) return false;
  const now = paidSoFar(invoice, receivable.isk, book);
  const before = settledBy(settled);
  switch (now.paid) {
    case 'unclear':
      return false;
    case 'nothing':
      return !isNothing(before);
    case 'marked':
      return !before.closed.eq(receivable.isk);
    case 'claim':
      return !isNothing(amountsBetween(now.amounts, before));
    case 'mismatch':
      return true;
  }
}
