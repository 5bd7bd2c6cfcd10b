// A cost or its credit note → its journal. The amount is always positive at the source; which of the two it is, only the
// e-invoice behind it tells.
import { message } from '../../language/messages.js';
import {
  BOOK_CURRENCY,
  currencyDecimals,
  minorUnit,
  roundTo,
  amountText,
  isWithin,
  Decimal,
} from '../../domain/money.js';
import type { Message } from '../../domain/message.js';
import type { Journal, JournalParty } from '../../domain/journal.js';
import type { IsoDate, SourceCost } from '../../domain/source-document.js';
import type { MappingContext } from './context.js';
import {
  admitCost,
  type AdmittedCost,
  checkNotDeducted,
  checkSigns,
  checkSupplier,
  checkVatAllowed,
  crossCheck,
  withStatedVat,
  type CostMoney,
} from './cost-gates.js';
import { costLines, creditRole } from './cost-lines.js';
import { shareOut, type CostShare } from './cost-shares.js';
import { checkIskVat, splitCost, foreignVatOf } from './cost-vat.js';
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
import { costRate, type ExchangeRate } from './exchange-rate.js';
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
import { openRuleBook, type RuleBook, type TenantRules } from './rules.js';
import type { UblDocument } from './ubl/read-ubl.js';

/** Everything that was decided about a cost before its lines are made. */
interface Decisions {
  readonly cost: SourceCost;
  readonly book: RuleBook;
  readonly admitted: AdmittedCost;
  readonly exchange: ExchangeRate;
  /** ISK, as is what it was bought for; `whole` is that in the document's currency. */
  readonly gross: Decimal;
  readonly whole: Decimal;
  readonly foreignVat: Decimal;
  readonly parts: readonly CostShare[];
  readonly issueDate: IsoDate;
  readonly date: PostingDate;
  readonly dimensions: ChosenDimensions;
  readonly party: CheckedKennitala;
  readonly number: DocumentNumber;
  readonly facts: TemplateFacts;
  readonly description: string;
}

export function mapCost(cost: SourceCost, rules: TenantRules, context: MappingContext): MappingOutcome {
  const reasons: Because[] = [];
  const decisions = decide(cost, openRuleBook(rules), context, reasons);
  const trace = aboutDocument(reasons);
  if (isStop(decisions)) return notPosted(decisions, { trace });
  const warnings = warningsOf(decisions);
  const { admitted, book, exchange, gross, parts, dimensions, party, issueDate } = decisions;
  const lines = costLines({
    cost,
    admitted,
    book,
    parts,
    gross,
    whole: decisions.whole,
    foreignVat: decisions.foreignVat,
    issueDate,
    assigned: admitted.assigned,
    rate: exchange.rate,
    kennitala: party.kennitala,
    dueDate: admitted.ubl?.dueDate ?? undefined,
    dimensions: dimensions.dimensions,
    dimensionReasons: dimensions.because,
    text: lineText(decisions.description, book),
    postingDate: decisions.date.postingDate,
    isCredit: isCreditNote(cost, admitted.ubl),
  });
  const journal = bookCost(decisions, lines);
  if (isStop(journal)) return notPosted(journal, { trace, warnings });
  return { outcome: 'post', journal, warnings, trace: [...trace, ...traceOf('document', lines)] };
}

/** `reasons` takes what was decided, so that a cost that is stopped on the way shows how far it came. */
function decide(
  cost: SourceCost,
  book: RuleBook,
  context: MappingContext,
  reasons: Because[],
): Decisions | Stop {
  const admitted = admitCost(cost, book);
  if (isStop(admitted)) return admitted;
  const { ubl } = admitted;
  const issueDate = cost.issueDate || ubl?.issueDate || '';
  const number = documentNumber(book.rules.numbering.cost, numberOf(cost, ubl), book);
  reasons.push(...documentReasons(cost, ubl, number, issueDate));
  const money = judgeMoney(cost, issueDate, admitted, { book, context }, reasons);
  if (isStop(money)) return money;
  const date = choosePostingDate(issueDate, book);
  if (isStop(date)) return date;
  reasons.push(date.because);
  const texts = {
    project_name: cost.projectName,
    description: cost.description,
    cost_code: admitted.code,
    ubl_accounting_cost: ubl?.accountingCost ?? '',
    ubl_project: ubl?.project ?? '',
    ubl_buyer_reference: ubl?.buyerReference ?? '',
    ubl_order: ubl?.order ?? '',
  };
  // A supplier abroad has no kennitala, and a cost that was paid on the spot needs none.
  const isAbroad = !['', 'IS'].includes(ubl?.supplierCountry ?? '');
  const written = cost.supplierId.trim() || (ubl?.supplierKennitala ?? '');
  const party = checkKennitala(written, creditRole(admitted) === 'payable' && !isAbroad);
  const dimensions = chooseDimensions(texts, 'cost', book, [party.kennitala]);
  if (isStop(dimensions)) return dimensions;
  const facts = templateFacts(cost, ubl, number, issueDate, party.kennitala);
  const description = describeJournal('cost', facts, book);
  return { cost, book, admitted, ...money, issueDate, date, dimensions, party, number, facts, description };
}

