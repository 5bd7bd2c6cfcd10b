// Every entry that the bridge booked for a document: of this generation and of earlier ones, and what undid them, each under
// its own key, with its own number and day. An auditor compares them with the ERP one by one.
import type { IsoDate, TenantName } from '../domain/ids.js';
import { Decimal } from '../domain/money.js';
import type { JournalJson } from '../domain/journal-json.js';
import { reversalKey, settlementKey } from '../domain/posting-key.js';
import type { ExportRecords } from './records.js';
import type { ExportedPosting, FormerGeneration, ReversedPosting } from './views/exported-posting.js';

export interface BookedEntry {
  /** Under which the ERP has it; the documents of a summary share one, and each has its own lines. */
  readonly key: string;
  /** By which it is undone: of the document alone. */
  readonly ownKey: string;
  readonly entry: string;
  readonly part: 'main' | 'settlement' | 'reversal';
  /** Key of the entry that this one undoes. */
  readonly reverses: string;
  readonly postingDate: IsoDate;
  /** null: an older version of the bridge did not keep its lines. */
  readonly journal: JournalJson | null;
  readonly note: string;
}

export const NO_LINES = 'lines are not on record, look in the ERP';
export const NO_LINES_NO_DATE =
  'lines and date are not on record, look in the ERP; the date is the day it was booked on';

/** What it is booked as now, or was before it was reversed. */
export function currentEntries(posting: ExportedPosting | FormerGeneration): BookedEntry[] {
  const { key, summaryKey, erpNumber, settlementNumber, postingDate } = posting;
  const main = journalFrom(posting.journal);
  const settlement = journalFrom(posting.settlement);
  return [
    ...(erpNumber === ''
      ? []
      : [{ ...asBooked('main', key, erpNumber, main, postingDate), key: summaryKey ?? key }]),
    ...(settlementNumber === ''
      ? []
      : [asBooked('settlement', settlementKey(key), settlementNumber, settlement, postingDate)]),
  ];
}

/** All but the current ones: earlier generations, and every reversal. */
export function formerEntries(posting: ReversedPosting): BookedEntry[] {
  const current = currentEntries(posting);
  const kept = posting.former.flatMap((former) => (former === null ? [] : currentEntries(former)));
  const known = new Set([...current, ...kept].map(({ key }) => key));
  const lost = posting.attempts
    .filter(({ part, key }) => part !== 'reversal' && !known.has(key))
    .map(({ part, key, entry, finishedOn }) => ({
      ...asBooked(part, key, entry, null, finishedOn),
      note: NO_LINES_NO_DATE,
    }));
  const originals = new Map(
    [...current, ...kept, ...lost].map((entry) => [reversalKey(entry.ownKey), entry]),
  );
  const reversals = posting.attempts
    .filter(({ part }) => part === 'reversal')
    .map((attempt) => reversalOf(attempt, originals.get(attempt.key)));
  return onceEach([...kept, ...lost, ...reversals]);
}

function asBooked(
  part: BookedEntry['part'],
  key: string,
  entry: string,
  journal: JournalJson | null,
  postingDate: IsoDate,
): BookedEntry {
  const note = journal === null ? NO_LINES : '';
  return {
    key,
    ownKey: key,
    entry,
    part,
    reverses: '',
    postingDate: journal?.postingDate ?? postingDate,
    journal,
    note,
  };
}

function reversalOf(
  { key, entry, request, finishedOn }: ReversedPosting['attempts'][number],
  original: BookedEntry | undefined,
): BookedEntry {
  // An older version moved what was sent into the archive, with the day that it was booked for.
  const { date } = request === '' ? { date: finishedOn } : (JSON.parse(request) as { date: string });
  const journal = original?.journal ? mirrored(original.journal, date) : null;
  return { ...asBooked('reversal', key, entry, journal, date), reverses: original?.key ?? '' };
}

function mirrored(journal: JournalJson, date: string): JournalJson {
  const lines = journal.lines.map((line) => ({
    ...line,
    debit: line.credit,
    credit: line.debit,
    ...(line.currencyAmount === undefined
      ? {}
      : { currencyAmount: new Decimal(line.currencyAmount).negated().toFixed() }),
  }));
  return { ...journal, postingDate: date, documentDate: date, lines };
}

/** A request that was sent twice under one key is one entry. */
function onceEach(entries: readonly BookedEntry[]): BookedEntry[] {
  return [...new Map(entries.map((entry) => [entry.key, entry])).values()];
}

function journalFrom(text: string | null): JournalJson | null {
  return text === null ? null : (JSON.parse(text) as JournalJson);
}

interface BookedPeriod {
  readonly tenant: TenantName;
  readonly from: string;
  readonly to: string;
}

const PAGE = 500;

/** Every entry of a period, with the posting it belongs to; one page in memory at a time, so its length does not matter. */
export async function* bookedIn(
  records: ExportRecords,
  period: BookedPeriod,
): AsyncGenerator<readonly [ExportedPosting, BookedEntry]> {
  for await (const posting of postedIn(records, period))
    for (const entry of currentEntries(posting)) yield [posting, entry];
  const withReversal = (after: string | null) => records.reversedPage(period.tenant, after, PAGE);
  for await (const posting of paged(withReversal))
    for (const entry of formerEntries(posting))
      if (entry.postingDate >= period.from && entry.postingDate <= period.to) yield [posting, entry];
}

export function postedIn(records: ExportRecords, period: BookedPeriod): AsyncGenerator<ExportedPosting> {
  return paged((after) => records.exportPage(period, after, PAGE));
}

async function* paged<Row extends ExportedPosting>(
  read: (after: string | null) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  let after: string | null = null;
  for (;;) {
    const page: readonly Row[] = await read(after);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.postingId;
  }
}
