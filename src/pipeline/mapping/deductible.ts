// What of VAT comes back, in whole units of the books.
import { type Decimal, ZERO } from '../../domain/decimal.js';
import { roundTo } from '../../domain/money.js';
import type { CostAssignment } from './cost-assignment.js';
import type { RuleBook } from './rule-book.js';

export function deductible({ percent }: CostAssignment, amount: Decimal, book: RuleBook): Decimal {
  if (percent === 100 || amount.isZero()) return amount;
  return percent === 0 ? ZERO : roundTo(amount.times(percent).div(100), book.iskDecimals);
}
