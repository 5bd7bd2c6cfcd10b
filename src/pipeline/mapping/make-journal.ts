// Header and priced lines → a journal that keeps every invariant, or the reason why it is not let through.
import {
  type Journal,
  journalBreaches,
  JOURNAL_INVARIANTS,
  type JournalExpectations,
} from '../../domain/journal.js';
import { toJournalLine, type PricedLine } from './draft-line.js';
import { stop, type Stop, because, type Because } from './outcome.js';
import { VAT_RATES } from './vat-rates.js';
import { message } from '../../language/messages.js';
import { isCalendarDay } from '../../domain/local-time.js';
import type { IsoDate } from '../../domain/source-document.js';
import type { RuleBook } from './rules.js';

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
