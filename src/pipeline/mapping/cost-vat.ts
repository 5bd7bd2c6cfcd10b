// What of a cost is VAT, at which rate, and on what base. The service gives the VAT amounts in ISK, also on a foreign cost
// (Document 1, write rule 8); the bases follow from them, and the rest of the net is the part without VAT.
import { BOOK_CURRENCY } from '../../domain/currency.js';
import { Decimal, sum, ZERO } from '../../domain/decimal.js';
import { amountText, isBelowZero, isWithin, roundTo } from '../../domain/money.js';
import type { SourceCost } from '../../domain/source-document.js';
import { stop, type Stop } from './outcome.js';
import type { CostCodeRule } from './rules.js';
import type { UblDocument } from './ubl/read-ubl.js';
import { TAXED_CODES, VAT_RATES, type TaxCode, type TaxedCode } from './vat-rates.js';

export interface CostPart {
  readonly tax: TaxCode;
  /** ISK. */
  readonly base: Decimal;
  readonly vat: Decimal;
  /** The base that the VAT amount alone implies, before a rest of rounding joined it. */
  readonly impliedBase: Decimal;
  /** The rest of rounding that joined the base. */
  readonly joined?: Decimal;
}

const GROSS_SLACK = new Decimal(10);
const REST_SLACK = new Decimal(1);
/** Half a króna of VAT moves the base by 0.5 / rate, and the base is rounded too. */
const REST_SLACK_PER_RATE: Readonly<Record<TaxedCode, Decimal>> = {
  S: new Decimal('2.6'),
  AA: new Decimal('5.1'),
};
const PERCENTS: Readonly<Record<TaxedCode, Decimal>> = { S: new Decimal(24), AA: new Decimal(11) };
const ISK_TOLERANCE = new Decimal(1);
const CURRENCY_TOLERANCE = new Decimal('0.01');

export function vatOfCost(cost: SourceCost): Readonly<Record<TaxedCode, Decimal>> {
  return { S: cost.vatS, AA: cost.vatAA };
}

/** Without the rate of a foreign cost only the sign can be judged; `gross` is then null. */
export function checkVat(cost: SourceCost, gross: Decimal | null): Stop | null {
  const vats = vatOfCost(cost);
  if (TAXED_CODES.some((tax) => isBelowZero(vats[tax]))) return stop('VAT_IMPLAUSIBLE');
  if (gross === null) return null;
  const charged = TAXED_CODES.filter((tax) => !vats[tax].isZero());
  const needed = sum(charged.map((tax) => vats[tax].times(VAT_RATES[tax].plus(1)).div(VAT_RATES[tax])));
  return needed.gt(gross.plus(GROSS_SLACK)) ? tooMuch(gross, needed) : null;
}

export function checkVatAllowed(cost: SourceCost, code: string, rule: CostCodeRule): Stop | null {
  const hasVat = !cost.vatS.isZero() || !cost.vatAA.isZero();
  if (rule.vat !== 'none' || !hasVat) return null;
  return stop('VAT_NOT_ALLOWED', { costCode: code });
}

/** Key on the percent: 11 % arrives as category S with Percent 11; AA is no Peppol category. */
export function crossCheck(cost: SourceCost, ubl: UblDocument): Stop | null {
  if (ubl.currency !== cost.currency)
    return stop('XML_MISMATCH', { field: 'Currency', ours: cost.currency, theirs: ubl.currency });
  const isIsk = cost.currency === BOOK_CURRENCY;
  if (!isWithin(ubl.payable.abs(), cost.amount, isIsk ? ISK_TOLERANCE : CURRENCY_TOLERANCE)) {
    return stop('XML_MISMATCH', {
      field: 'Amount',
      ours: amountText(cost.amount),
      theirs: amountText(ubl.payable),
    });
  }
  if (!isIsk) return null;
  const vats = vatOfCost(cost);
  for (const tax of TAXED_CODES) {
    const theirs = sum(
      ubl.taxes.filter(({ percent }) => percent.eq(PERCENTS[tax])).map((entry) => entry.tax),
    ).abs();
    if (!isWithin(theirs, vats[tax], ISK_TOLERANCE)) {
      return stop('XML_MISMATCH', {
        field: 'VAT',
        rate: PERCENTS[tax].toString(),
        ours: amountText(vats[tax]),
        theirs: amountText(theirs),
      });
    }
  }
  return null;
}

/** `gross` in ISK, rounded. The parts add up to it exactly. */
export function splitCost(cost: SourceCost, gross: Decimal, iskDecimals: number): readonly CostPart[] | Stop {
  const given = vatOfCost(cost);
  const taxed = TAXED_CODES.flatMap((tax) => {
    const vat = roundTo(given[tax], iskDecimals);
    if (vat.isZero()) return [];
    const base = roundTo(vat.div(VAT_RATES[tax]), iskDecimals);
    return [{ tax, vat, base, impliedBase: base }];
  });
  const net = gross.minus(sum(taxed.map(({ vat }) => vat)));
  const rest = net.minus(sum(taxed.map(({ base }) => base)));
  const slack = sum([REST_SLACK, ...taxed.map(({ tax }) => REST_SLACK_PER_RATE[tax])]);
  const largest = taxed.toSorted((one, other) => other.base.comparedTo(one.base))[0];
  if (largest && rest.abs().lte(slack)) {
    if (rest.isZero()) return taxed;
    return taxed.map((part) =>
      part === largest ? { ...part, base: part.base.plus(rest), joined: rest } : part,
    );
  }
  if (isBelowZero(rest)) return tooMuch(gross, gross.minus(rest));
  return [...taxed, { tax: 'Z' as const, vat: ZERO, base: rest, impliedBase: rest }].filter(
    ({ base, vat }) => !(base.isZero() && vat.isZero()),
  );
}

function tooMuch(gross: Decimal, needed: Decimal): Stop {
  return stop('VAT_IMPLAUSIBLE', { needed: amountText(roundTo(needed, 0)), gross: amountText(gross) });
}
