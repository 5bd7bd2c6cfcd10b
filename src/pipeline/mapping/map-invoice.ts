// A sales invoice or credit note → its journal, and the journal of its payment where the tenant wants that.
import { message } from '../../language/messages.js';
import type { Message } from '../../domain/message.js';
import { BOOK_CURRENCY, currencyDecimals, roundTo } from '../../domain/money.js';
import type { Journal, JournalParty } from '../../domain/journal.js';
import type { SourceInvoice } from '../../domain/source-document.js';
import type { MappingContext } from './context.js';
import {
  checkKennitala,
  type CheckedKennitala,
  traceOf,
  type PricedLine,
  makeJournal,
  choosePostingDate,
  type PostingDate,
} from './make-journal.js';
import { chooseDimensions, type ChosenDimensions } from './dimensions.js';
import { invoiceRate, type ExchangeRate } from './exchange-rate.js';
import { readAmounts, type InvoiceAmounts, gateInvoice, isBeforeCutOver } from './invoice-gates.js';
import { draftInvoiceLines, priceLines } from './invoice-lines.js';
import {
  isStop,
  notPosted,
  stop,
  warning,
  type MappingOutcome,
  type Stop,
  aboutDocument,
  because,
  type Because,
  cutReasons,
  cutWarnings,
  describeJournal,
  documentNumber,
  lineText,
  type DocumentNumber,
  type TemplateFacts,
} from './outcome.js';
import { reconcileInvoice, type Reconciled } from './reconcile-invoice.js';
import { openRuleBook, type RuleBook, type TenantRules } from './rules.js';
import { settleInvoice, type Settlement } from './settle-invoice.js';

/** Everything that was decided about an invoice before its lines are made. */
interface Decisions {
  readonly invoice: SourceInvoice;
  readonly book: RuleBook;
  readonly context: MappingContext;
  readonly reconciled: Reconciled;
  readonly exchange: ExchangeRate;
  readonly date: PostingDate;
  readonly dimensions: ChosenDimensions;
  readonly party: CheckedKennitala;
  readonly number: DocumentNumber;
  readonly facts: TemplateFacts;
  readonly description: string;
}

export function mapInvoice(
  invoice: SourceInvoice,
  rules: TenantRules,
  context: MappingContext,
): MappingOutcome {
  const reasons: Because[] = [];
  const decisions = decide(invoice, openRuleBook(rules), context, reasons);
  const trace = aboutDocument(reasons);
  if (isStop(decisions)) return notPosted(decisions, { trace });
  const warnings = warningsOf(decisions);
  const lines = invoiceLines(decisions);
  if (isStop(lines)) return notPosted(lines, { trace, warnings });
  const settlement = settleInvoice({
    invoice,
    receivable: lines.find(({ draft }) => draft.role === 'receivable'),
    book: decisions.book,
    context,
    text: () => describeJournal('settlement', decisions.facts, decisions.book),
  });
  const journal = bookInvoice(decisions, lines);
  if (isStop(journal)) return notPosted(journal, { trace, warnings });
  const paid = settlement.lines.length === 0 ? null : bookSettlement(decisions, settlement);
  if (isStop(paid)) return notPosted(paid, { trace, warnings });
  return {
    outcome: 'post',
    journal,
    ...(paid === null ? {} : { settlement: paid }),
    warnings: [...warnings, ...settlement.warnings],
    trace: [...trace, ...traceOf('document', lines), ...traceOf('settlement', settlement.lines)],
  };
}

/** `reasons` takes what was decided, so that a document that is stopped on the way shows how far it came. */
function decide(
  invoice: SourceInvoice,
  book: RuleBook,
  context: MappingContext,
  reasons: Because[],
): Decisions | Stop {
  const gate = gateInvoice(invoice, book, context);
  if (gate) return gate;
  const number = numberOf(invoice, book);
  reasons.push(...numberReasons(invoice, number, context));
  const amounts = readAmounts(invoice);
  if (amounts.amount.isZero() && isEmpty(amounts)) return stop('ZERO_AMOUNT');
  const reconciled = reconcileInvoice(amounts, book, context);
  if (isStop(reconciled)) return reconciled;
  reasons.push(reconciled.because);
  const exchange = invoiceRate(invoice, { book, context });
  if (isStop(exchange)) return exchange;
  reasons.push(exchange.because);
  const date = choosePostingDate(invoice.issueDate, book);
  if (isStop(date)) return date;
  reasons.push(date.because);
  const texts = {
    cost_provide: invoice.costProvide,
    booking: invoice.booking,
    terms: invoice.terms,
    description: invoice.description,
  };
  const party = checkKennitala(invoice.customer.registrationNo, true);
  const names = [party.kennitala, invoice.customer.guid];
  const dimensions = chooseDimensions(texts, 'invoice', book, names);
  if (isStop(dimensions)) return dimensions;
  const facts = templateFacts(invoice, number, party.kennitala);
  const description = describeJournal(invoice.type === 'credit' ? 'credit' : 'invoice', facts, book);
  return {
    invoice,
    book,
    context,
    reconciled,
    exchange,
    date,
    dimensions,
    party,
    number,
    facts,
    description,
  };
}

