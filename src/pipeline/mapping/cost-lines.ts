// The lines of a cost journal, in the sense of an invoice; a credit note mirrors them. Expense by rate, deductible VAT,
// reverse charge, and what was credited for it. All in ISK first, where everything adds up to the gross by construction;
// the amounts in a foreign currency follow from it.
import { BOOK_CURRENCY } from '../../domain/currency.js';
import { Decimal, ZERO } from '../../domain/decimal.js';
import type { LineRole } from '../../domain/journal.js';
import { amountText, isWithin, roundTo } from '../../domain/money.js';
import type { IsoDate, SourceCost } from '../../domain/source-document.js';
import type { AdmittedCost } from './cost-gates.js';
import type { CostPart } from './cost-vat.js';
import { withCurrency } from './cost-currency.js';
import type { DraftLine, PricedLine } from './draft-line.js';
import { entryOf, type RuleBook } from './rule-book.js';
import { because, type Because } from './trace.js';
import { VAT_RATES, type TaxCode, type TaxedCode } from './vat-rates.js';

export interface CostDraft {
  readonly cost: SourceCost;
  readonly admitted: AdmittedCost;
  readonly book: RuleBook;
  readonly parts: readonly CostPart[];
  readonly gross: Decimal;
  readonly rate: Decimal;
  readonly kennitala: string;
  readonly dueDate: IsoDate | undefined;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly dimensionReasons: readonly Because[];
  readonly text: string;
}

const SUPPLIER_ACCOUNT = '1';
const BANK = '2';
const VAT_TOLERANCE = new Decimal(1);

export function costLines(draft: CostDraft): readonly PricedLine[] {
  const isk = [
    ...draft.parts.map((part) => expenseLine(draft, part)),
    ...draft.parts.flatMap((part) => vatInLines(draft, part)),
    ...reverseChargeLines(draft),
    creditLine(draft),
  ].filter((line) => !line.isk.isZero());
  return draft.cost.currency === BOOK_CURRENCY ? isk : withCurrency(isk, draft.cost, draft.rate);
}

/** Also says on which role the total of the document stands. */
export function creditRole({ howPaid, credit }: AdmittedCost): LineRole {
  // An account of the code's own (wages, pension) is no supplier ledger, whatever the way of paying.
  if (!credit.rule.startsWith('cost.howPaid.')) return 'clearing';
  if (howPaid === SUPPLIER_ACCOUNT) return 'payable';
  return howPaid === BANK ? 'bank' : 'clearing';
}

function deductiblePercent({ admitted }: CostDraft): number {
  return admitted.rule.vatDeductiblePercent ?? 100;
}

function deductible(draft: CostDraft, amount: Decimal): Decimal {
  const percent = deductiblePercent(draft);
  if (percent === 100 || amount.isZero()) return amount;
  return percent === 0 ? ZERO : roundTo(amount.times(percent).div(100), draft.book.iskDecimals);
}

function incomingCode(draft: CostDraft, tax: TaxCode): Because | null {
  const { admitted, book } = draft;
  if (admitted.rule.vat === 'none') return null;
  const { vat } = book.rules;
  const percent = deductiblePercent(draft);
  const table = percent === 0 ? 'inNonDeductible' : percent === 100 ? 'in' : 'inPartial';
  const code = entryOf(vat[table], tax);
  const why = `${String(percent)} % of the VAT on code ${admitted.code} is deductible.`;
  if (code !== undefined) return because('vatCode', code, `vat.${table}.${tax}`, why);
  return because('vatCode', vat.in[tax], `vat.in.${tax}`, 'Without VAT there is nothing to deduct.');
}

function expenseLine(draft: CostDraft, { tax, base, vat, joined }: CostPart): PricedLine {
  const { admitted, book, dimensions, dimensionReasons, text } = draft;
  const vatCode = isReverseCharge(draft) ? reverseChargeCode(draft) : incomingCode(draft, tax);
  const { account } = admitted.rule;
  const alias = admitted.isAlias
    ? `The code ${draft.cost.costCode} is another name of ${admitted.code}.`
    : `The code is ${admitted.code}.`;
  const joins = vat.minus(deductible(draft, vat));
  const expense = base.plus(book.splitsVat ? vat : joins);
  return {
    draft: {
      account,
      role: 'expense',
      amount: expense,
      treatment: tax,
      ...(vatCode === null ? {} : { vatCode: vatCode.value }),
      dimensions,
      text,
      because: [
        because('account', account, `cost.codes.${admitted.code}.account`, alias),
        ...(vatCode === null ? [] : [vatCode]),
        ...dimensionReasons,
        ...(joins.isZero() ? [] : [joinsExpense(draft, joins)]),
        ...(joined === undefined ? [] : [joinedRest(joined)]),
      ],
    },
    isk: expense,
    ...(book.splitsVat && !vat.isZero() ? { vatBase: base } : {}),
  };
}

