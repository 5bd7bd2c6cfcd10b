// The lines of a sales journal, in the sense of an invoice; a credit note mirrors them. Receivable, revenue by account and
// VAT code, fees and discounts that only the totals show, VAT by rate.
import { message } from '../../language/messages.js';
import {
  sum,
  type Decimal,
  ZERO,
  roundTo,
  BOOK_CURRENCY,
  currencyDecimals,
  minorUnit,
  amountText,
} from '../../domain/money.js';
import type { IsoDate, SourceInvoice } from '../../domain/source-document.js';
import type { MappingContext } from './context.js';
import {
  bySizeThenName,
  type DraftLine,
  type PricedLine,
  type Spread,
  spreadOf,
  spreadReasons,
} from './make-journal.js';
import type { NetLine } from './invoice-gates.js';
import { type ChosenDimensions, itemDimensions } from './dimensions.js';
import type { Reconciled } from './reconcile-invoice.js';
import { entryOf, type RuleBook, TAXED_CODES, type TaxedCode, type Treatment, VAT_RATES } from './rules.js';
import { type FoundCase, type InvoiceCase, firstCase, textOf } from './rule-schemas.js';
import { because, type Because, isStop, stop, type Stop, lineText } from './outcome.js';
import { plainKennitala, readKennitala } from '../../domain/kennitala.js';

export interface InvoiceDraft {
  readonly invoice: SourceInvoice;
  readonly reconciled: Reconciled;
  readonly book: RuleBook;
  readonly context: MappingContext;
  readonly kennitala: string;
  readonly dueDate: IsoDate | undefined;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly dimensionReasons: readonly Because[];
  readonly postingDate: IsoDate;
  /** Of lines that have no words of their own. */
  readonly text: string;
}

export function draftInvoiceLines(draft: InvoiceDraft): DraftLine[] {
  const sales = [...revenueLines(draft), ...residualLines(draft)];
  const vats = TAXED_CODES.flatMap((tax) => vatLines(draft, tax));
  const lines = draft.book.splitsVat ? sales.map((line) => grossOf(line, sales, vats)) : [...sales, ...vats];
  return [...receivableLines(draft), ...lines].filter(({ amount }) => !amount.isZero());
}

export function receivableAccount(currency: string, book: RuleBook): { account: string; because: Because } {
  const { accounts } = book.rules;
  const own = entryOf(accounts.receivableByCurrency, currency);
  if (own === undefined) {
    const why = message('CUSTOMER_OWES');
    return {
      account: accounts.receivable,
      because: because('account', accounts.receivable, 'accounts.receivable', why),
    };
  }
  const rule = `accounts.receivableByCurrency.${currency}`;
  return { account: own, because: because('account', own, rule, message('CUSTOMER_OWES', { currency })) };
}

function receivableLines({ invoice, reconciled, book, kennitala, dueDate, text }: InvoiceDraft): DraftLine[] {
  const { account, because: reason } = receivableAccount(invoice.currency, book);
  return [
    {
      account,
      role: 'receivable',
      amount: reconciled.amount,
      counterparty: kennitala,
      ...(dueDate === undefined ? {} : { dueDate }),
      text,
      because: [reason],
    },
  ];
}

function revenueLines(draft: InvoiceDraft): DraftLine[] {
  const { reconciled, book, text, dimensions, dimensionReasons } = draft;
  const buckets = new Map<
    string,
    {
      lines: NetLine[];
      treatment: Treatment;
      account: Because;
      vatCode: Because;
      found: FoundCase<InvoiceCase> | null;
      ofItem: ChosenDimensions;
      spread: Spread | null;
    }
  >();
  const prior = priorPeriodAccount(draft.invoice, draft.context, book);
  for (const line of reconciled.lines) {
    const treatment: Treatment = reconciled.isExempt ? 'EXEMPT_CUSTOMER' : line.tax;
    const found = lineCase(line, draft);
    const account = prior ?? assignedAccount(found) ?? revenueAccount(line, treatment, draft);
    const vatCode = assignedCode(found, treatment) ?? outgoingCode(treatment, book);
    const ofItem = itemDimensions(line.item.itemNumber, book);
    const own = { ...ofItem.dimensions, ...found?.case.dimensions };
    const spread = prior ? null : spreadOfLine(found, draft);
    const key = JSON.stringify([account.value, vatCode.value, treatment, own, spread?.days]);
    const bucket = buckets.get(key);
    if (bucket) bucket.lines.push(line);
    else buckets.set(key, { lines: [line], treatment, account, vatCode, found, ofItem, spread });
  }
  return [...buckets.values()].map(({ lines, treatment, account, vatCode, found, ofItem, spread }) => ({
    account: (spread?.waits ?? account).value,
    role: 'revenue',
    amount: sum(lines.map(({ net }) => net)).neg(),
    treatment,
    vatCode: vatCode.value,
    dimensions: { ...dimensions, ...ofItem.dimensions, ...found?.case.dimensions },
    ...(spread === null ? {} : { spread: { account: account.value, days: spread.days } }),
    text: onlyWords(lines, book) || text,
    because: [
      ...spreadReasons(spread, account),
      vatCode,
      ...dimensionReasons,
      ...ofItem.because,
      ...caseDimensions(found),
    ],
  }));
}

