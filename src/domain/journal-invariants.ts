// What is always true of a journal, checked whenever one is made or read back. Each invariant has a name, so that a test
// can break it alone and a message can say which one broke.
import { isCalendarDay } from './calendar-day.js';
import { BOOK_CURRENCY, currencyDecimals, minorUnit } from './currency.js';
import { Decimal, sum, ZERO } from './decimal.js';
import { CodedError } from './errors/coded-error.js';
import type { Journal, JournalLine, LineRole } from './journal.js';
import { amountText, isAboveZero, isBelowZero, isWithin } from './money.js';

export const JOURNAL_INVARIANTS = {
  'two-lines': 'A journal has two lines or more.',
  'balanced-isk': 'Debits equal credits in ISK.',
  'balanced-currency': 'Currency amounts add up to zero on a foreign document.',
  'one-side': 'On each line exactly one side is above zero and neither is negative.',
  'currency-sign': 'A currency amount is plus on a debit and minus on a credit.',
  'currency-named':
    'A currency amount names its currency, which is the document’s, and only foreign documents have any.',
  'amounts-bounded': 'No amount has more than twenty digits before the point.',
  'isk-decimals': 'No amount in ISK has more decimals than the books keep.',
  'currency-decimals': 'No currency amount has more decimals than its currency.',
  'vat-of-base': 'VAT is its base times its rate, within one króna.',
  'control-total': 'The receivable, payable or payment equals the total of the document.',
  'account-named': 'Every line names an account.',
  dated: 'Posting date and document date are calendar days.',
  'rate-positive': 'The exchange rate is above zero, and 1 in ISK.',
} as const;
export type JournalInvariant = keyof typeof JOURNAL_INVARIANTS;

export interface JournalBreach {
  readonly invariant: JournalInvariant;
  readonly detail: string;
}

/** What only the mapper knows; without it the invariants that need it are not checked. */
export interface JournalExpectations {
  readonly iskDecimals?: number;
  /** Of VAT lines, by index; lines without a base or a rate are not checked. */
  readonly vatRateOf?: (line: JournalLine, index: number) => Decimal | undefined;
  /** Signed, plus is debit. `currency` only on foreign documents. */
  readonly control?: {
    readonly roles: readonly LineRole[];
    readonly isk: Decimal;
    readonly currency?: Decimal;
  };
}

const ISK_DECIMALS_MAX = 2;
/** As many digits before the point as a stored journal takes; far more than any books hold. */
const DIGITS_MAX = 20;
const VAT_TOLERANCE_ISK = new Decimal(1);
const VAT_TOLERANCE_MINOR_UNITS = new Decimal('2.5');

export function journalBreaches(journal: Journal, expected: JournalExpectations = {}): JournalBreach[] {
  const breaches: JournalBreach[] = [];
  const breach = (invariant: JournalInvariant, detail: string) => breaches.push({ invariant, detail });
  if (journal.lines.length < 2) breach('two-lines', `${String(journal.lines.length)} lines`);
  checkHeader(journal, breach);
  const iskDecimals = expected.iskDecimals ?? ISK_DECIMALS_MAX;
  journal.lines.forEach((line, index) => checkLine(journal, line, index, iskDecimals, breach));
  checkBalance(journal, breach);
  checkVat(journal, expected, breach);
  checkControl(journal, expected, breach);
  return breaches;
}

/**
 * Throws JOURNAL_INVALID: for a journal that was sound once and is read back. The mapper asks for the breaches instead
 * (makeJournal), because there a journal that breaks an invariant is an outcome of its document.
 */
export function createJournal(journal: Journal, expected: JournalExpectations = {}): Journal {
  const breaches = journalBreaches(journal, expected);
  if (breaches.length === 0) return journal;
  const named = breaches.map(({ invariant, detail }) => `${JOURNAL_INVARIANTS[invariant]} (${detail})`);
  throw new CodedError('JOURNAL_INVALID', `Journal ${journal.documentNo} is not valid: ${named.join(' ')}`, {
    details: { externalReference: journal.externalReference, breaches },
  });
}

