// Header and priced lines → a journal that keeps every invariant, or the reason why it is not let through.
import {
  type Journal,
  journalBreaches,
  JOURNAL_INVARIANTS,
  type JournalExpectations,
  type JournalLine,
  type LineRole,
  createJournal,
  type JournalParty,
} from '../../domain/journal.js';
import { stop, type Stop, because, type Because, type TraceEntry, warning, lineText } from './outcome.js';
import { VAT_RATES, type RuleBook, type Treatment, type TenantRules } from './rules.js';
import { message } from '../../language/messages.js';
import { isCalendarDay } from '../../domain/local-time.js';
import type { IsoDate, SourceKind } from '../../domain/source-document.js';
import { ZERO, Decimal, isAboveZero, isBelowZero, BOOK_CURRENCY } from '../../domain/money.js';
import type { Message } from '../../domain/message.js';
import { plainKennitala, readKennitala } from '../../domain/kennitala.js';
import { MONTHS_MAX, CLOSES_AFTER_HOURS, DOCUMENTS_MAX } from './rule-schemas.js';
import type { Guid } from '../../domain/ids.js';

export interface JournalMaking {
  readonly header: Omit<Journal, 'lines'>;
  readonly lines: readonly PricedLine[];
  readonly isMirrored: boolean;
  readonly iskDecimals: number;
  /** In the sense of the lines before mirroring. */
  readonly control?: NonNullable<JournalExpectations['control']>;
}

export function makeJournal(making: JournalMaking): Journal | Stop {
  const { header, lines, isMirrored, control } = making;
  if (lines.length < 2) return stop('TOO_FEW_LINES');
  const journal: Journal = {
    lines: lines.map((line) => toJournalLine(line, header.currency, isMirrored)),
    ...header,
  };
  const breaches = journalBreaches(journal, {
    iskDecimals: making.iskDecimals,
    vatRateOf: (line, index) => {
      const treatment = lines[index]?.draft.treatment;
      const isVat = line.role === 'vat-out' || line.role === 'vat-in';
      return isVat && treatment !== undefined ? VAT_RATES[treatment] : undefined;
    },
    ...(control === undefined ? {} : { control: isMirrored ? mirrored(control) : control }),
  });
  const first = breaches[0];
  if (!first) return journal;
  return stop('JOURNAL_REFUSED', {
    invariant: first.invariant,
    problem: breaches
      .map(({ invariant, detail }) => `${JOURNAL_INVARIANTS[invariant]} (${detail})`)
      .join(' '),
  });
}

function mirrored(control: NonNullable<JournalExpectations['control']>): typeof control {
  const { roles, isk, currency } = control;
  return { roles, isk: isk.neg(), ...(currency === undefined ? {} : { currency: currency.neg() }) };
}

// The day on which a document goes into the books: its issue date, unless that period is locked.
export interface PostingDate {
  readonly postingDate: IsoDate;
  readonly isMoved: boolean;
  readonly because: Because;
}

export function choosePostingDate(issueDate: IsoDate, book: RuleBook): PostingDate | Stop {
  if (!isCalendarDay(issueDate)) return stop('MALFORMED_DOCUMENT', { problem: 'issue_date is missing' });
  const lockedUntil = book.rules.period.lockedUntil ?? null;
  if (lockedUntil === null || issueDate > lockedUntil) {
    const why = message('POSTED_ON_ISSUE_DATE');
    return {
      postingDate: issueDate,
      isMoved: false,
      because: because('postingDate', issueDate, 'specification', why),
    };
  }
  const postingDate = dayAfter(lockedUntil);
  // Books that are locked until the end of the calendar have no first open day.
  if (book.whenLocked === 'park' || !isCalendarDay(postingDate)) {
    return stop('PERIOD_LOCKED', { date: issueDate, lockedUntil });
  }
  const why = message('MOVED_TO_OPEN_DAY', { lockedUntil, issueDate });
  return {
    postingDate,
    isMoved: true,
    because: because('postingDate', postingDate, 'period.whenLocked', why),
  };
}

function dayAfter(day: IsoDate): IsoDate {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}

// A journal line on its way: one signed amount, plus is debit, with the reasons for its account, code and dimensions.
// It gets its two sides, and its number in the trace, when the journal is made.

export interface DraftLine {
  readonly account: string;
  readonly role: LineRole;
  /** In the document's currency. */
  readonly amount: Decimal;
  /** On revenue, expense and VAT lines: what ties VAT to its base. */
  readonly treatment?: Treatment;
  readonly vatCode?: string;
  /** On gross lines that the ERP splits: the part without VAT. */
  readonly net?: Decimal;
  readonly counterparty?: string;
  readonly dueDate?: IsoDate;
  readonly dimensions?: Readonly<Record<string, string>>;
  /** Waits for other months; `amount` where the line holds more than what is released. */
  readonly spread?: {
    readonly account: string;
    readonly days: readonly IsoDate[];
    readonly amount?: Decimal;
  };
  readonly text: string;
  readonly because: readonly Because[];
}

