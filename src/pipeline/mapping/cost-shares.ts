// Splitting a cost by the lines of its e-invoice: each part of the cost (24 %, 11 %, without VAT) is shared out over what its
// lines are booked on, by their amounts. Where the lines say nothing of it, or nobody asks, a part stays whole.
import { type Decimal, sum, ZERO, roundTo } from '../../domain/money.js';
import { assignCost, caseOf, type CostAssignment, type CostFacts } from './cost-assignment.js';
import type { CostPart } from './cost-gates.js';
import type { RuleBook, CostCodeRule, TaxCode } from './rules.js';
import type { UblLine } from './ubl/read-ubl.js';

/** A part, or a share of one, with what it is booked on. */
export interface CostShare extends CostPart {
  readonly assigned: CostAssignment;
}

export interface Sharing {
  readonly facts: CostFacts;
  readonly rule: CostCodeRule;
  readonly assigned: CostAssignment;
  readonly book: RuleBook;
}

/** Any other percent is the VAT of another country, which is no VAT here. */
function taxOf({ percent }: UblLine): TaxCode {
  const written = percent?.toString();
  return written === '24' ? 'S' : written === '11' ? 'AA' : 'Z';
}

export function shareOut(parts: readonly CostPart[], sharing: Sharing): readonly CostShare[] {
  const asksForLines = sharing.book.rules.cost.cases?.some(({ when }) => when.line !== undefined) === true;
  const lines = asksForLines ? (sharing.facts.ubl?.lines() ?? []) : [];
  return parts.flatMap((part) => sharePart(part, lines, sharing));
}

function sharePart(part: CostPart, lines: readonly UblLine[], sharing: Sharing): CostShare[] {
  const groups = new Map<string, { assigned: CostAssignment; amount: Decimal }>();
  for (const line of lines.filter((one) => taxOf(one) === part.tax)) {
    const assigned = assignLine(line, sharing);
    const key = JSON.stringify([
      assigned.account.value,
      assigned.percent,
      assigned.dimensions,
      assigned.months?.count,
    ]);
    const amount = (groups.get(key)?.amount ?? ZERO).plus(line.amount);
    groups.set(key, { assigned, amount });
  }
  const whole = sum([...groups.values()].map(({ amount }) => amount));
  const isUsable = groups.size > 1 && [...groups.values()].every(({ amount }) => amount.times(whole).gt(0));
  const [only] = groups.values();
  if (groups.size === 1 && only) return [{ assigned: only.assigned, ...part }];
  return isUsable
    ? divided(part, [...groups.values()], whole, sharing.book)
    : [{ assigned: sharing.assigned, ...part }];
}

function assignLine(line: UblLine, { facts, rule, assigned, book }: Sharing): CostAssignment {
  const found = caseOf(facts, book, line.text);
  return found?.case.when.line === undefined
    ? assigned
    : assignCost(facts.code, rule, assigned.account.why, found);
}

/** By amount, rounded; the largest takes what rounding leaves. */
function divided(
  part: CostPart,
  groups: readonly { assigned: CostAssignment; amount: Decimal }[],
  whole: Decimal,
  book: RuleBook,
): CostShare[] {
  const bySize = groups.toSorted((one, other) => other.amount.abs().comparedTo(one.amount.abs()));
  const of = (amount: Decimal, { amount: share }: { amount: Decimal }) =>
    roundTo(amount.times(share).div(whole), book.iskDecimals);
  const rest = (amount: Decimal) => amount.minus(sum(bySize.slice(1).map((group) => of(amount, group))));
  return bySize.map((group, index) => ({
    tax: part.tax,
    base: index === 0 ? rest(part.base) : of(part.base, group),
    vat: index === 0 ? rest(part.vat) : of(part.vat, group),
    impliedBase: index === 0 ? rest(part.impliedBase) : of(part.impliedBase, group),
    ...(index === 0 && part.joined !== undefined ? { joined: part.joined } : {}),
    assigned: group.assigned,
  }));
}
