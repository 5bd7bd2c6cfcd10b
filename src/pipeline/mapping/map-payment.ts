// The payment of an invoice that is in the books: the difference between what the invoice shows by now and what was booked of it,
// on the day it came in. What was taken back is the same with its sides changed.
import { BOOK_CURRENCY, roundTo, type Decimal, ZERO } from '../../domain/money.js';
import type { Journal, LineRole } from '../../domain/journal.js';
import type { Message } from '../../domain/message.js';
import type { IsoDate, SourceInvoice } from '../../domain/source-document.js';
import { message } from '../../language/messages.js';
import type { MappingContext } from './context.js';
import {
  type PricedLine,
  traceOf,
  makeJournal,
  choosePostingDate,
  type PostingDate,
} from './make-journal.js';
import { type ExchangeRate, rateOnDay } from './exchange-rate.js';
import {
  isStop,
  type MappingOutcome,
  notPosted,
  stop,
  type Stop,
  warning,
  aboutDocument,
  because,
  type Because,
  describeJournal,
} from './outcome.js';
import {
  amountsBetween,
  isNothing,
  paidSoFar,
  receivableOf,
  type SettledAmounts,
  settledBy,
  signed,
  paidAccount,
} from './settle-invoice.js';
import { openRuleBook, type RuleBook, type TenantRules } from './rules.js';

export interface Paying {
  /** The entry of the invoice. */
  readonly booked: Journal;
  /** Its settlement, and its earlier payments. */
  readonly settled: readonly Journal[];
  readonly day: IsoDate;
}

interface Payment extends Paying {
  readonly invoice: SourceInvoice;
  readonly book: RuleBook;
  readonly context: MappingContext;
  readonly text: string;
}

export function mapPayment(
  invoice: SourceInvoice,
  rules: TenantRules,
  context: MappingContext,
  paying: Paying,
): MappingOutcome {
  const book = openRuleBook(rules);
  const text = describeJournal('settlement', factsOf(invoice, paying), book);
  const payment: Payment = { ...paying, invoice, book, context, text };
  const date = choosePostingDate(paying.day, book);
  if (isStop(date)) return notPosted(date);
  const priced = paymentLines(payment);
  if (isStop(priced)) return notPosted(priced, { trace: aboutDocument([dated(payment, date)]) });
  const { lines, exchange } = priced;
  const trace = [
    ...aboutDocument([dated(payment, date), ...(exchange === null ? [] : [exchange.because])]),
    ...traceOf('document', lines),
  ];
  const warnings = date.isMoved ? [warning('POSTING_DATE_MOVED', { date: date.postingDate })] : [];
  const journal = makeJournal({
    header: headerOf(payment, date, exchange),
    lines,
    isMirrored: false,
    iskDecimals: book.iskDecimals,
  });
  if (isStop(journal)) return notPosted(journal, { trace, warnings });
  return { outcome: 'post', journal, warnings, trace };
}

interface Priced {
  readonly lines: readonly PricedLine[];
  readonly exchange: ExchangeRate | null;
}

function paymentLines(payment: Payment): Priced | Stop {
  const { invoice, booked, settled, book } = payment;
  const receivable = receivableOf(booked);
  if (receivable === null) return stop('NOTHING_TO_SETTLE');
  const before = settledBy(settled);
  const now = paidSoFar(invoice, receivable.isk, book);
  switch (now.paid) {
    case 'unclear':
      return stop('NOTHING_TO_SETTLE');
    case 'nothing':
      return isNothing(before) ? stop('NOTHING_TO_SETTLE') : { lines: takenBack(payment), exchange: null };
    case 'mismatch':
      return stop('PAYMENT_AMOUNTS_MISMATCH', { owed: now.owed, deposited: now.deposited });
    case 'marked':
      return before.closed.eq(receivable.isk)
        ? stop('NOTHING_TO_SETTLE')
        : markedPaid(payment, receivable, before.closed);
    case 'claim': {
      const amounts = amountsBetween(now.amounts, before);
      return isNothing(amounts)
        ? stop('NOTHING_TO_SETTLE')
        : { lines: claimLines(payment, amounts), exchange: null };
    }
  }
}

/** Interest and costs are what the books know them as; what the bank rounded goes where roundings go. */
function claimLines(payment: Payment, amounts: SettledAmounts): PricedLine[] {
  const { accounts } = payment.book.rules;
  const { deposited, cleared, tax, interest, costs, closed } = amounts;
  const line = (role: LineRole, name: keyof typeof accounts, isk: Decimal, why: Message): PricedLine => {
    const account = accounts[name] as string;
    return lineOf(payment, role, isk, because('account', account, `accounts.${name}`, why));
  };
  const rounding = closed.plus(interest).plus(costs).minus(deposited).minus(cleared).minus(tax);
  return [
    line('bank', 'bank', deposited, message('PAID_IN')),
    ...(cleared.isZero() ? [] : takenBack(payment, 'clearing')),
    line('withheld-tax', 'withheldCapitalTax', tax, message('TAX_WITHHELD')),
    closing(payment, closed),
    line('interest', 'interestIncome', interest.neg(), message('INTEREST_PAID')),
    line('collection', 'collectionIncome', costs.neg(), message('COLLECTION_PAID')),
    line('rounding', 'rounding', rounding, message('ROUNDED_ONE_BY_ONE')),
  ].filter(({ isk }) => !isk.isZero());
}