/** In the order of the specification; the VAT of a foreign cost can be judged only once its rate is known. */
function judgeMoney(
  given: SourceCost,
  issueDate: IsoDate,
  admitted: AdmittedCost,
  { book, context }: Pick<Decisions, 'book'> & { context: MappingContext },
  reasons: Because[],
): Pick<Decisions, 'exchange' | 'gross' | 'whole' | 'foreignVat' | 'parts'> | Stop {
  const { code, rule, ubl, isImport } = admitted;
  const whole = wholeOf(given, ubl);
  const cost = withStatedVat(whole, admitted);
  const contradiction =
    (ubl ? checkSupplier(cost, ubl) : null) ??
    checkSigns(cost, ubl) ??
    (cost.currency === BOOK_CURRENCY ? checkIskVat({ ...iskMoney(cost, ubl, book), isImport }) : null) ??
    checkVatAllowed(cost, code, rule) ??
    (ubl ? crossCheck(cost, ubl, isImport) : null) ??
    checkPrepaid(given, whole, book);
  if (contradiction) return contradiction;
  const exchange = costRate(cost.currency, issueDate, ubl, { book, context });
  if (isStop(exchange)) return exchange;
  reasons.push(exchange.because);
  const gross = roundTo(cost.amount.times(exchange.rate), book.iskDecimals);
  const money = { cost, ubl, gross, rate: exchange.rate, book, isImport };
  const split = splitCost(money);
  if (isStop(split)) return split;
  if (gross.isZero()) return stop('ZERO_AMOUNT');
  reasons.push(...split.because, ...(cost === whole ? [] : [VAT_OF_XML]));
  const foreignVat = foreignVatOf(money);
  if (isStop(foreignVat)) return foreignVat;
  const facts = { cost, code, howPaid: admitted.howPaid, ubl };
  const parts = shareOut(split.parts, { facts, rule, assigned: admitted.assigned, book });
  return checkNotDeducted(whole, cost, parts) ?? { exchange, gross, whole: whole.amount, foreignVat, parts };
}

const VAT_OF_XML = because('vat', 'TaxAmount', 'specification', message('VAT_NOT_ON_COST'));

function iskMoney(cost: SourceCost, ubl: UblDocument | null, book: RuleBook): Omit<CostMoney, 'isImport'> {
  return { cost, ubl, book, gross: roundTo(cost.amount, book.iskDecimals), rate: ISK_RATE };
}

const ISK_RATE = new Decimal(1);
const GUID_CHARACTERS = 8;

function numberOf(cost: SourceCost, ubl: UblDocument | null): string {
  return ubl?.id || cost.guid.slice(0, GUID_CHARACTERS);
}

function templateFacts(
  cost: SourceCost,
  ubl: UblDocument | null,
  { documentNo }: DocumentNumber,
  issueDate: IsoDate,
  kennitala: string,
): TemplateFacts {
  return {
    documentNo,
    number: numberOf(cost, ubl),
    party: ubl?.supplierName ?? '',
    kennitala,
    description: cost.description,
    date: issueDate,
  };
}

function bookCost(decisions: Decisions, lines: readonly PricedLine[]): Journal | Stop {
  const { cost, book, admitted, exchange, date, facts, issueDate } = decisions;
  const { ubl } = admitted;
  const isForeign = cost.currency !== BOOK_CURRENCY;
  const supplier = supplierOf(decisions);
  const bill = creditedBill(decisions);
  const attachment = attachmentOf(cost);
  return makeJournal({
    header: {
      documentNo: facts.documentNo,
      externalReference: cost.guid,
      postingDate: date.postingDate,
      documentDate: issueDate,
      ...(ubl?.dueDate ? { dueDate: ubl.dueDate } : {}),
      ...(ubl?.settlementDate ? { settlementDate: ubl.settlementDate } : {}),
      description: decisions.description,
      currency: cost.currency,
      exchangeRate: exchange.rate,
      ...(bill === null ? {} : { appliesToNo: bill.documentNo }),
      ...(supplier === null ? {} : { party: supplier }),
      ...(attachment === null ? {} : { attachments: [attachment] }),
    },
    lines,
    isMirrored: isCreditNote(cost, ubl),
    iskDecimals: book.iskDecimals,
    control: {
      roles: [creditRole(admitted)],
      isk: roundTo(cost.amount.times(exchange.rate), book.iskDecimals).neg(),
      ...(isForeign ? { currency: roundTo(cost.amount, currencyDecimals(cost.currency)).neg() } : {}),
    },
  });
}

