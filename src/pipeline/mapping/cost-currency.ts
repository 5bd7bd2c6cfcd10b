// The lines of a foreign cost in its own currency, from their amounts in ISK: the service gives VAT in ISK only.
import { message } from '../../language/messages.js';
import { currencyDecimals } from '../../domain/currency.js';
import { sum, ZERO, type Decimal } from '../../domain/decimal.js';
import { amountText, roundTo } from '../../domain/money.js';
import type { SourceCost } from '../../domain/source-document.js';
import { bySizeThenName, type PricedLine } from './draft-line.js';
import { because } from './trace.js';

/** Each line at the rate; the cents that do not add up go into the largest expense line. */
export function withCurrency(
  lines: readonly PricedLine[],
  cost: SourceCost,
  rate: Decimal,
): readonly PricedLine[] {
  const decimals = currencyDecimals(cost.currency);
  const valued = lines.map((line) => {
    if (!isForeign(line)) return line;
    return { currencyAmount: roundTo(line.isk.div(rate), decimals), ...line };
  });
  const over = sum(valued.map((line) => currencyOf(line)));
  const largest = valued
    .filter((line) => line.draft.role === 'expense' && isForeign(line) && isBought(line))
    .toSorted((one, other) => bySizeThenName(one.draft, other.draft))[0];
  return valued.map((line) => {
    const { currencyAmount: _rounded, ...inIsk } = line === largest ? withCents(line, over.neg()) : line;
    const amount = currencyOf(line).minus(line === largest ? over : ZERO);
    return amount.isZero() ? inIsk : { ...inIsk, currencyAmount: amount };
  });
}

function withCents(line: PricedLine, cents: Decimal): PricedLine {
  if (cents.isZero()) return line;
  const why = message('CENTS_LEFT');
  const reason = because('currencyAmount', amountText(cents), 'specification', why);
  return { ...line, draft: { ...line.draft, because: [...line.draft.because, reason] } };
}

/** What was paid beforehand is exact already. */
function isBought({ draft }: PricedLine): boolean {
  return draft.treatment !== undefined;
}

/** Reverse charge exists in ISK only: its drafts have no amount of their own. */
function isForeign({ draft }: PricedLine): boolean {
  return !draft.amount.isZero();
}

function currencyOf({ currencyAmount }: PricedLine): Decimal {
  return currencyAmount ?? ZERO;
}