export interface PricedLine {
  readonly draft: DraftLine;
  readonly isk: Decimal;
  /** Absent on ISK documents and on lines that exist in ISK only. */
  readonly currencyAmount?: Decimal;
  /** A magnitude, on the side of its line. */
  readonly vatBase?: Decimal;
  /** Magnitudes; only where the ERP reckons VAT. */
  readonly vatKept?: Decimal;
  readonly reverseVat?: Decimal;
}

type Unfinished<Value> = { -readonly [Key in keyof Value]: Value[Key] };

/** `isMirrored`: a credit note books the other side of everything. */
function toJournalLine(priced: PricedLine, currency: string, isMirrored: boolean): JournalLine {
  const { draft, vatBase, vatKept, reverseVat, currencyAmount } = priced;
  const { vatCode, counterparty, dueDate, dimensions, spread } = draft;
  const isk = isMirrored ? priced.isk.neg() : priced.isk;
  const line: Unfinished<JournalLine> = {
    account: draft.account,
    role: draft.role,
    debit: isAboveZero(isk) ? isk : ZERO,
    credit: isBelowZero(isk) ? isk.neg() : ZERO,
    text: draft.text,
  };
  // Assigned one by one: this runs for every line of every document, and spreading costs more than all the rest of it.
  if (currencyAmount !== undefined) {
    line.currency = currency;
    line.currencyAmount = isMirrored ? currencyAmount.neg() : currencyAmount;
  }
  if (vatCode !== undefined) line.vatCode = vatCode;
  if (vatBase !== undefined) line.vatBase = vatBase.abs();
  if (vatKept !== undefined) line.vatKept = vatKept.abs();
  if (reverseVat !== undefined) line.reverseVat = reverseVat.abs();
  if (counterparty !== undefined && counterparty !== '') line.counterparty = counterparty;
  if (dueDate !== undefined) line.dueDate = dueDate;
  if (dimensions !== undefined && Object.keys(dimensions).length > 0) line.dimensions = dimensions;
  if (spread !== undefined) {
    // Where the ERP takes VAT out of the line, what waits is the rest of it.
    const amount = (spread.amount ?? vatBase ?? isk).abs();
    line.release = { account: spread.account, amount, days: spread.days };
  }
  return line;
}

export function traceOf(journal: TraceEntry['journal'], lines: readonly PricedLine[]): TraceEntry[] {
  return lines.flatMap(({ draft }, line) =>
    draft.because.map(({ field, value, rule, why }) => ({ journal, line, field, value, rule, why })),
  );
}

/** Largest first; of equals, by treatment and account, so that the order of lines on the document has no say. */
export function bySizeThenName(one: DraftLine, other: DraftLine): number {
  const bySize = other.amount.abs().comparedTo(one.amount.abs());
  if (bySize !== 0) return bySize;
  return nameOf(one) < nameOf(other) ? -1 : 1;
}

function nameOf({ treatment, account, vatCode }: DraftLine): string {
  return [treatment ?? '', account, vatCode ?? ''].join('|');
}

// The kennitala of the other side. Neither its shape nor its check digit stops a document: both are warnings.
export interface CheckedKennitala {
  /** Ten digits where it has the shape, else as it came. */
  readonly kennitala: string;
  readonly warnings: readonly Message[];
}

/** `isNeeded`: a receivable or payable line stands on it, so that a missing one deserves a warning too. */
export function checkKennitala(written: string, isNeeded: boolean): CheckedKennitala {
  const plain = plainKennitala(written);
  const read = readKennitala(plain);
  if (!read.format) {
    const isWorthSaying = plain !== '' || isNeeded;
    return {
      kennitala: plain,
      warnings: isWorthSaying ? [warning('KENNITALA_FORMAT', { written: written.trim() })] : [],
    };
  }
  return {
    kennitala: read.digits,
    warnings: read.checksum ? [] : [warning('KENNITALA_CHECKSUM', { kennitala: read.digits })],
  };
}

// Income and cost that belong to other months than the document: they wait on an account of the balance sheet, and are released
// from there on days that are fixed when the document is booked. VAT does not wait: it is owed by the document.

export interface Spread {
  /** On which it waits. */
  readonly waits: Because;
  /** Which rule spreads it, and over which days. */
  readonly why: Because;
  readonly days: readonly IsoDate[];
}

