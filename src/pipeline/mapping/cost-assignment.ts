// What a cost, or a line of its e-invoice, is booked on: the rule of its code, with what the first fitting case says over it.
import type { Message } from '../../domain/message.js';
import { message } from '../../language/messages.js';
import { plainKennitala } from '../../domain/kennitala.js';
import type { SourceCost } from '../../domain/source-document.js';
import { type CostCase, firstCase, type FoundCase, textOf } from './rule-schemas.js';
import type { RuleBook, CostCodeRule } from './rules.js';
import { because, type Because } from './outcome.js';
import type { UblDocument } from './ubl/read-ubl.js';

export interface CostAssignment {
  readonly account: Because;
  /** How much of the VAT comes back, and which rule says so. */
  readonly percent: number;
  readonly percentRule: string;
  /** Of the part without VAT. */
  readonly vatCode: Because | null;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly because: readonly Because[];
  /** Over how many months it is spread, where a case says so. */
  readonly months?: { readonly count: number; readonly rule: string };
}

export interface CostFacts {
  readonly cost: SourceCost;
  readonly code: string;
  readonly howPaid: string;
  readonly ubl: UblDocument | null;
}

/** `line` is the text of a line of the e-invoice; without it, cases that ask for one do not fit. */
export function caseOf(facts: CostFacts, book: RuleBook, line?: string): FoundCase<CostCase> | null {
  const { cost, code, howPaid, ubl } = facts;
  const cases = book.rules.cost.cases ?? [];
  if (cases.length === 0) return null;
  const exact = {
    supplier: [plainKennitala(cost.supplierId), ubl?.supplierKennitala ?? ''].filter((one) => one !== ''),
    code: [code, cost.costCode.trim()],
    country: [ubl?.supplierCountry ?? ''],
    currency: [cost.currency],
    howPaid: [howPaid],
    line: [],
  };
  const text = textOf(cost.description, cost.projectName, ubl?.supplierName ?? '');
  const texts = line === undefined ? { text } : { text, line: line.toLowerCase() };
  return firstCase(cases, { exact, texts }, 'cost');
}

export function assignCost(
  code: string,
  rule: CostCodeRule,
  why: Message,
  found: FoundCase<CostCase> | null,
): CostAssignment {
  const own = found?.case ?? null;
  const path = found?.path ?? '';
  const fitting = message('CASE_OF_COST');
  const dimensions = own?.dimensions ?? {};
  return {
    account:
      own?.account === undefined
        ? because('account', rule.account, `cost.codes.${code}.account`, why)
        : because('account', own.account, `${path}.account`, fitting),
    percent: own?.vatDeductiblePercent ?? rule.vatDeductiblePercent ?? 100,
    percentRule:
      own?.vatDeductiblePercent === undefined
        ? `cost.codes.${code}.vatDeductiblePercent`
        : `${path}.vatDeductiblePercent`,
    vatCode: own?.vatCode === undefined ? null : because('vatCode', own.vatCode, `${path}.vatCode`, fitting),
    dimensions,
    because: Object.entries(dimensions).map(([name, value]) =>
      because('dimension', `${name} = ${value}`, `${path}.dimensions.${name}`, fitting),
    ),
    ...(own?.spreadMonths === undefined
      ? {}
      : { months: { count: own.spreadMonths, rule: `${path}.spreadMonths` } }),
  };
}