/** A credit note follows the delivery of its original, whose releases it undoes. */
function spreadOfLine(found: FoundCase<InvoiceCase> | null, draft: InvoiceDraft): Spread | null {
  const { invoice, context, book, postingDate } = draft;
  const isCredit = invoice.type === 'credit';
  const ofOriginal = context.original?.deliveryDate ?? context.original?.issueDate;
  const count = found?.case.spreadMonths;
  const facts = {
    side: 'invoice',
    from: (isCredit ? ofOriginal : undefined) ?? invoice.deliveryDate,
    months: found && count !== undefined ? { count, rule: `${found.path}.spreadMonths` } : undefined,
    postingDate,
    notBefore: isCredit ? invoice.issueDate : '',
  } as const;
  return spreadOf(facts, book);
}

/** A line that stands for one item says what the item says. */
function onlyWords(lines: readonly NetLine[], book: RuleBook): string {
  const [only, ...others] = lines;
  return only && others.length === 0 ? lineText(only.item.description, book) : '';
}

/** Item number, else item category, else how the line is taxed. */
function revenueAccount({ item }: NetLine, treatment: Treatment, { book, context }: InvoiceDraft): Because {
  const { invoice } = book.rules;
  const byNumber = item.itemNumber === '' ? undefined : entryOf(invoice.revenueByItemNumber, item.itemNumber);
  if (byNumber !== undefined) {
    const rule = `invoice.revenueByItemNumber.${item.itemNumber}`;
    return because('account', byNumber, rule, message('ITEM_NUMBER', { number: item.itemNumber }));
  }
  const category = entryOf(context.items, item.guid)?.category ?? '';
  const byCategory = category === '' ? undefined : entryOf(invoice.revenueByCategory, category);
  if (byCategory !== undefined) {
    return because(
      'account',
      byCategory,
      `invoice.revenueByCategory.${category}`,
      message('ITEM_CATEGORY', { category }),
    );
  }
  const account = invoice.revenueByTreatment[treatment];
  const why = message('NO_OWN_ACCOUNT');
  return because('account', account, `invoice.revenueByTreatment.${treatment}`, why);
}

function outgoingCode(treatment: Treatment, book: RuleBook): Because {
  const code = book.rules.vat.out[treatment];
  return because('vatCode', code, `vat.out.${treatment}`, message('TAXED_AS', { treatment }));
}

function residualLines({ reconciled, book, dimensions, dimensionReasons, text }: InvoiceDraft): DraftLine[] {
  return [...reconciled.residuals].map(([tax, difference]) => {
    const name = difference.gt(0) ? 'residualPositive' : 'residualNegative';
    const account = book.rules.invoice[name];
    const vatCode = outgoingCode(tax, book);
    return {
      account,
      role: 'residual',
      amount: difference.neg(),
      treatment: tax,
      vatCode: vatCode.value,
      dimensions,
      text,
      because: [
        because('account', account, `invoice.${name}`, message('RESIDUAL', { isFee: difference.gt(0) })),
        vatCode,
        ...dimensionReasons,
      ],
    };
  });
}

function vatLines({ reconciled, book, text }: InvoiceDraft, tax: TaxedCode): DraftLine[] {
  const vat = reconciled.vats[tax];
  if (vat.isZero()) return [];
  const account = book.rules.accounts.vatOut[tax];
  const vatCode = outgoingCode(tax, book);
  return [
    {
      account,
      role: 'vat-out',
      amount: vat.neg(),
      treatment: tax,
      vatCode: vatCode.value,
      text,
      because: [because('account', account, `accounts.vatOut.${tax}`, message('VAT_ON_LINES')), vatCode],
    },
  ];
}

/** The ERP takes VAT out by the code: each line carries its share, the largest what sharing leaves over. */
function grossOf(line: DraftLine, sales: readonly DraftLine[], vats: readonly DraftLine[]): DraftLine {
  const vat = vats.find(({ treatment }) => treatment === line.treatment);
  if (!vat) return line;
  const alike = sales.filter(({ treatment }) => treatment === line.treatment);
  const whole = sum(alike.map(({ amount }) => amount));
  const shareOf = ({ amount }: DraftLine): Decimal => roundTo(vat.amount.times(amount).div(whole), 2);
  const largest = alike.toSorted(bySizeThenName)[0];
  const rest = line === largest ? vat.amount.minus(sum(alike.map(shareOf))) : vat.amount.times(0);
  const why = message('ERP_SPLITS_VAT');
  return {
    ...line,
    net: line.amount,
    amount: line.amount.plus(shareOf(line)).plus(rest),
    because: [...line.because, because('amount', 'with VAT', 'vat.mode', why)],
  };
}