function isEmpty(amounts: InvoiceAmounts): boolean {
  const [first] = amounts.readings();
  return first?.lines.every(({ net }) => net.isZero()) ?? true;
}

function numberOf(invoice: SourceInvoice, book: RuleBook): DocumentNumber {
  const { credit, invoice: plain } = book.rules.numbering;
  return documentNumber(invoice.type === 'credit' ? credit : plain, invoice.number.trim(), book);
}

function templateFacts(
  invoice: SourceInvoice,
  { documentNo }: DocumentNumber,
  kennitala: string,
): TemplateFacts {
  return {
    documentNo,
    number: invoice.number.trim(),
    party: invoice.customer.name,
    kennitala,
    description: invoice.description,
    date: invoice.issueDate,
  };
}

function invoiceLines(decisions: Decisions): readonly PricedLine[] | Stop {
  const { invoice, reconciled, book, context, exchange, dimensions, party } = decisions;
  const text = lineText(decisions.description, book);
  const drafts = draftInvoiceLines({
    invoice,
    reconciled,
    book,
    context,
    kennitala: party.kennitala,
    dueDate: invoice.dueDate || undefined,
    dimensions: dimensions.dimensions,
    dimensionReasons: dimensions.because,
    postingDate: decisions.date.postingDate,
    text,
  });
  const { currency } = invoice;
  return priceLines(drafts, { currency, rate: exchange.rate, book, roundingText: text });
}

function bookInvoice(decisions: Decisions, lines: readonly PricedLine[]): Journal | Stop {
  const { invoice, book, exchange, reconciled } = decisions;
  const isForeign = invoice.currency !== BOOK_CURRENCY;
  const total = roundTo(reconciled.amount, isForeign ? currencyDecimals(invoice.currency) : book.iskDecimals);
  return makeJournal({
    header: {
      description: decisions.description,
      ...headerOf(decisions),
      ...(invoice.dueDate === '' ? {} : { dueDate: invoice.dueDate }),
      ...(invoice.settlementDate === '' ? {} : { settlementDate: invoice.settlementDate }),
      ...(invoice.type === 'credit' ? { appliesTo: invoice.referGuid } : {}),
    },
    lines,
    isMirrored: invoice.type === 'credit',
    iskDecimals: book.iskDecimals,
    control: {
      roles: ['receivable'],
      isk: isForeign ? roundTo(total.times(exchange.rate), book.iskDecimals) : total,
      ...(isForeign ? { currency: total } : {}),
    },
  });
}

function bookSettlement(decisions: Decisions, { lines }: Settlement): Journal | Stop {
  return makeJournal({
    header: {
      description: describeJournal('settlement', decisions.facts, decisions.book),
      ...headerOf(decisions),
    },
    lines,
    isMirrored: decisions.invoice.type === 'credit',
    iskDecimals: decisions.book.iskDecimals,
  });
}

function headerOf(decisions: Decisions): Omit<Journal, 'lines' | 'description'> {
  const { invoice, exchange, date, facts, party } = decisions;
  const customer = customerOf(invoice, party.kennitala);
  return {
    documentNo: facts.documentNo,
    externalReference: invoice.guid,
    postingDate: date.postingDate,
    documentDate: invoice.issueDate,
    currency: invoice.currency,
    exchangeRate: exchange.rate,
    ...(customer === null ? {} : { party: customer }),
  };
}

function customerOf({ customer }: SourceInvoice, kennitala: string): JournalParty | null {
  if (kennitala === '' && customer.name === '') return null;
  const { address, zip, city, email } = customer;
  return {
    kind: 'customer',
    kennitala,
    name: customer.name,
    ...(address === '' ? {} : { address }),
    ...(zip === '' ? {} : { zip }),
    ...(city === '' ? {} : { city }),
    ...(email === '' ? {} : { email }),
  };
}

function warningsOf({ reconciled, date, party, number, book, context: { original } }: Decisions): Message[] {
  const moved = date.isMoved ? [warning('POSTING_DATE_MOVED', { date: date.postingDate })] : [];
  const isByHand = original && original.accountingStatus !== 'Posted' && isBeforeCutOver(original, book);
  const byHand = isByHand ? [warning('ORIGINAL_BEFORE_CUT_OVER', { date: original.issueDate ?? '' })] : [];
  return [...reconciled.warnings, ...byHand, ...moved, ...party.warnings, ...cutWarnings(number)];
}

function numberReasons(
  { type, referGuid }: SourceInvoice,
  number: DocumentNumber,
  { original }: MappingContext,
): Because[] {
  const isCredit = type === 'credit';
  const numbering = isCredit ? 'numbering.credit' : 'numbering.invoice';
  const notLookedUp = because('original', referGuid, 'specification', message('ORIGINAL_NOT_LOOKED_UP'));
  return [
    because('documentNo', number.documentNo, numbering, message('PREFIX_AND_NUMBER')),
    ...cutReasons(number),
    ...(isCredit && !original ? [notLookedUp] : []),
  ];
}
