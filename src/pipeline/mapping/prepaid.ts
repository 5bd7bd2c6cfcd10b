// A bill of which a part was paid beforehand. The cost may be about the whole, and then all of it is owed here; or about what is left to
// pay, and then the whole is bought, and the rest is taken from the account on which the money stands.
import { minorUnit } from '../../domain/currency.js';
import { amountText, isWithin } from '../../domain/money.js';
import type { SourceCost } from '../../domain/source-document.js';
import { stop, type Stop } from './outcome.js';
import type { RuleBook } from './rule-book.js';
import type { UblDocument } from './ubl/read-ubl.js';

/** The cost with the amount that it was bought for. */
export function wholeOf(cost: SourceCost, ubl: UblDocument | null): SourceCost {
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

export function checkPrepaid(cost: SourceCost, whole: SourceCost, { rules }: RuleBook): Stop | null {
  if (whole === cost || rules.accounts.supplierPrepayments !== undefined) return null;
  return stop('PREPAID_WITHOUT_ACCOUNT', {
    amount: amountText(whole.amount),
    left: amountText(cost.amount),
    currency: cost.currency,
  });
}
