// The lines of a cost journal, in the sense of an invoice; a credit note mirrors them. Expense by rate, deductible VAT,
// reverse charge, and what was credited for it. All in ISK first, where everything adds up to the gross by construction;
// the amounts in a foreign currency follow from it.
import { message } from '../../language/messages.js';
import {
  BOOK_CURRENCY,
  currencyDecimals,
  amountText,
  isWithin,
  roundTo,
  Decimal,
  ZERO,
  sum,
} from '../../domain/money.js';
import type { LineRole } from '../../domain/journal.js';
import type { IsoDate, SourceCost } from '../../domain/source-document.js';
import { type AdmittedCost, type CostPart, deductible } from './cost-gates.js';
import type { CostAssignment } from './cost-assignment.js';
import type { CostShare } from './cost-shares.js';
import {
  type DraftLine,
  type PricedLine,
  bySizeThenName,
  type Spread,
  spreadOf,
  spreadReasons,
} from './make-journal.js';
import { entryOf, type RuleBook, VAT_RATES, type TaxedCode } from './rules.js';
import { because, type Because } from './outcome.js';
import {
  isReverseCharge,
  reverseChargeCode,
  reverseChargeLines,
  reverseVatOf,
  withForeignVatApart,
} from './cost-vat.js';

export interface CostDraft {
  readonly cost: SourceCost;
  readonly admitted: AdmittedCost;
  readonly book: RuleBook;
  readonly parts: readonly CostShare[];
  /** Of the cost as a whole; its shares have their own. */
  readonly assigned: CostAssignment;
  /** ISK, as is what it was bought for; `whole` is that in the document's currency. */
  readonly gross: Decimal;
  readonly whole: Decimal;
  /** ISK: what the supplier charged of another country's VAT. */
  readonly foreignVat: Decimal;
  readonly rate: Decimal;
  readonly kennitala: string;
  readonly dueDate: IsoDate | undefined;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly dimensionReasons: readonly Because[];
  readonly text: string;
  readonly postingDate: IsoDate;
  readonly isCredit: boolean;
  readonly issueDate: IsoDate;
}

const SUPPLIER_ACCOUNT = '1';
const BANK = '2';
const VAT_TOLERANCE = new Decimal(1);

export function costLines(draft: CostDraft): readonly PricedLine[] {
  const isk = [
    ...withForeignVatApart(draft).map((part) => expenseLine(draft, part)),
    ...together(draft.parts.flatMap((part) => vatInLines(draft, part))),
    ...reverseChargeLines(draft),
    ...creditLines(draft),
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

function incomingCode({ admitted, book }: CostDraft, { tax, assigned }: CostShare): Because | null {
  if (admitted.rule.vat === 'none') return null;
  if (tax === 'Z' && assigned.vatCode !== null) return assigned.vatCode;
  const { vat } = book.rules;
  const { percent } = assigned;
  const table = percent === 0 ? 'inNonDeductible' : percent === 100 ? 'in' : 'inPartial';
  const code = entryOf(vat[table], tax);
  const why = message('PART_DEDUCTIBLE', { percent, costCode: admitted.code });
  if (code !== undefined) return because('vatCode', code, `vat.${table}.${tax}`, why);
  return because('vatCode', vat.in[tax], `vat.in.${tax}`, message('NOTHING_TO_DEDUCT'));
}

function expenseLine(draft: CostDraft, share: CostShare & { readonly isForeignVat?: true }): PricedLine {
  const { book, dimensions, dimensionReasons, text } = draft;
  const { tax, base, vat, joined, assigned } = share;
  const isCharged = isReverseCharge(draft) && share.isForeignVat !== true;
  const vatCode = isCharged ? reverseChargeCode(draft) : incomingCode(draft, share);
  const joins = vat.minus(deductible(assigned, vat, book));
  const expense = base.plus(book.splitsVat ? vat : joins);
  const spread = spreadOfCost(draft, assigned);
  const reverseVat = isCharged ? reverseVatOf(draft, expense) : null;
  return {
    draft: {
      account: (spread?.waits ?? assigned.account).value,
      role: 'expense',
      amount: expense,
      treatment: tax,
      ...(vatCode === null ? {} : { vatCode: vatCode.value }),
      dimensions: assigned.because.length === 0 ? dimensions : { ...dimensions, ...assigned.dimensions },
      ...(spread === null
        ? {}
        : { spread: { account: assigned.account.value, days: spread.days, amount: base.plus(joins) } }),
      text,
      because: [
        ...spreadReasons(spread, assigned.account),
        ...(vatCode === null ? [] : [vatCode]),
        ...dimensionReasons,
        ...assigned.because,
        ...(joins.isZero() ? [] : [joinsExpense(assigned, joins)]),
        ...(joined === undefined ? [] : [joinedRest(joined)]),
      ],
    },
    isk: expense,
    ...(book.splitsVat && !vat.isZero() ? { vatBase: base } : {}),
    ...(book.splitsVat && !joins.isZero() ? { vatKept: joins } : {}),
    ...(reverseVat === null || reverseVat.isZero() ? {} : { reverseVat }),
  };
}

/** By the case that fits, or by what the e-invoice says was delivered when. */
function spreadOfCost(draft: CostDraft, { months }: CostAssignment): Spread | null {
  const { admitted, book, postingDate, isCredit, issueDate } = draft;
  const delivered = admitted.ubl?.delivered ?? null;
  const facts = {
    side: 'cost',
    from: delivered?.from ?? '',
    until: delivered?.until,
    months,
    postingDate,
    notBefore: isCredit ? issueDate : '',
  } as const;
  return spreadOf(facts, book);
}

function joinsExpense({ percentRule }: CostAssignment, joins: Decimal): Because {
  return because('amount', amountText(joins), percentRule, message('VAT_IN_EXPENSE'));
}

function joinedRest(rest: Decimal): Because {
  return because('amount', amountText(rest), 'specification', message('NET_AFTER_ROUNDING'));
}

function vatInLines(draft: CostDraft, share: CostShare): PricedLine[] {
  const { book, text } = draft;
  const { tax, vat, assigned } = share;
  const amount = deductible(assigned, vat, book);
  if (book.splitsVat || tax === 'Z' || amount.isZero()) return [];
  const account = book.rules.accounts.vatIn[tax];
  const vatCode = incomingCode(draft, share);
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
          because('account', account, `accounts.vatIn.${tax}`, message('VAT_DEDUCTED')),
          ...(vatCode === null ? [] : [vatCode]),
        ],
      },
      isk: amount,
      vatBase: deductible(assigned, baseOf(share, tax), book),
    },
  ];
}

