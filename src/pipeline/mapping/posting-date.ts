// The day on which a document goes into the books: its issue date, unless that period is locked.
import { message } from '../../language/messages.js';
import { isCalendarDay } from '../../domain/calendar-day.js';
import type { IsoDate } from '../../domain/source-document.js';
import { stop, type Stop } from './outcome.js';
import type { RuleBook } from './rule-book.js';
import { because, type Because } from './trace.js';

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