type Report = (invariant: JournalInvariant, detail: string) => void;

function checkHeader(journal: Journal, breach: Report): void {
  for (const day of [journal.postingDate, journal.documentDate]) {
    if (!isCalendarDay(day)) breach('dated', `"${day}"`);
  }
  const rate = journal.exchangeRate;
  const isRight = rate.isFinite() && isAboveZero(rate) && (journal.currency !== BOOK_CURRENCY || rate.eq(1));
  if (!isRight) breach('rate-positive', `${journal.currency} ${rate.toString()}`);
}

function checkLine(
  journal: Journal,
  line: JournalLine,
  index: number,
  iskDecimals: number,
  breach: Report,
): void {
  const at = `line ${String(index + 1)}`;
  if (line.account === '') breach('account-named', at);
  const { debit, credit, currencyAmount, vatBase } = line;
  const sides = [debit, credit];
  const isOneSided =
    sides.every((side) => side.isFinite() && !isBelowZero(side)) && sides.filter(isAboveZero).length === 1;
  if (!isOneSided) breach('one-side', `${at}: ${debit.toString()} / ${credit.toString()}`);
  if ([debit, credit, currencyAmount, vatBase].some(isBeyondDigits)) breach('amounts-bounded', at);
  if (sides.some((side) => side.decimalPlaces() > iskDecimals)) breach('isk-decimals', at);
  if (currencyAmount === undefined) return;
  if (!(isAboveZero(debit) ? isAboveZero(currencyAmount) : isBelowZero(currencyAmount)))
    breach('currency-sign', at);
  if (line.currency !== journal.currency || journal.currency === BOOK_CURRENCY) breach('currency-named', at);
  if (currencyAmount.decimalPlaces() > currencyDecimals(journal.currency)) breach('currency-decimals', at);
}

function isBeyondDigits(amount: Decimal | undefined): boolean {
  return amount !== undefined && amount.e >= DIGITS_MAX;
}

function checkBalance(journal: Journal, breach: Report): void {
  const debit = sum(journal.lines.map((line) => line.debit));
  const credit = sum(journal.lines.map((line) => line.credit));
  if (!debit.eq(credit)) breach('balanced-isk', `${amountText(debit)} against ${amountText(credit)}`);
  const currency = sum(journal.lines.map((line) => line.currencyAmount ?? ZERO));
  if (!currency.isZero()) breach('balanced-currency', `${journal.currency} ${amountText(currency)} over`);
}

function checkVat(journal: Journal, expected: JournalExpectations, breach: Report): void {
  const isForeign = journal.currency !== BOOK_CURRENCY;
  const cents = () => VAT_TOLERANCE_MINOR_UNITS.times(minorUnit(journal.currency));
  const tolerance = isForeign
    ? cents().times(journal.exchangeRate).plus(VAT_TOLERANCE_ISK)
    : VAT_TOLERANCE_ISK;
  journal.lines.forEach((line, index) => {
    const rate = expected.vatRateOf?.(line, index);
    if (rate === undefined || line.vatBase === undefined) return;
    const amount = sum([line.debit, line.credit]);
    if (!isWithin(amount, line.vatBase.times(rate), tolerance)) {
      breach('vat-of-base', `${amountText(amount)} of ${amountText(line.vatBase)}`);
    }
  });
}

function checkControl(journal: Journal, { control }: JournalExpectations, breach: Report): void {
  if (!control) return;
  const lines = journal.lines.filter((line) => control.roles.includes(line.role));
  const isk = sum(lines.map(({ debit, credit }) => (credit.isZero() ? debit : debit.minus(credit))));
  if (!isk.eq(control.isk)) breach('control-total', `${amountText(isk)}, not ${amountText(control.isk)}`);
  if (control.currency === undefined) return;
  const currency = sum(lines.map((line) => line.currencyAmount ?? ZERO));
  if (!currency.eq(control.currency)) {
    breach(
      'control-total',
      `${journal.currency} ${amountText(currency)}, not ${amountText(control.currency)}`,
    );
  }
}