/** Shares of one code and rate have one line of VAT, as the document has. */
function together(lines: readonly PricedLine[]): readonly PricedLine[] {
  if (lines.length < 2) return lines;
  const merged = new Map<string, PricedLine>();
  for (const line of lines) {
    const key = `${line.draft.account} ${line.draft.vatCode ?? ''}`;
    const known = merged.get(key);
    merged.set(
      key,
      known
        ? {
            draft: { ...known.draft, amount: known.draft.amount.plus(line.draft.amount) },
            isk: known.isk.plus(line.isk),
            vatBase: (known.vatBase ?? ZERO).plus(line.vatBase ?? ZERO),
          }
        : line,
    );
  }
  return [...merged.values()];
}

/** The booked base, unless a rest of rounding made it strange to the VAT. */
function baseOf({ base, impliedBase, vat }: CostPart, tax: TaxedCode): Decimal {
  return isWithin(vat, base.times(VAT_RATES[tax]), VAT_TOLERANCE) ? base : impliedBase;
}

/** What is owed, and what was paid beforehand. */
function creditLines(draft: CostDraft): PricedLine[] {
  const { cost, book, gross, whole, rate, text } = draft;
  const owed = owedLine(draft, roundTo(cost.amount.times(rate), book.iskDecimals));
  const account = book.rules.accounts.supplierPrepayments;
  if (whole.eq(cost.amount) || account === undefined) return [owed];
  const isk = owed.isk.neg().minus(gross);
  const why = because('account', account, 'accounts.supplierPrepayments', message('PAID_BEFOREHAND'));
  return [
    owed,
    {
      draft: { account, role: 'expense', amount: isk, text, because: [why] },
      isk,
      ...inCurrency(cost, cost.amount.minus(whole)),
    },
  ];
}

function inCurrency({ currency }: SourceCost, amount: Decimal): Pick<PricedLine, 'currencyAmount'> {
  return currency === BOOK_CURRENCY ? {} : { currencyAmount: roundTo(amount, currencyDecimals(currency)) };
}

function owedLine({ cost, admitted, book, kennitala, dueDate, text }: CostDraft, owed: Decimal): PricedLine {
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
          message('OWED_IN', { currency: cost.currency }),
        );
  const draft: DraftLine = {
    account: credit.value,
    role,
    amount: owed.neg(),
    ...(role === 'payable' ? { counterparty: kennitala } : {}),
    ...(role === 'payable' && dueDate !== undefined ? { dueDate } : {}),
    text,
    because: [credit],
  };
  return { draft, isk: owed.neg(), ...inCurrency(cost, cost.amount.neg()) };
}

// The lines of a foreign cost in its own currency, from their amounts in ISK: the service gives VAT in ISK only.

/** Each line at the rate; the cents that do not add up go into the largest expense line. */
function withCurrency(lines: readonly PricedLine[], cost: SourceCost, rate: Decimal): readonly PricedLine[] {
  const decimals = currencyDecimals(cost.currency);
  const valued = lines.map((line) => {
    if (!isForeign(line)) return line;
    return { currencyAmount: roundTo(line.isk.div(rate), decimals), ...line };
  });
  const over = sum(valued.map((line) => currencyOf(line)));
  const largest = valued
    .filter((line) => line.draft.role === 'expense' && isForeign(line) && isBought(line))
    .toSorted((one, other) => bySizeThenName(one.draft, other.draft))[0];
  return valued.map((line) => {
    const { currencyAmount: _rounded, ...inIsk } = line === largest ? withCents(line, over.neg()) : line;
    const amount = currencyOf(line).minus(line === largest ? over : ZERO);
    return amount.isZero() ? inIsk : { ...inIsk, currencyAmount: amount };
  });
}

function withCents(line: PricedLine, cents: Decimal): PricedLine {
  if (cents.isZero()) return line;
  const why = message('CENTS_LEFT');
  const reason = because('currencyAmount', amountText(cents), 'specification', why);
  return { ...line, draft: { ...line.draft, because: [...line.draft.because, reason] } };
}

/** What was paid beforehand is exact already. */
function isBought({ draft }: PricedLine): boolean {
  return draft.treatment !== undefined;
}

/** Reverse charge exists in ISK only: its drafts have no amount of their own. */
function isForeign({ draft }: PricedLine): boolean {
  return !draft.amount.isZero();
}

function currencyOf({ currencyAmount }: PricedLine): Decimal {
  return currencyAmount ?? ZERO;
}