// The case of the rules that fits a line of an invoice, and what it assigns.
const WHY = message('CASE_OF_LINE');
type Found = FoundCase<InvoiceCase> | null;
const NONE: readonly Because[] = [];

function lineCase(
  { item, tax }: NetLine,
  { invoice, book, context }: { invoice: SourceInvoice; book: RuleBook; context: MappingContext },
): Found {
  const cases = book.rules.invoice.cases ?? [];
  if (cases.length === 0) return null;
  const { guid, registrationNo } = invoice.customer;
  const exact = {
    customer: [guid, plainKennitala(registrationNo)].filter((one) => one !== ''),
    item: [item.itemNumber],
    category: [entryOf(context.items, item.guid)?.category ?? ''],
    currency: [invoice.currency],
    tax: [tax],
    country: [readKennitala(registrationNo).format ? 'IS' : 'abroad'],
  };
  const texts = { text: textOf(item.description, invoice.description) };
  return firstCase(cases, { exact, texts }, 'invoice');
}

function assignedAccount(found: Found): Because | null {
  const account = found?.case.account;
  return found && account !== undefined ? because('account', account, `${found.path}.account`, WHY) : null;
}

/** Taxed lines keep the code of their rate: their VAT is booked under it. */
function assignedCode(found: Found, treatment: Treatment): Because | null {
  const code = found?.case.vatCode;
  if (!found || code === undefined || !VAT_RATES[treatment].isZero()) return null;
  return because('vatCode', code, `${found.path}.vatCode`, WHY);
}

function caseDimensions(found: Found): readonly Because[] {
  if (!found?.case.dimensions) return NONE;
  return Object.entries(found.case.dimensions).map(([name, value]) =>
    because('dimension', `${name} = ${value}`, `${found.path}.dimensions.${name}`, WHY),
  );
}

// A credit note for an invoice of a prior period: what it takes back was income of that period, and is shown apart.
function priorPeriodAccount(
  { type, issueDate }: SourceInvoice,
  { original }: MappingContext,
  { rules }: RuleBook,
): Because | null {
  const rule = rules.invoice.priorPeriodCredit;
  const issued = original?.issueDate;
  if (rule === undefined || type !== 'credit' || issued === undefined) return null;
  const isPrior = {
    month: issued.slice(0, 7) < issueDate.slice(0, 7),
    year: issued.slice(0, 4) < issueDate.slice(0, 4),
    locked: issued <= (rules.period.lockedUntil ?? ''),
  };
  if (!isPrior[rule.period ?? 'year']) return null;
  const why = message('PRIOR_PERIOD', { issued });
  return because('account', rule.account, 'invoice.priorPeriodCredit.account', why);
}

// From signed amounts in the document's currency to lines in whole ISK that balance. In ISK every line is rounded on its
// own and the difference gets a line; a foreign document is first made exact in its own currency, then converted.

interface Pricing {
  readonly currency: string;
  readonly rate: Decimal;
  readonly book: RuleBook;
  readonly roundingText: string;
}

export function priceLines(drafts: readonly DraftLine[], pricing: Pricing): readonly PricedLine[] | Stop {
  const isForeign = pricing.currency !== BOOK_CURRENCY;
  const exact = isForeign ? makeExact(drafts, pricing) : drafts;
  if (isStop(exact)) return exact;
  const all = exact.map((draft) => priceLine(draft, exact, isForeign, pricing));
  const priced = withRevenue(all).filter(({ isk }) => !isk.isZero());
  if (priced.length === 0) return stop('ZERO_AMOUNT');
  // What is worth nothing in ISK cannot carry its share of the currency: then the document is too small to book.
  if (!sum(priced.map(({ currencyAmount }) => currencyAmount ?? ZERO)).isZero()) {
    return stop('TOO_FEW_LINES', { rate: amountText(pricing.rate) });
  }
  const over = sum(priced.map(({ isk }) => isk));
  if (over.isZero()) return priced;
  if (over.abs().gt(pricing.book.maxIsk)) {
    return stop('ROUNDING_EXCEEDED', {
      left: amountText(over.abs()),
      currency: BOOK_CURRENCY,
      step: 'krónur',
    });
  }
  return [...priced, roundingLine(over.neg(), pricing)];
}

