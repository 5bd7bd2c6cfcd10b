// Services bought abroad without Icelandic VAT: the buyer owes it, and deducts what of it is deductible. In ISK only, as no
// foreign money moves. VAT of another country is no part of the price that it is owed on.
import type { Message } from '../../domain/message.js';
import { message } from '../../language/messages.js';
import { type Decimal, ZERO } from '../../domain/decimal.js';
import type { LineRole } from '../../domain/journal.js';
import { amountText, roundTo } from '../../domain/money.js';
import type { SourceCost } from '../../domain/source-document.js';
import type { CostAssignment } from './cost-assignment.js';
import type { AdmittedCost } from './cost-gates.js';
import type { CostShare } from './cost-shares.js';
import { type CostMoney, deductible } from './cost-money.js';
import type { PricedLine } from './draft-line.js';
import { doubt, type Stop, because, type Because } from './outcome.js';
import type { RuleBook } from './rules.js';
import { VAT_RATES, type TaxedCode } from './vat-rates.js';

interface ReverseCharged {
  readonly cost: SourceCost;
  readonly admitted: AdmittedCost;
  readonly assigned: CostAssignment;
  readonly book: RuleBook;
  readonly gross: Decimal;
  /** ISK: what the supplier charged of another country's VAT. */
  readonly foreignVat: Decimal;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly text: string;
}

export function isReverseCharge({ cost, admitted, assigned, book }: ReverseCharged): boolean {
  const { reverseCharge, reverseChargeCodes } = book.rules.cost;
  const isOwed =
    reverseCharge === 'both' || (reverseCharge === 'notDeductible' && assigned.percent < ALL_OF_IT);
  const country = admitted.ubl?.supplierCountry ?? '';
  const hasVat = !cost.vatS.isZero() || !cost.vatAA.isZero();
  return (
    isOwed &&
    !hasVat &&
    admitted.rule.vat !== 'none' &&
    reverseChargeCodes.includes(admitted.code) &&
    !['', 'IS'].includes(country)
  );
}

const ALL_OF_IT = 100;

/** What an e-invoice from abroad shows of VAT beside a cost without any is the VAT of its own country. */
export function foreignVatOf({ cost, ubl, gross, rate, book }: CostMoney): Decimal | Stop {
  const isFromAbroad = !['', 'IS'].includes(ubl?.supplierCountry ?? '');
  const charged = ubl?.taxTotal?.abs() ?? ZERO;
  const isAsked = isFromAbroad && book.rules.cost.reverseCharge !== 'none';
  if (!isAsked || charged.isZero() || !cost.vatS.isZero() || !cost.vatAA.isZero()) return ZERO;
  const vat = roundTo(charged.times(rate), book.iskDecimals);
  if (vat.lt(gross)) return vat;
  return doubt('XML_MISMATCH', {
    field: 'vat_S + vat_AA',
    ours: '0',
    theirs: `${amountText(charged)} ${cost.currency}`,
  });
}

/** Each share in two: what VAT is owed on, and its part of the VAT of another country. */
export function withForeignVatApart(
  draft: ReverseCharged & { readonly parts: readonly CostShare[] },
): readonly (CostShare & { readonly isForeignVat?: true })[] {
  const { parts, foreignVat, gross, book } = draft;
  if (foreignVat.isZero() || !isReverseCharge(draft)) return parts;
  let left = foreignVat;
  return parts.flatMap((part, index) => {
    const isLast = index === parts.length - 1;
    const own = isLast ? left : roundTo(foreignVat.times(part.base).div(gross), book.iskDecimals);
    left = left.minus(own);
    return [
      { ...part, base: part.base.minus(own) },
      { ...part, base: own, isForeignVat: true as const },
    ];
  });
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

/** The buyer owes the VAT and deducts it, or owes only what is not deductible. */
export function reverseChargeLines(draft: ReverseCharged): PricedLine[] {
  const { book, assigned, dimensions, text } = draft;
  if (book.splitsVat || !isReverseCharge(draft)) return [];
  const price = draft.gross.minus(draft.foreignVat);
  const vat = roundTo(price.times(VAT_RATES[reverseChargeTax(draft)]), book.iskDecimals);
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
  const baseBack = deductible(assigned, price, book);
  const owesAll = book.rules.cost.reverseCharge === 'both';
  return [
    line(
      'reverse-charge-in',
      'accounts.reverseChargeIn',
      reverseChargeIn,
      owesAll ? back : ZERO,
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
      owesAll ? vat.neg() : back.minus(vat),
      message('VAT_OWED_BY_BUYER'),
      owesAll ? price : price.minus(baseBack),
    ),
  ];
}
