// A cost, its e-invoice and its rate, and the parts that its amount is split into.
import { type Decimal, ZERO } from '../../domain/decimal.js';
import type { SourceCost } from '../../domain/source-document.js';
import type { RuleBook } from './rules.js';
import type { UblDocument } from './ubl/read-ubl.js';
import type { TaxCode, TaxedCode } from './vat-rates.js';
import { roundTo } from '../../domain/money.js';
import type { CostAssignment } from './cost-assignment.js';

export type PerTaxed = Readonly<Record<TaxedCode, Decimal>>;

export function vatOfCost(cost: SourceCost): PerTaxed {
  return { S: cost.vatS, AA: cost.vatAA };
}

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

/** A cost whose rate is known: `gross` in ISK and rounded, `rate` ISK per one unit. */
export interface CostMoney {
  readonly cost: SourceCost;
  readonly ubl: UblDocument | null;
  readonly gross: Decimal;
  readonly rate: Decimal;
  readonly book: RuleBook;
  /** Its VAT is that of imported goods. */
  readonly isImport: boolean;
}

// What of VAT comes back, in whole units of the books.

export function deductible({ percent }: CostAssignment, amount: Decimal, book: RuleBook): Decimal {
  if (percent === 100 || amount.isZero()) return amount;
  return percent === 0 ? ZERO : roundTo(amount.times(percent).div(100), book.iskDecimals);
}