function joinsExpense({ admitted }: CostDraft, joins: Decimal): Because {
  const rule = `cost.codes.${admitted.code}.vatDeductiblePercent`;
  return because('amount', amountText(joins), rule, 'VAT that is not deductible is part of the expense.');
}

function joinedRest(rest: Decimal): Because {
  return because('amount', amountText(rest), 'specification', 'What rounding of the VAT leaves of the net.');
}

function vatInLines(draft: CostDraft, part: CostPart): PricedLine[] {
  const { book, text } = draft;
  const { tax, vat } = part;
  const amount = deductible(draft, vat);
  if (book.splitsVat || tax === 'Z' || amount.isZero()) return [];
  const account = book.rules.accounts.vatIn[tax];
  const vatCode = incomingCode(draft, tax);
  return [
    {
      draft: {
        account,
        role: 'vat-in',
        amount,
        treatment: tax,
        ...(vatCode === null ? {} : { vatCode: vatCode.value }),
        text,
        because: [
          because('account', account, `accounts.vatIn.${tax}`, 'VAT that can be deducted.'),
          ...(vatCode === null ? [] : [vatCode]),
        ],
      },
      isk: amount,
      vatBase: deductible(draft, baseOf(part, tax)),
    },
  ];
}

/** The booked base, unless a rest of rounding made it strange to the VAT. */
function baseOf({ base, impliedBase, vat }: CostPart, tax: TaxedCode): Decimal {
  return isWithin(vat, base.times(VAT_RATES[tax]), VAT_TOLERANCE) ? base : impliedBase;
}

function isReverseCharge({ cost, admitted, book }: CostDraft): boolean {
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

function reverseChargeTax({ admitted }: CostDraft): TaxedCode {
  return admitted.rule.reverseChargeRate ?? 'S';
}

function reverseChargeCode(draft: CostDraft): Because {
  const { reverseCharge, reverseChargeAA } = draft.book.rules.vat;
  const why = 'The supplier is abroad and charged no VAT.';
  if (reverseChargeTax(draft) === 'AA' && reverseChargeAA !== undefined) {
    return because('vatCode', reverseChargeAA, 'vat.reverseChargeAA', why);
  }
  return because('vatCode', reverseCharge, 'vat.reverseCharge', why);
}

/** The buyer owes the VAT and deducts it: both in ISK only, as no foreign money moves. */
function reverseChargeLines(draft: CostDraft): PricedLine[] {
  const { book, gross, admitted, dimensions, text } = draft;
  if (book.splitsVat || !isReverseCharge(draft)) return [];
  const vat = roundTo(gross.times(VAT_RATES[reverseChargeTax(draft)]), book.iskDecimals);
  const vatCode = reverseChargeCode(draft);
  const line = (
    role: LineRole,
    name: string,
    account: string,
    isk: Decimal,
    why: string,
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
  const back = deductible(draft, vat);
  const baseBack = deductible(draft, gross);
  return [
    line(
      'reverse-charge-in',
      'accounts.reverseChargeIn',
      reverseChargeIn,
      back,
      'VAT owed and deducted.',
      baseBack,
    ),
    line(
      'expense',
      `cost.codes.${admitted.code}.account`,
      admitted.rule.account,
      vat.minus(back),
      'VAT owed, not deductible.',
    ),
    line(
      'reverse-charge-out',
      'accounts.reverseChargeOut',
      reverseChargeOut,
      vat.neg(),
      'VAT owed by the buyer.',
      gross,
    ),
  ];
}

function creditLine({ cost, admitted, book, gross, kennitala, dueDate, text }: CostDraft): PricedLine {
  const role = creditRole(admitted);
  const byCurrency =
    role === 'payable' ? entryOf(book.rules.accounts.payableByCurrency, cost.currency) : undefined;
  const credit =
    byCurrency === undefined
      ? admitted.credit
      : because(
          'account',
          byCurrency,
          `accounts.payableByCurrency.${cost.currency}`,
          `Owed in ${cost.currency}.`,
        );
  const draft: DraftLine = {
    account: credit.value,
    role,
    amount: gross.neg(),
    ...(role === 'payable' ? { counterparty: kennitala } : {}),
    ...(role === 'payable' && dueDate !== undefined ? { dueDate } : {}),
    text,
    because: [credit],
  };
  return { draft, isk: gross.neg() };
}
