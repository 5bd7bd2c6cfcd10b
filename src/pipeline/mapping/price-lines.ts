// From signed amounts in the document's currency to lines in whole ISK that balance. In ISK every line is rounded on its
// own and the difference gets a line; a foreign document is first made exact in its own currency, then converted.
import { message } from '../../language/messages.js';
import { BOOK_CURRENCY, currencyDecimals, minorUnit, amountText, roundTo } from '../../domain/money.js';
import { sum, ZERO, type Decimal } from '../../domain/decimal.js';
import { bySizeThenName, type DraftLine, type PricedLine } from './draft-line.js';
import { isStop, stop, type Stop, because } from './outcome.js';
import type { RuleBook } from './rules.js';

export interface Pricing {
  readonly currency: string;
  readonly rate: Decimal;
  readonly book: RuleBook;
  readonly roundingText: string;
}

export function priceLines(drafts: readonly DraftLine[], pricing: Pricing): readonly PricedLine[] | Stop {
  const isForeign = pricing.currency !== BOOK_CURRENCY;
  const exact = isForeign ? makeExact(drafts, pricing) : drafts;
  if (isStop(exact)) return exact;
  const all = exact.map((draft) => priceLine(draft, exact, isForeign, pricing));
  const priced = withRevenue(all).filter(({ isk }) => !isk.isZero());
  if (priced.length === 0) return stop('ZERO_AMOUNT');
  // What is worth nothing in ISK cannot carry its share of the currency: then the document is too small to book.
  if (!sum(priced.map(({ currencyAmount }) => currencyAmount ?? ZERO)).isZero()) {
    return stop('TOO_FEW_LINES', { rate: amountText(pricing.rate) });
  }
  const over = sum(priced.map(({ isk }) => isk));
  if (over.isZero()) return priced;
  if (over.abs().gt(pricing.book.maxIsk)) {
    return stop('ROUNDING_EXCEEDED', {
      left: amountText(over.abs()),
      currency: BOOK_CURRENCY,
      step: 'krónur',
    });
  }
  return [...priced, roundingLine(over.neg(), pricing)];
}

/** Sales that are each worth less than half a króna may be one together: then the largest stands for all of them. */
function withRevenue(lines: readonly PricedLine[]): readonly PricedLine[] {
  const sales = lines.filter(({ draft }) => isRevenue(draft));
  if (sales.length === 0 || sales.some(({ isk }) => !isk.isZero())) return lines;
  const largest = sales.toSorted((one, other) => bySizeThenName(one.draft, other.draft))[0];
  const others = sum(lines.map(({ isk }) => isk));
  return lines.map((line) => (line === largest ? { ...line, isk: others.neg() } : line));
}

function priceLine(
  draft: DraftLine,
  all: readonly DraftLine[],
  isForeign: boolean,
  { rate, book }: Pricing,
): PricedLine {
  const inIsk = (amount: Decimal) => roundTo(isForeign ? amount.times(rate) : amount, book.iskDecimals);
  const base = vatBaseOf(draft, all);
  return {
    draft,
    isk: inIsk(draft.amount),
    ...(isForeign ? { currencyAmount: draft.amount } : {}),
    ...(base === null ? {} : { vatBase: inIsk(base) }),
  };
}

/** VAT is computed on the document's sum, so its base is the sum over all lines of that treatment. */
function vatBaseOf(draft: DraftLine, all: readonly DraftLine[]): Decimal | null {
  if (draft.net !== undefined) return draft.net;
  if (draft.role !== 'vat-out' || draft.treatment === undefined) return null;
  return sum(
    all.filter((line) => line.treatment === draft.treatment && isRevenue(line)).map(({ amount }) => amount),
  );
}

function isRevenue({ role }: DraftLine): boolean {
  return role === 'revenue' || role === 'residual';
}

/** Σ = 0 in the currency, at its own decimals, and every line worth at least one króna. */
function makeExact(drafts: readonly DraftLine[], pricing: Pricing): readonly DraftLine[] | Stop {
  const decimals = currencyDecimals(pricing.currency);
  const rounded = drafts.map((draft) => {
    const amount = roundTo(draft.amount, decimals);
    return amount === draft.amount ? draft : { ...draft, amount };
  });
  const over = sum(rounded.map(({ amount }) => amount));
  const allowed = minorUnit(pricing.currency).times(pricing.book.maxMinorUnits);
  if (over.abs().gt(allowed) || !(over.isZero() || rounded.some(isRevenue))) {
    return stop('ROUNDING_EXCEEDED', {
      left: amountText(over.abs()),
      currency: pricing.currency,
      step: 'lines',
    });
  }
  return foldWorthless(foldInto(rounded, over.neg()), pricing);
}

/** Into the largest revenue line; of equals, the first by treatment and account, so that line order has no say. */
function foldInto(lines: readonly DraftLine[], amount: Decimal, like?: DraftLine): readonly DraftLine[] {
  if (amount.isZero()) return lines;
  const revenue = lines.filter(isRevenue);
  const alike = revenue.filter((line) => line.treatment === like?.treatment);
  const target = (alike.length > 0 ? alike : revenue).toSorted(bySizeThenName)[0];
  if (!target) return lines;
  return lines.map((line) => (line === target ? withMore(line, amount) : line));
}

function withMore(line: DraftLine, amount: Decimal): DraftLine {
  return {
    ...line,
    amount: line.amount.plus(amount),
    ...(line.net === undefined ? {} : { net: line.net.plus(amount) }),
    because: [
      ...line.because,
      because('amount', amountText(amount), 'rounding.maxMinorUnits', message('ROUNDING_REST')),
    ],
  };
}

function foldWorthless(lines: readonly DraftLine[], { rate, book }: Pricing): readonly DraftLine[] {
  const isWorthless = ({ amount, role }: DraftLine) =>
    role !== 'receivable' && roundTo(amount.times(rate), book.iskDecimals).isZero();
  const sorted = lines.filter(isWorthless).toSorted(bySizeThenName);
  if (sorted.length === 0) return lines;
  // Where nothing is worth a króna on its own, the largest sale takes in the others.
  const hasWorthy = lines.some((line) => isRevenue(line) && !sorted.includes(line));
  const stays = hasWorthy ? undefined : sorted.find(isRevenue);
  const worthless = sorted.filter((line) => line !== stays);
  let kept: readonly DraftLine[] = lines.filter((line) => !worthless.includes(line));
  for (const line of worthless) kept = foldInto(kept, line.amount, line);
  return kept;
}

function roundingLine(isk: Decimal, { book, roundingText }: Pricing): PricedLine {
  const account = book.rules.accounts.rounding;
  const why = message('ROUNDED_ONE_BY_ONE');
  const draft: DraftLine = {
    account,
    role: 'rounding',
    amount: ZERO,
    text: roundingText,
    because: [because('account', account, 'accounts.rounding', why)],
  };
  return { draft, isk };
}
