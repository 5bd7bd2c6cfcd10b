// The balanced journal that every adapter posts. domain/mapping.md of the specification calls these fields by the same names.
import {
  Decimal,
  sum,
  ZERO,
  BOOK_CURRENCY,
  currencyDecimals,
  minorUnit,
  amountText,
  isAboveZero,
  isBelowZero,
  isWithin,
} from './money.js';
import type { IsoDate } from './source-document.js';
import { isCalendarDay } from './local-time.js';
import { CodedError } from './errors/coded-error.js';

export const LINE_ROLES = [
  'receivable',
  'payable',
  'revenue',
  'expense',
  'vat-out',
  'vat-in',
  'reverse-charge-in',
  'reverse-charge-out',
  'bank',
  'clearing',
  'withheld-tax',
  'interest',
  'collection',
  'exchange',
  'residual',
  'rounding',
] as const;
export type LineRole = (typeof LINE_ROLES)[number];

export interface JournalLine {
  readonly account: string;
  readonly role: LineRole;
  /** ISK. Exactly one side is above zero. */
  readonly debit: Decimal;
  readonly credit: Decimal;
  /** Only on foreign documents; signed, plus is debit. */
  readonly currency?: string;
  readonly currencyAmount?: Decimal;
  readonly vatCode?: string;
  readonly vatBase?: Decimal;
  /** Where the ERP reckons VAT: as much of it as is not deducted, which the ERP leaves on the account of the line. In ISK, without a sign. */
  readonly vatKept?: Decimal;
  /** Where the ERP reckons VAT: what it is to owe and to deduct by a reverse charge on this line, in ISK. It moves no money. */
  readonly reverseVat?: Decimal;
  /** Kennitala of the customer or supplier; only on receivable and payable lines. */
  readonly counterparty?: string;
  readonly dueDate?: IsoDate;
  readonly dimensions?: Readonly<Record<string, string>>;
  readonly release?: LineRelease;
  readonly text: string;
}

/** The line waits on its account for other months than the document's: an equal part goes to `account` on each of the days. */
export interface LineRelease {
  readonly account: string;
  /** In ISK, without VAT, on the side of the line. */
  readonly amount: Decimal;
  /** In order; a day that stands twice gets two parts. */
  readonly days: readonly IsoDate[];
}

const VAT_ROLES: ReadonlySet<LineRole> = new Set([
  'vat-out',
  'vat-in',
  'reverse-charge-in',
  'reverse-charge-out',
]);

/** The amount holds VAT, which the ERP is to take out by the code of the line; `vatBase` is what it should leave. */
export function isGross({ role, vatBase }: Pick<JournalLine, 'role' | 'vatBase'>): boolean {
  return vatBase !== undefined && !VAT_ROLES.has(role);
}

/** What the entry comes to on each side, with what an ERP that reckons VAT puts on both for a reverse charge. */
export function totalOf({ lines }: Pick<Journal, 'lines'>): Decimal {
  return sum(lines.flatMap(({ debit, reverseVat }) => (reverseVat ? [debit, reverseVat] : [debit])));
}

/** A line of VAT itself, where the ERP is not to reckon any. */
export function isVatLine({ role }: Pick<JournalLine, 'role'>): boolean {
  return VAT_ROLES.has(role);
}

/** Who the document is with: what an adapter may need to look the partner up, or to create it where the tenant allows. */
export interface JournalParty {
  readonly kind: 'customer' | 'supplier';
  readonly kennitala: string;
  readonly name: string;
  readonly address?: string;
  readonly zip?: string;
  readonly city?: string;
  readonly email?: string;
}

export interface Journal {
  readonly documentNo: string;
  /** The guid at the source. */
  readonly externalReference: string;
  readonly postingDate: IsoDate;
  readonly documentDate: IsoDate;
  readonly dueDate?: IsoDate;
  readonly settlementDate?: IsoDate;
  readonly description: string;
  readonly currency: string;
  /** ISK per one unit of currency; 1 for ISK. */
  readonly exchangeRate: Decimal;
  /** Guid of the original, on credit notes. */
  readonly appliesTo?: string;
  /**
   * On credit notes of suppliers, which have no guid of the original at the source: the `documentNo` of the bill, as the e-invoice names
   * it. Whether the bill is in the books, only they tell.
   */
  readonly appliesToNo?: string;
  readonly party?: JournalParty;
  /** Instead of one: those of all its documents, each once. */
  readonly parties?: readonly JournalParty[];
  readonly attachments?: readonly string[];
  readonly lines: readonly JournalLine[];
}

