// The payment of an invoice, where the tenant wants it booked: a paid claim with its interest and costs, or the way it was
// paid at the till. By default there is none, and the ERP's bank reconciliation closes the receivable.
import { message } from '../../language/messages.js';
import type { Message } from '../../domain/message.js';
import { BOOK_CURRENCY } from '../../domain/currency.js';
import { Decimal, ZERO } from '../../domain/decimal.js';
import type { LineRole } from '../../domain/journal.js';
import { amountText, isWithin } from '../../domain/money.js';
import type { SourceInvoice } from '../../domain/source-document.js';
import type { MappingContext } from './context.js';
import type { DraftLine, PricedLine } from './draft-line.js';
import { isStop, warning } from './outcome.js';
import { priceLines } from './price-lines.js';
import { entryOf, type RuleBook } from './rule-book.js';
import { because, type Because } from './trace.js';

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