/** The bill that a credit note is for, by the number that it was booked under. */
function creditedBill({ cost, admitted: { ubl }, book }: Decisions): DocumentNumber | null {
  if (!ubl?.credits || !isCreditNote(cost, ubl)) return null;
  return documentNumber(book.rules.numbering.cost, ubl.credits, book);
}

function supplierOf({ party, facts }: Decisions): JournalParty | null {
  if (party.kennitala === '' && facts.party === '') return null;
  return { kind: 'supplier', kennitala: party.kennitala, name: facts.party };
}

function attachmentOf({ fileName, fileExtension }: SourceCost): string | null {
  if (fileName === '') return null;
  const hasExtension =
    fileExtension === '' || fileName.toLowerCase().endsWith(`.${fileExtension.toLowerCase()}`);
  return hasExtension ? fileName : `${fileName}.${fileExtension}`;
}

function warningsOf({ cost, admitted, date, party, number }: Decisions): Message[] {
  return [
    ...(admitted.ubl === null && !cost.isCreditNote ? [warning('SIGN_ASSUMED_INVOICE')] : []),
    ...(date.isMoved ? [warning('POSTING_DATE_MOVED', { date: date.postingDate })] : []),
    ...party.warnings,
    ...cutWarnings(number),
    ...(admitted.rule.watch === true ? [warning('COST_CODE_WATCHED', { costCode: admitted.code })] : []),
  ];
}

function documentReasons(
  cost: SourceCost,
  ubl: UblDocument | null,
  number: DocumentNumber,
  issueDate: IsoDate,
): Because[] {
  const dated = because('documentDate', issueDate, 'specification', message('DATE_FROM_XML'));
  return [
    because(
      'documentNo',
      number.documentNo,
      'numbering.cost',
      message('COST_NUMBER', { fromXml: Boolean(ubl?.id) }),
    ),
    ...cutReasons(number),
    signReason(cost, ubl),
    ...(cost.issueDate === '' && issueDate !== '' ? [dated] : []),
  ];
}

/** The e-invoice tells; without one, the flag with which the cost was created, where the service gives it back. */
function isCreditNote(cost: SourceCost, ubl: UblDocument | null): boolean {
  return ubl?.isCreditNote ?? cost.isCreditNote;
}

function signReason(cost: SourceCost, ubl: UblDocument | null): Because {
  const sign = isCreditNote(cost, ubl) ? 'credit note' : 'invoice';
  if (ubl !== null) return because('sign', sign, 'specification', message('XML_SAYS_SO'));
  const why = cost.isCreditNote ? message('CREDIT_NOTE_FLAG') : message('NO_XML_TO_TELL');
  return because('sign', sign, 'cost.whenXmlMissing', why);
}

// A bill of which a part was paid beforehand. The cost may be about the whole, and then all of it is owed here; or about what is left to
// pay, and then the whole is bought, and the rest is taken from the account on which the money stands.

/** The cost with the amount that it was bought for. */
function wholeOf(cost: SourceCost, ubl: UblDocument | null): SourceCost {
  if (!ubl || ubl.currency !== cost.currency) return cost;
  const total = ubl.total.abs();
  const left = ubl.payable.abs();
  const isOfRest =
    isWithin(left, cost.amount, minorUnit(cost.currency)) &&
    !isWithin(total, cost.amount, minorUnit(cost.currency));
  // What was paid beyond the whole is owed back: no part of this bill.
  const isRest = left.lt(total) && !ubl.payable.times(ubl.total).lt(0);
  return isOfRest && isRest ? { ...cost, amount: total } : cost;
}

function checkPrepaid(cost: SourceCost, whole: SourceCost, { rules }: RuleBook): Stop | null {
  if (whole === cost || rules.accounts.supplierPrepayments !== undefined) return null;
  return stop('PREPAID_WITHOUT_ACCOUNT', {
    amount: amountText(whole.amount),
    left: amountText(cost.amount),
    currency: cost.currency,
  });
}
