// ISK per one unit of the document's currency. A rate far from the reference is refused, never turned upside down.
import type { Message } from '../../domain/message.js';
import { message } from '../../language/messages.js';
import {
  BOOK_CURRENCY,
  minorUnit,
  amountText,
  isAboveZero,
  isWithin,
  roundTo,
  Decimal,
} from '../../domain/money.js';
import type { IsoDate, SourceInvoice } from '../../domain/source-document.js';
import { doubt, isStop, stop, type Stop, because, type Because } from './outcome.js';
import type { MappingContext } from './context.js';
import type { DatedRate, RuleBook } from './rules.js';
import type { UblDocument } from './ubl/read-ubl.js';

export interface ExchangeRate {
  readonly rate: Decimal;
  readonly because: Because;
}

/** What is known without the document: the rules, and what was looked up for it. */
export interface KnownRates {
  readonly book: RuleBook;
  readonly context: MappingContext;
}

const ONE = new Decimal(1);
/** Enough for any rate, and free of the noise of binary floats. */
const STATED_RATE_DECIMALS = 8;
const UBL_RATE_DECIMALS = 4;
const DAY_MS = 86_400_000;

const BOOK_RATE: ExchangeRate = {
  rate: ONE,
  because: because('exchangeRate', '1', 'specification', message('BOOKS_IN_ISK')),
};

/** A credit note is worth what its original was: without a rate of its own it takes that of its original, or of the day of that. */
export function invoiceRate(invoice: SourceInvoice, known: KnownRates): ExchangeRate | Stop {
  const { currency } = invoice;
  if (currency === BOOK_CURRENCY) return BOOK_RATE;
  const own = statedRate(invoice.exchangeRate);
  if (own) return plausible(currency, own, STATED_BY_INVOICE, known.book);
  const ofOriginal = originalRate(invoice, known.context);
  if (ofOriginal) return plausible(currency, ofOriginal, STATED_BY_ORIGINAL, known.book);
  const day = rateDay(invoice, known.context);
  return knownRate(currency, day, known) ?? missing(currency, day, known);
}

/** A rate of exactly 1 on a foreign document is what nobody filled in, so it counts as not stated. */
export function statedRate(rate: Decimal | null | undefined): Decimal | null {
  return rate && !rate.isZero() && !rate.eq(ONE) ? roundTo(rate, STATED_RATE_DECIMALS) : null;
}

export function originalRate(
  { type, currency }: SourceInvoice,
  { original }: MappingContext,
): Decimal | null {
  if (type !== 'credit' || (original?.currency ?? currency) !== currency) return null;
  return statedRate(original?.exchangeRate);
}

/** The day whose rate counts where no document states one. */
export function rateDay({ type, issueDate }: SourceInvoice, { original }: MappingContext): IsoDate {
  return (type === 'credit' ? original?.issueDate : undefined) ?? issueDate;
}

/** Of a day on which money came in: no document states it. */
export function rateOnDay(currency: string, day: IsoDate, known: KnownRates): ExchangeRate | Stop {
  return knownRate(currency, day, known) ?? missing(currency, day, known);
}

/** The supplier's own rate, where the e-invoice states VAT in both currencies and the table says something else. */
export function costRate(
  currency: string,
  issueDate: IsoDate,
  ubl: UblDocument | null,
  known: KnownRates,
): ExchangeRate | Stop {
  if (currency === BOOK_CURRENCY) return BOOK_RATE;
  const fromTable = knownRate(currency, issueDate, known);
  const own = ubl === null ? null : ownRate(ubl);
  if (own === null) return fromTable ?? missing(currency, issueDate, known);
  if (fromTable && !isStop(fromTable) && agrees(fromTable.rate, own, currency)) return fromTable;
  const stated = plausible(currency, own.rate, STATED_BY_UBL, known.book);
  return isStop(stated) ? (fromTable ?? stated) : stated;
}

interface OwnRate {
  readonly rate: Decimal;
  readonly vat: Decimal;
  readonly vatIsk: Decimal;
}