interface SpreadFacts {
  readonly side: 'invoice' | 'cost';
  /** From which month on: of the delivery, or of the beginning of the e-invoice's period. Empty: nobody says. */
  readonly from: IsoDate;
  /** Of the e-invoice's period. */
  readonly until?: IsoDate | undefined;
  /** A case says so, of this path. */
  readonly months?: { readonly count: number; readonly rule: string } | undefined;
  readonly postingDate: IsoDate;
  /** A credit note undoes from its own day on what its original released, and what it would have. */
  readonly notBefore: IsoDate;
}

/** null: it belongs to the month of its document. */
export function spreadOf(facts: SpreadFacts, book: RuleBook): Spread | null {
  const planned = plannedDays(facts, book);
  if (planned === null) return null;
  const floor = [facts.notBefore, firstOpenDay(book)].reduce(later);
  const days = planned.days.map((day) => later(day, floor));
  const [first, last] = [days[0] ?? '', days.at(-1) ?? ''];
  const month = monthOf(facts.postingDate);
  if (monthOf(first) === month && monthOf(last) === month) return null;
  const waits = waitingAccount(facts.side, monthOf(last) > month, book);
  if (waits === null) return null;
  const why = message('SPREAD_OVER', { releases: new Set(days).size, first, last });
  return { waits, days, why: because('release', `${first} … ${last}`, planned.rule, why) };
}

/** On which account the line stands, and where it goes from there. */
export function spreadReasons(spread: Spread | null, account: Because): readonly Because[] {
  return spread === null ? [account] : [spread.waits, { ...account, field: 'releasedTo' }, spread.why];
}

interface Planned {
  readonly days: readonly IsoDate[];
  readonly rule: string;
}

function plannedDays(
  { side, from, until, months, postingDate }: SpreadFacts,
  book: RuleBook,
): Planned | null {
  const start = isCalendarDay(from) ? from : postingDate;
  if (months !== undefined) return { days: monthEnds(start, months.count), rule: months.rule };
  if (book.rules[side].spread !== 'delivery' || !isCalendarDay(from)) return null;
  const count = until === undefined || until < from ? 1 : monthsBetween(from, until) + 1;
  const days = count === 1 ? [from] : monthEnds(from, Math.min(count, MONTHS_MAX));
  return { days, rule: `${side}.spread` };
}

/** What a later month earns was paid before; what an earlier one earned is only billed now. */
function waitingAccount(side: SpreadFacts['side'], isLater: boolean, { rules }: RuleBook): Because | null {
  const { accounts } = rules;
  const named = (name: 'deferredRevenue' | 'accruedRevenue' | 'prepaidExpense' | 'accruedExpense') =>
    accounts[name] === undefined
      ? null
      : because('account', accounts[name], `accounts.${name}`, message('WAITS_FOR_RELEASE', { isLater }));
  if (side === 'invoice') return (isLater ? null : named('accruedRevenue')) ?? named('deferredRevenue');
  return (isLater ? null : named('accruedExpense')) ?? named('prepaidExpense');
}

/** The last days of so many months, from the month of `from` on. */
function monthEnds(from: IsoDate, count: number): IsoDate[] {
  const [year, month] = [Number(from.slice(0, 4)), Number(from.slice(5, 7))];
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(year, month + index, 0)).toISOString().slice(0, 10),
  );
}

function monthsBetween(from: IsoDate, until: IsoDate): number {
  const months = (day: IsoDate) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return months(until) - months(from);
}

function firstOpenDay({ rules }: RuleBook): IsoDate {
  const { lockedUntil } = rules.period;
  if (!lockedUntil) return '';
  return new Date(Date.parse(lockedUntil) + DAY_MS).toISOString().slice(0, 10);
}

const DAY_MS = 86_400_000;

function monthOf(day: IsoDate): string {
  return day.slice(0, 7);
}

function later(one: IsoDate, other: IsoDate): IsoDate {
  return one > other ? one : other;
}

// The documents of a day as one journal, for tenants who want it so. What customers owe and suppliers are owed, and what was paid,
// keeps a line a document, which names the document and its key; revenue, expense, VAT and rounding are added up by account, code
// and dimensions. Nothing is netted: a credit note stands on its own side. So the sub-ledgers stay right, and the entry alone says
// which documents are in it.

/** The first, second, … of the documents of a kind and a posting date. */
export interface SummaryName {
  readonly kind: SourceKind;
  readonly day: IsoDate;
  readonly serial: number;
}

interface Summarised {
  readonly key: string;
  readonly journal: Journal;
}

const HOUR_MS = 3_600_000;
const ADDED_UP: ReadonlySet<LineRole> = new Set<LineRole>([
  'revenue',
  'expense',
  'vat-out',
  'vat-in',
  'reverse-charge-in',
  'reverse-charge-out',
  'residual',
  'rounding',
]);

type Rules = Pick<TenantRules, 'summary' | 'vat'>;