/** Sales that are each worth less than half a króna may be one together: then the largest stands for all of them. */
function withRevenue(lines: readonly PricedLine[]): readonly PricedLine[] {
  const sales = lines.filter(({ draft }) => isRevenue(draft));
  if (sales.length === 0 || sales.some(({ isk }) => !isk.isZero())) return lines;
  const largest = sales.toSorted((one, other) => bySizeThenName(one.draft, other.draft))[0];
  const others = sum(lines.map(({ isk }) => isk));
  return lines.map((line) => (line === largest ? { ...line, isk: others.neg() } : line));
}

function priceLine(
  draft: DraftLine,
  all: readonly DraftLine[],
  isForeign: boolean,
  { rate, book }: Pricing,
): PricedLine {
  const inIsk = (amount: Decimal) => roundTo(isForeign ? amount.times(rate) : amount, book.iskDecimals);
  const base = vatBaseOf(draft, all);
  return {
    draft,
    isk: inIsk(draft.amount),
    ...(isForeign ? { currencyAmount: draft.amount } : {}),
    ...(base === null ? {} : { vatBase: inIsk(base) }),
  };
}

/** VAT is computed on the document's sum, so its base is the sum over all lines of that treatment. */
function vatBaseOf(draft: DraftLine, all: readonly DraftLine[]): Decimal | null {
  if (draft.net !== undefined) return draft.net;
  if (draft.role !== 'vat-out' || draft.treatment === undefined) return null;
  return sum(
    all.filter((line) => line.treatment === draft.treatment && isRevenue(line)).map(({ amount }) => amount),
  );
}

function isRevenue({ role }: DraftLine): boolean {
  return role === 'revenue' || role === 'residual';
}

/** Σ = 0 in the currency, at its own decimals, and every line worth at least one króna. */
function makeExact(drafts: readonly DraftLine[], pricing: Pricing): readonly DraftLine[] | Stop {
  const decimals = currencyDecimals(pricing.currency);
  const rounded = drafts.map((draft) => {
    const amount = roundTo(draft.amount, decimals);
    return amount === draft.amount ? draft : { ...draft, amount };
  });
  const over = sum(rounded.map(({ amount }) => amount));
  const allowed = minorUnit(pricing.currency).times(pricing.book.maxMinorUnits);
  if (over.abs().gt(allowed) || !(over.isZero() || rounded.some(isRevenue))) {
    return stop('ROUNDING_EXCEEDED', {
      left: amountText(over.abs()),
      currency: pricing.currency,
      step: 'lines',
    });
  }
  return foldWorthless(foldInto(rounded, over.neg()), pricing);
}

/** Into the largest revenue line; of equals, the first by treatment and account, so that line order has no say. */
function foldInto(lines: readonly DraftLine[], amount: Decimal, like?: DraftLine): readonly DraftLine[] {
  if (amount.isZero()) return lines;
  const revenue = lines.filter(isRevenue);
  const alike = revenue.filter((line) => line.treatment === like?.treatment);
  const target = (alike.length > 0 ? alike : revenue).toSorted(bySizeThenName)[0];
  if (!target) return lines;
  return lines.map((line) => (line === target ? withMore(line, amount) : line));
}

function withMore(line: DraftLine, amount: Decimal): DraftLine {
  return {
    ...line,
    amount: line.amount.plus(amount),
    ...(line.net === undefined ? {} : { net: line.net.plus(amount) }),
    because: [
      ...line.because,
      because('amount', amountText(amount), 'rounding.maxMinorUnits', message('ROUNDING_REST')),
    ],
  };
}

function foldWorthless(lines: readonly DraftLine[], { rate, book }: Pricing): readonly DraftLine[] {
  const isWorthless = ({ amount, role }: DraftLine) =>
    role !== 'receivable' && roundTo(amount.times(rate), book.iskDecimals).isZero();
  const sorted = lines.filter(isWorthless).toSorted(bySizeThenName);
  if (sorted.length === 0) return lines;
  // Where nothing is worth a króna on its own, the largest sale takes in the others.
  const hasWorthy = lines.some((line) => isRevenue(line) && !sorted.includes(line));
  const stays = hasWorthy ? undefined : sorted.find(isRevenue);
  const worthless = sorted.filter((line) => line !== stays);
  let kept: readonly DraftLine[] = lines.filter((line) => !worthless.includes(line));
  for (const line of worthless) kept = foldInto(kept, line.amount, line);
  return kept;
}

function roundingLine(isk: Decimal, { book, roundingText }: Pricing): PricedLine {
  const account = book.rules.accounts.rounding;
  const why = message('ROUNDED_ONE_BY_ONE');
  const draft: DraftLine = {
    account,
    role: 'rounding',
    amount: ZERO,
    text: roundingText,
    because: [because('account', account, 'accounts.rounding', why)],
  };
  return { draft, isk };
}