function ownRate({ taxTotal, taxTotalIsk }: UblDocument): OwnRate | null {
  if (taxTotal === null || taxTotalIsk === null || taxTotal.isZero() || taxTotalIsk.isZero()) return null;
  const exact = taxTotalIsk.div(taxTotal).abs();
  const rate = roundTo(exact, exact.lt(ONE) ? STATED_RATE_DECIMALS : UBL_RATE_DECIMALS);
  return { rate, vat: taxTotal.abs(), vatIsk: taxTotalIsk.abs() };
}

/** VAT that was rounded to krónur and cents tells a rate only roughly; then the table's is the better one. */
function agrees(rate: Decimal, { vat, vatIsk }: OwnRate, currency: string): boolean {
  const rounding = minorUnit(currency).times(rate).div(2).plus(ONE);
  return isWithin(vat.times(rate), vatIsk, rounding);
}

/** The tenant's table, or what the rate source said: the later day, and of equals the tenant's own word. */
function knownRate(
  currency: string,
  day: IsoDate,
  { book, context }: KnownRates,
): ExchangeRate | Stop | null {
  const inTable = tableRate(currency, day, book);
  const { rate: asked } = context;
  if (asked && asked.day <= day && (inTable === null || inTable.day < asked.day)) {
    const origin = {
      name: asked.origin,
      rule: asked.origin,
      why: message('RATE_OF_DAY', { day: asked.day }),
      isInferred: true,
    };
    return plausible(currency, asked.rate, origin, book);
  }
  if (inTable === null) return null;
  const rule = `fx.table.${currency}.${inTable.day}`;
  const origin = { name: rule, rule, why: message('NO_RATE_STATED'), isInferred: true };
  return plausible(currency, inTable.rate, origin, book);
}

export function tableRate(currency: string, day: IsoDate, book: RuleBook): DatedRate | null {
  const found = book.rates.get(currency)?.find((entry) => entry.day <= day);
  return found && ageDays(found.day, day) <= book.rules.fx.maxAgeDays ? found : null;
}

interface RateOrigin {
  /** The field or rule that a person looks at. */
  readonly name: string;
  readonly rule: string;
  readonly why: Message;
  /** Not written on the document as its rate: then one that is upside down is a doubt, too. */
  readonly isInferred: boolean;
}

const STATED_BY_INVOICE: RateOrigin = {
  name: 'exchange_rate',
  rule: 'specification',
  why: message('INVOICE_STATES_IT'),
  isInferred: false,
};
const STATED_BY_ORIGINAL: RateOrigin = {
  name: 'refer_guid, exchange_rate',
  rule: 'specification',
  why: message('ORIGINAL_STATES_IT'),
  isInferred: true,
};
const STATED_BY_UBL: RateOrigin = {
  name: 'xml, TaxTotal',
  rule: 'specification',
  why: message('VAT_IN_BOTH'),
  isInferred: true,
};

/** A rate that is upside down is wrong on the document. One that is far only may be: fx.reference may be old. */
function plausible(currency: string, rate: Decimal, origin: RateOrigin, book: RuleBook): ExchangeRate | Stop {
  const reference = book.reference.get(currency);
  if (!isAboveZero(rate) || !isNear(rate, reference, book)) {
    const given = {
      rate: amountText(rate),
      currency,
      expected: reference?.toString() ?? '?',
      origin: origin.name,
    };
    const isWrong = !isAboveZero(rate) || isNear(ONE.div(rate), reference, book);
    return isWrong && !origin.isInferred
      ? stop('FX_RATE_IMPLAUSIBLE', given)
      : doubt('FX_RATE_IMPLAUSIBLE', given);
  }
  return { rate, because: because('exchangeRate', amountText(rate), origin.rule, origin.why) };
}

function isNear(rate: Decimal, reference: Decimal | undefined, { bandFactor }: RuleBook): boolean {
  return (
    reference === undefined || !(rate.times(bandFactor).lt(reference) || rate.gt(reference.times(bandFactor)))
  );
}

function missing(currency: string, day: IsoDate, { context }: KnownRates): Stop {
  const { ratesProblem } = context;
  return ratesProblem === undefined
    ? stop('FX_RATE_MISSING', { currency, date: day })
    : stop('FX_RATE_PENDING', { currency, date: day, problem: ratesProblem });
}

function ageDays(from: IsoDate, to: IsoDate): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}