/** Whoever has this kennitala, where the journal says who that is. */
export function partyWith(
  { party, parties = [] }: Pick<Journal, 'party' | 'parties'>,
  isMeant: (party: JournalParty) => boolean,
): JournalParty | undefined {
  return party && isMeant(party) ? party : parties.find(isMeant);
}

// What is always true of a journal, checked whenever one is made or read back. Each invariant has a name, so that a test
// can break it alone and a message can say which one broke.
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

interface JournalBreach {
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

// Text inside a journal of hledger or ledger. A customer's words must not become syntax: a line break starts a new posting, ";" starts
// a comment, and inside a comment "[2020-01-01]" or "date:2020-01-01" moves the posting to another day.

/** One line without control characters. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** The words after the date of a transaction. */
export function asDescription(text: string): string {
  return oneLine(text).replaceAll(';', ',');
}

/** The document number between parentheses. */
export function asCode(text: string): string {
  return oneLine(text).replaceAll(/[();]/g, '');
}

/** The value of a tag, or a comment: brackets and colons become characters that read the same and mean nothing. */
export function asComment(text: string): string {
  return oneLine(text).replaceAll('[', '(').replaceAll(']', ')').replaceAll(':', '\u2236');
}

/** Two spaces would end the name of the account. */
export function asAccount(text: string): string {
  return oneLine(text).replaceAll(';', ',').replaceAll(/ +/g, ' ');
}

// A journal as it is kept when nothing requires the people in it any longer: accounts, amounts, dates and numbers stay, and whoever it was
// about does not. Works on the JSON, so that a journal of any version is left otherwise as it was.
type Json = Record<string, unknown>;

export function withoutPeople(text: string): string {
  const journal = JSON.parse(text) as Json;
  const { attachments: _names, ...kept } = journal;
  return JSON.stringify({
    ...kept,
    ...('description' in journal ? { description: '' } : {}),
    ...(isObject(journal['party']) ? { party: nobody(journal['party']) } : {}),
    ...(Array.isArray(journal['parties']) ? { parties: [] } : {}),
    ...(Array.isArray(journal['lines']) ? { lines: journal['lines'].map(lineWithoutPeople) } : {}),
  });
}

function nobody({ kind }: Json): Json {
  return { kind, kennitala: '', name: '' };
}

function lineWithoutPeople(line: unknown): unknown {
  if (!isObject(line)) return line;
  const { counterparty: _who, ...kept } = line;
  return { ...kept, text: '' };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// What changes between two texts, line by line, with a few lines around each change.
export interface LineChange {
  readonly sign: ' ' | '+' | '-' | '…';
  readonly text: string;
}

const AROUND = 3;
/** Beyond so many pairs of lines the middle is shown as taken out and put in. */
const PAIRS_MAX = 4_000_000;

/** Every line, changed or not. */
export function allLines(before: string, after: string): readonly LineChange[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const same = (text: string): LineChange => ({ sign: ' ', text });
  const middle = between(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [...a.slice(0, start).map(same), ...middle, ...a.slice(a.length - end).map(same)];
}

export function lineChanges(before: string, after: string): readonly LineChange[] {
  return folded(allLines(before, after));
}

/** The longest common lines stay; the rest goes or comes. */
function between(a: readonly string[], b: readonly string[]): readonly LineChange[] {
  const out = (text: string): LineChange => ({ sign: '-', text });
  const into = (text: string): LineChange => ({ sign: '+', text });
  if (a.length * b.length > PAIRS_MAX) return [...a.map(out), ...b.map(into)];
  const longest = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  const at = (i: number, j: number) => longest[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const row = longest[i];
      if (row) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const changes: LineChange[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      changes.push({ sign: ' ', text: a[i] ?? '' });
      i += 1;
      j += 1;
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1)))
      changes.push(out(a[i++] ?? ''));
    else changes.push(into(b[j++] ?? ''));
  }
  return changes;
}

function folded(changes: readonly LineChange[]): readonly LineChange[] {
  const shown = changes.map((_, index) =>
    changes.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ sign }) => sign !== ' '),
  );
  return changes.flatMap((change, index) => {
    if (shown[index]) return [change];
    return shown[index - 1] === true || (index === 0 && shown.includes(true))
      ? [{ sign: '…' as const, text: '' }]
      : [];
  });
}
