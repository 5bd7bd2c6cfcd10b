// A cost, its e-invoice and its rate, and the parts that its amount is split into.
import type { Decimal } from '../../domain/decimal.js';
import type { SourceCost } from '../../domain/source-document.js';
import type { RuleBook } from './rule-book.js';
import type { UblDocument } from './ubl/read-ubl.js';
import type { TaxCode, TaxedCode } from './vat-rates.js';

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
