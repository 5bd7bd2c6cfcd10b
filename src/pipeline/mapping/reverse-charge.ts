// Services bought abroad without VAT: the buyer owes it, and deducts what of it is deductible. In ISK only, as no foreign
// money moves.
import type { Message } from '../../domain/message.js';
import { message } from '../../language/messages.js';
import { type Decimal, ZERO } from '../../domain/decimal.js';
import type { LineRole } from '../../domain/journal.js';
import { roundTo } from '../../domain/money.js';
import type { SourceCost } from '../../domain/source-document.js';
import type { CostAssignment } from './cost-assignment.js';
import type { AdmittedCost } from './cost-gates.js';
import { deductible } from './deductible.js';
import type { PricedLine } from './draft-line.js';
import type { RuleBook } from './rule-book.js';
import { because, type Because } from './trace.js';
import { VAT_RATES, type TaxedCode } from './vat-rates.js';

interface ReverseCharged {
  readonly cost: SourceCost;
  readonly admitted: AdmittedCost;
  readonly assigned: CostAssignment;
  readonly book: RuleBook;
  readonly gross: Decimal;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly text: string;
}

export function isReverseCharge({ cost, admitted, book }: ReverseCharged): boolean {
  const { reverseCharge, reverseChargeCodes } = book.rules.cost;
  const country = admitted.ubl?.supplierCountry ?? '';
  const hasVat = !cost.vatS.isZero() || !cost.vatAA.isZero();
  return (
    reverseCharge === 'both' &&
    !hasVat &&
    admitted.rule.vat !== 'none' &&
    reverseChargeCodes.includes(admitted.code) &&
    !['', 'IS'].includes(country)
  );
}

function reverseChargeTax({ admitted }: ReverseCharged): TaxedCode {
  return admitted.rule.reverseChargeRate ?? 'S';
}

export function reverseChargeCode(draft: ReverseCharged): Because {
  const { reverseCharge, reverseChargeAA } = draft.book.rules.vat;
  const why = message('SUPPLIER_ABROAD');
  if (reverseChargeTax(draft) === 'AA' && reverseChargeAA !== undefined) {
    return because('vatCode', reverseChargeAA, 'vat.reverseChargeAA', why);
  }
  return because('vatCode', reverseCharge, 'vat.reverseCharge', why);
}

/** Where the ERP reckons VAT, what it is to owe and deduct for such a line. */
export function reverseVatOf(draft: ReverseCharged, expense: Decimal): Decimal | null {
  if (!draft.book.splitsVat || !isReverseCharge(draft)) return null;
  return roundTo(expense.times(VAT_RATES[reverseChargeTax(draft)]), draft.book.iskDecimals);
}

/** The buyer owes the VAT and deducts it: both in ISK only, as no foreign money moves. */
export function reverseChargeLines(draft: ReverseCharged): PricedLine[] {
  const { book, gross, assigned, dimensions, text } = draft;
  if (book.splitsVat || !isReverseCharge(draft)) return [];
  const vat = roundTo(gross.times(VAT_RATES[reverseChargeTax(draft)]), book.iskDecimals);
  const vatCode = reverseChargeCode(draft);
  const line = (
    role: LineRole,
    name: string,
    account: string,
    isk: Decimal,
    why: Message,
    base?: Decimal,
  ): PricedLine => ({
    draft: {
      account,
      role,
      amount: ZERO,
      vatCode: vatCode.value,
      ...(role === 'expense' ? { dimensions } : {}),
      text,
      because: [because('account', account, name, why), vatCode],
    },
    isk,
    ...(base === undefined ? {} : { vatBase: base }),
  });
  const { reverseChargeIn, reverseChargeOut } = book.rules.accounts;
  const back = deductible(assigned, vat, book);
  const baseBack = deductible(assigned, gross, book);
  return [
    line(
      'reverse-charge-in',
      'accounts.reverseChargeIn',
      reverseChargeIn,
      back,
      message('VAT_OWED_AND_DEDUCTED'),
      baseBack,
    ),
    line(
      'expense',
      assigned.account.rule,
      assigned.account.value,
      vat.minus(back),
      message('VAT_OWED_NOT_DEDUCTIBLE'),
    ),
    line(
      'reverse-charge-out',
      'accounts.reverseChargeOut',
      reverseChargeOut,
      vat.neg(),
      message('VAT_OWED_BY_BUYER'),
      gross,
    ),
  ];
}
