// ISK per one unit of the document's currency. A rate far from the reference is refused, never turned upside down.
import { BOOK_CURRENCY } from '../../domain/currency.js';
import { Decimal } from '../../domain/decimal.js';
import { amountText, roundTo } from '../../domain/money.js';
import type { IsoDate, SourceInvoice } from '../../domain/source-document.js';
import { stop, type Stop } from './outcome.js';
import type { RuleBook } from './rule-book.js';
import { because, type Because } from './trace.js';
import type { UblDocument } from './ubl/read-ubl.js';

export interface ExchangeRate {
  readonly rate: Decimal;
  readonly because: Because;
}

const ONE = new Decimal(1);
/** Enough for any rate, and free of the noise of binary floats. */
const STATED_RATE_DECIMALS = 8;
const UBL_RATE_DECIMALS = 4;
const DAY_MS = 86_400_000;

const BOOK_RATE: ExchangeRate = {
  rate: ONE,
  because: because('exchangeRate', '1', 'specification', 'The books are kept in ISK.'),
};

export function invoiceRate(invoice: SourceInvoice, book: RuleBook): ExchangeRate | Stop {
  if (invoice.currency === BOOK_CURRENCY) return BOOK_RATE;
  if (invoice.exchangeRate !== null) {
    const rate = roundTo(invoice.exchangeRate, STATED_RATE_DECIMALS);
    return plausible(invoice.currency, rate, 'specification', 'The invoice states it.', book);
  }
  return tableRate(invoice.currency, invoice.issueDate, book) ?? missing(invoice.currency, invoice.issueDate);
}

export function costRate(
  currency: string,
  issueDate: IsoDate,
  ubl: UblDocument | null,
  book: RuleBook,
): ExchangeRate | Stop {
  if (currency === BOOK_CURRENCY) return BOOK_RATE;
  const fromTable = tableRate(currency, issueDate, book);
  if (fromTable) return fromTable;
  const inIsk = ubl?.taxTotalIsk ?? null;
  if (!ubl || inIsk === null || inIsk.isZero() || ubl.taxTotal.isZero()) return missing(currency, issueDate);
  const rate = roundTo(inIsk.div(ubl.taxTotal).abs(), UBL_RATE_DECIMALS);
  return plausible(currency, rate, 'specification', 'The e-invoice states its VAT in both currencies.', book);
}

function tableRate(currency: string, day: IsoDate, book: RuleBook): ExchangeRate | Stop | null {
  const found = book.rates.get(currency)?.find((entry) => entry.day <= day);
  if (!found || ageDays(found.day, day) > book.rules.fx.maxAgeDays) return null;
  return plausible(
    currency,
    found.rate,
    `fx.table.${currency}.${found.day}`,
    'The document states none.',
    book,
  );
}

function plausible(
  currency: string,
  rate: Decimal,
  rule: string,
  why: string,
  book: RuleBook,
): ExchangeRate | Stop {
  const reference = book.reference.get(currency);
  const isFar =
    reference !== undefined &&
    (rate.times(book.bandFactor).lt(reference) || rate.gt(reference.times(book.bandFactor)));
  if (rate.lte(0) || isFar) {
    return stop('FX_RATE_IMPLAUSIBLE', {
      rate: amountText(rate),
      currency,
      expected: reference?.toString() ?? '?',
    });
  }
  return { rate, because: because('exchangeRate', amountText(rate), rule, why) };
}

function missing(currency: string, day: IsoDate): Stop {
  return stop('FX_RATE_MISSING', { currency, date: day });
}

function ageDays(from: IsoDate, to: IsoDate): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}
