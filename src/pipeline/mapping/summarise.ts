// The documents of a day as one journal, for tenants who want it so. What customers owe and suppliers are owed, and what was paid,
// keeps a line a document, which names the document and its key; revenue, expense, VAT and rounding are added up by account, code
// and dimensions. Nothing is netted: a credit note stands on its own side. So the sub-ledgers stay right, and the entry alone says
// which documents are in it.
import type { Guid } from '../../domain/ids.js';
import { BOOK_CURRENCY } from '../../domain/money.js';
import { Decimal } from '../../domain/decimal.js';
import {
  createJournal,
  type Journal,
  type JournalLine,
  type JournalParty,
  type LineRole,
} from '../../domain/journal.js';
import type { IsoDate, SourceKind } from '../../domain/source-document.js';
import type { RuleBook, TenantRules } from './rules.js';
import { CLOSES_AFTER_HOURS, DOCUMENTS_MAX } from './rule-schemas.js';
import { lineText } from './wording.js';

/** The first, second, … of the documents of a kind and a posting date. */
export interface SummaryName {
  readonly kind: SourceKind;
  readonly day: IsoDate;
  readonly serial: number;
}

export interface Summarised {
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
