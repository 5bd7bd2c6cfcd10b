// From one source document to its journal. Pure: the same document, rules and context give the same outcome, and nothing
// is thrown for anything a document may say. What cannot be booked comes back with a stable reason, a sentence and a cure.
import type { Journal, JournalLine, LineRelease } from '../../domain/journal.js';
import type { SourceDocument, SourceKind, IsoDate } from '../../domain/source-document.js';
import { message } from '../../language/messages.js';
import type { MappingContext } from './context.js';
import { mapCost } from './map-cost.js';
import { mapInvoice } from './map-invoice.js';
import {
  notPosted,
  stop,
  type MappingOutcome,
  aboutDocument,
  because,
  type TraceEntry,
  isStop,
  warning,
} from './outcome.js';
import { type TenantRules, openRuleBook, type RuleBook } from './rules.js';
import {
  closingOf,
  isSummarised,
  type PricedLine,
  traceOf,
  makeJournal,
  choosePostingDate,
} from './make-journal.js';
import { Decimal, BOOK_CURRENCY, amountText, roundTo } from '../../domain/money.js';

export type { MappingContext } from './context.js';
export type { MappingOutcome } from './outcome.js';

export function mapDocument(
  document: SourceDocument,
  rules: TenantRules,
  context: MappingContext,
): MappingOutcome {
  const mapped =
    document.kind === 'invoice' ? mapInvoice(document, rules, context) : mapCost(document, rules, context);
  return mapped.outcome === 'post' && isSummarised(rules, document.kind, mapped.journal)
    ? { ...mapped, trace: [...mapped.trace, ...bookedTogether(document.kind, rules, mapped.journal)] }
    : mapped;
}

function bookedTogether(kind: SourceKind, rules: TenantRules, { postingDate: day }: Journal): TraceEntry[] {
  const closes = new Date(closingOf(rules, day)).toISOString().slice(0, 16).replace('T', ' ');
  return aboutDocument([because('summary', day, `summary.${kind}s`, message('BOOKED_TOGETHER', { closes }))]);
}

/** For a record that could not be decoded. `problem` is decodeDocument's. */
export function mapMalformed(problem: string): MappingOutcome {
  return notPosted(stop('MALFORMED_DOCUMENT', { problem }));
}

// What a booked document releases on a day: the part of each waiting line that belongs to it, moved from where it waits to where it
// belongs. It is reckoned from the entry as it was booked, so neither new rules nor an edited document change it.

const ONE = new Decimal(1);

export function mapRelease(booked: Journal, day: IsoDate, rules: TenantRules): MappingOutcome {
  const book = openRuleBook(rules);
  const lines = booked.lines.flatMap((line) => releasedLines(line, day, book));
  if (lines.length === 0) return notPosted(stop('NOTHING_TO_RELEASE'));
  const date = choosePostingDate(day, book);
  if (isStop(date)) return notPosted(date);
  const trace = [...aboutDocument([date.because]), ...traceOf('document', lines)];
  const warnings = date.isMoved ? [warning('POSTING_DATE_MOVED', { date: date.postingDate })] : [];
  const { documentNo, externalReference, description } = booked;
  const journal = makeJournal({
    header: {
      documentNo,
      externalReference,
      postingDate: date.postingDate,
      documentDate: day,
      description,
      currency: BOOK_CURRENCY,
      exchangeRate: ONE,
    },
    lines,
    isMirrored: false,
    iskDecimals: book.iskDecimals,
  });
  if (isStop(journal)) return notPosted(journal, { trace, warnings });
  return { outcome: 'post', journal, warnings, trace };
}

/** Each day once, in order. */
export function releaseDays({ lines }: Journal): IsoDate[] {
  return [...new Set(lines.flatMap(({ release }) => release?.days ?? []))].sort();
}

function releasedLines(line: JournalLine, day: IsoDate, book: RuleBook): PricedLine[] {
  const { release } = line;
  if (release === undefined) return [];
  const part = partOf(release, day, book.iskDecimals);
  if (part.isZero()) return [];
  const isk = line.debit.isZero() ? part.neg() : part;
  const why = message('RELEASED', { part: amountText(part), of: amountText(release.amount) });
  const priced = (account: string, role: JournalLine['role'], amount: Decimal): PricedLine => ({
    draft: {
      account,
      role,
      amount,
      ...(role === line.role && line.dimensions !== undefined ? { dimensions: line.dimensions } : {}),
      text: line.text,
      because: [because('account', account, 'specification', why)],
    },
    isk: amount,
  });
  return [priced(line.account, 'clearing', isk.neg()), priced(release.account, line.role, isk)];
}

/** Equal parts, rounded so that together they are the whole. */
function partOf({ amount, days }: LineRelease, day: IsoDate, decimals: number): Decimal {
  const first = days.indexOf(day);
  if (first === -1) return amount.times(0);
  const upTo = (count: number) => roundTo(amount.times(count).div(days.length), decimals);
  return upTo(days.lastIndexOf(day) + 1).minus(upTo(first));
}