/** A document in another currency has a rate of its own, and is booked by itself. */
export function isSummarised({ summary, vat }: Rules, kind: SourceKind, journal: Journal): boolean {
  const wish = kind === 'invoice' ? summary?.invoices : summary?.costs;
  return wish === 'daily' && vat.mode !== 'erp-splits' && journal.currency === BOOK_CURRENCY;
}

/** In milliseconds since 1970: from then on its documents are put together. */
export function closingOf({ summary }: Pick<TenantRules, 'summary'>, day: IsoDate): number {
  return Date.parse(`${day}T00:00:00Z`) + (summary?.closesAfterHours ?? CLOSES_AFTER_HOURS) * HOUR_MS;
}

export function documentsMaxOf({ summary }: Pick<TenantRules, 'summary'>): number {
  return summary?.documentsMax ?? DOCUMENTS_MAX;
}

/** It says all that a summary is, so a database that forgot one begins the same one again, under the same key. */
export function summaryGuid({ kind, day, serial }: SummaryName): string {
  return [kind, day, serial].join('.');
}

export function readSummaryGuid(guid: Guid): SummaryName {
  const [kind, day = '', serial] = guid.split('.');
  return { kind: kind === 'cost' ? 'cost' : 'invoice', day, serial: Number(serial) };
}

/** Within the twenty characters of the narrowest ERP. */
export function summaryNumber({ kind, day, serial }: SummaryName): string {
  return `DAG-${day.replaceAll('-', '')}-${kind === 'cost' ? 'K' : 'R'}${String(serial)}`;
}

/** Of documents that `isSummarised` takes, all of one kind and posting date, in the order given. */
export function summarise(name: SummaryName, documents: readonly Summarised[], book: RuleBook): Journal {
  const numbers = documents.map(({ journal }) => journal.documentNo);
  const about = `Samantekt ${name.day}: ${spanOf(numbers)}`;
  const kept = documents.flatMap(({ key, journal }) =>
    journal.lines.filter(({ role }) => !ADDED_UP.has(role)).map((line) => named(line, key, journal, book)),
  );
  const parties = partiesOf(documents);
  return createJournal({
    documentNo: summaryNumber(name),
    externalReference: summaryGuid(name),
    postingDate: name.day,
    documentDate: name.day,
    description: about,
    currency: BOOK_CURRENCY,
    exchangeRate: new Decimal(1),
    ...(parties.length === 0 ? {} : { parties }),
    lines: [...kept, ...addedUp(documents, lineText(about, book))],
  });
}

function spanOf(numbers: readonly string[]): string {
  const [first = '', ...rest] = numbers;
  const last = rest.at(-1);
  return last === undefined ? first : `${first} – ${last} (${String(numbers.length)})`;
}

/** Number and key come first and whole: whoever has only the books finds the document by them. */
function named(line: JournalLine, key: string, { documentNo }: Journal, book: RuleBook): JournalLine {
  const { release: _waits, ...kept } = line;
  const name = `${documentNo} ${key}`;
  const rest = line.text.startsWith(documentNo) ? line.text.slice(documentNo.length).trim() : line.text;
  const text = lineText(`${name} ${rest}`, book);
  return { ...kept, text: text.startsWith(name) ? text : name };
}

function addedUp(documents: readonly Summarised[], text: string): JournalLine[] {
  const sums = new Map<string, JournalLine>();
  for (const { journal } of documents)
    for (const line of journal.lines) {
      if (!ADDED_UP.has(line.role)) continue;
      const group = groupOf(line);
      const known = sums.get(group);
      sums.set(group, known ? plus(known, line) : first(line, text));
    }
  return [...sums.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line);
}

function groupOf({ account, role, debit, vatCode, vatBase, dimensions = {} }: JournalLine): string {
  const names = Object.entries(dimensions).sort(([one], [other]) => (one < other ? -1 : 1));
  const side = debit.isZero() ? 'credit' : 'debit';
  return JSON.stringify([account, role, side, vatCode ?? '', vatBase === undefined, names]);
}

function first({ release: _waits, ...line }: JournalLine, text: string): JournalLine {
  return { ...line, text };
}

function plus(known: JournalLine, line: JournalLine): JournalLine {
  return {
    ...known,
    debit: known.debit.plus(line.debit),
    credit: known.credit.plus(line.credit),
    ...(known.vatBase && line.vatBase ? { vatBase: known.vatBase.plus(line.vatBase) } : {}),
  };
}

function partiesOf(documents: readonly Summarised[]): JournalParty[] {
  const byName = new Map<string, JournalParty>();
  for (const { journal } of documents)
    if (journal.party) byName.set(`${journal.party.kind} ${journal.party.kennitala}`, journal.party);
  return [...byName.values()];
}
