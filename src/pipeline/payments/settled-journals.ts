// What of an invoice's payment is in the books: its settlement, and the payments that were booked since.
import type { Journal } from '../../domain/journal.js';
import { journalFromJson } from '../../domain/journal-json.js';
import type { PostingState } from '../../domain/posting.js';
import type { BookedInvoice, KnownPayment } from './records.js';

export function settledJournals({ settlement, payments }: BookedInvoice): Journal[] {
  const booked = payments.filter(({ isBooked, state }) => isBooked && state !== 'reversed');
  return [settlement, ...booked.map(({ journal }) => journal)].flatMap((text) =>
    text === null ? [] : [journalFromJson(text)],
  );
}

/** The bridge is done with it by itself. What waits, and what a person decided, is not gone past. */
export function isDone({ state, reason, isReversing, isBefore }: KnownPayment): boolean {
  if (state === 'acknowledged') return !isReversing;
  return isBefore ? isUndone(state) : state === 'skipped' && reason === 'NOTHING_TO_SETTLE';
}

/** Nothing of it is in the books, nor on its way there. */
export function isUndone(state: PostingState): boolean {
  return state === 'skipped' || state === 'reversed';
}