/** Paid in whole by the service's word. A foreign one at the rate of the day, where the rules have accounts for the difference. */
function markedPaid(
  payment: Payment,
  receivable: { isk: Decimal; currency: Decimal },
  closedBefore: Decimal,
): Priced | Stop {
  const { invoice, book, context, day, settled } = payment;
  const isk = receivable.isk.minus(closedBefore);
  const paid = paidAccount(book, context);
  const role: LineRole = paid.rule === 'accounts.paidClearing' ? 'clearing' : 'bank';
  if (invoice.currency === BOOK_CURRENCY)
    return { lines: [lineOf(payment, role, isk, paid), closing(payment, isk)], exchange: null };
  const currency = receivable.currency.minus(closedIn(settled));
  const difference = exchangeAccounts(book);
  const exchange = difference === null ? null : rateOnDay(invoice.currency, day, { book, context });
  if (isStop(exchange)) return exchange;
  const worth = exchange === null ? isk : roundTo(currency.times(exchange.rate), book.iskDecimals);
  const gained = worth.minus(isk);
  return {
    lines: [
      { ...lineOf(payment, role, worth, paid), currencyAmount: currency },
      { ...closing(payment, isk), currencyAmount: currency.neg() },
      ...(difference === null || gained.isZero() ? [] : [exchangeLine(payment, gained, difference)]),
    ],
    exchange,
  };
}

function closedIn(journals: readonly Journal[]): Decimal {
  return journals
    .map((journal) => receivableOf(journal)?.currency ?? ZERO)
    .reduce((total, currency) => total.minus(currency), ZERO);
}

interface ExchangeAccounts {
  readonly gain: string;
  readonly loss: string;
}

function exchangeAccounts({ rules }: RuleBook): ExchangeAccounts | null {
  const { exchangeGain: gain, exchangeLoss: loss } = rules.accounts;
  return gain === undefined || loss === undefined ? null : { gain, loss };
}

function exchangeLine(payment: Payment, gained: Decimal, { gain, loss }: ExchangeAccounts): PricedLine {
  const isGain = gained.gt(0);
  const why = message('EXCHANGE_DIFFERENCE', { isGain });
  const reason = isGain
    ? because('account', gain, 'accounts.exchangeGain', why)
    : because('account', loss, 'accounts.exchangeLoss', why);
  return lineOf(payment, 'exchange', gained.neg(), reason);
}

/** The customer's account closes by the same line that opened it. */
function closing(payment: Payment, isk: Decimal): PricedLine {
  const own = payment.booked.lines.find(({ role }) => role === 'receivable');
  const account = own?.account ?? payment.book.rules.accounts.receivable;
  const why = because('account', account, 'accounts.receivable', message('CLOSES_RECEIVABLE'));
  const line = lineOf(payment, 'receivable', isk.neg(), why);
  const { counterparty } = own ?? {};
  return counterparty === undefined ? line : { ...line, draft: { ...line.draft, counterparty } };
}

function lineOf({ text }: Payment, role: LineRole, isk: Decimal, reason: Because): PricedLine {
  return { draft: { account: reason.value, role, amount: isk, text, because: [reason] }, isk };
}

/** What was booked of the payment, all of it or one role, account by account with its sides changed. */
function takenBack(payment: Payment, only?: LineRole): PricedLine[] {
  const byAccount = new Map<string, PricedLine>();
  const lines = payment.settled.flatMap((journal) => journal.lines);
  for (const line of lines.filter(({ role }) => only === undefined || role === only)) {
    const { account, role, counterparty, currencyAmount } = line;
    const name = [role, account, counterparty ?? ''].join('|');
    const known = byAccount.get(name);
    const isk = (known?.isk ?? ZERO).minus(signed(line));
    const why = because('account', account, 'specification', message('PAYMENT_TAKEN_BACK'));
    const made = lineOf(payment, role, isk, why);
    const currency =
      currencyAmount === undefined
        ? known?.currencyAmount
        : (known?.currencyAmount ?? ZERO).minus(currencyAmount);
    byAccount.set(name, {
      ...made,
      draft: { ...made.draft, ...(counterparty === undefined ? {} : { counterparty }) },
      ...(currency === undefined ? {} : { currencyAmount: currency }),
    });
  }
  return [...byAccount.values()].filter(({ isk }) => !isk.isZero());
}

function dated({ day }: Payment, { postingDate, isMoved, because: moved }: PostingDate): Because {
  return isMoved ? moved : because('postingDate', postingDate, 'specification', message('PAID_ON', { day }));
}

function factsOf(invoice: SourceInvoice, { booked, day }: Paying) {
  return {
    documentNo: booked.documentNo,
    number: invoice.number.trim(),
    party: invoice.customer.name,
    kennitala: booked.party?.kennitala ?? '',
    description: invoice.description,
    date: day,
  };
}

function headerOf(
  { booked, invoice, day, text }: Payment,
  { postingDate }: PostingDate,
  exchange: ExchangeRate | null,
): Omit<Journal, 'lines'> {
  return {
    documentNo: booked.documentNo,
    externalReference: invoice.guid,
    postingDate,
    documentDate: day,
    description: text,
    currency: booked.currency,
    exchangeRate: exchange?.rate ?? booked.exchangeRate,
    ...(booked.party === undefined ? {} : { party: booked.party }),
  };
}
