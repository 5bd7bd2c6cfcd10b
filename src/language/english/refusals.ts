// Why an act on a document cannot be done.
import type { Message } from '../../domain/message.js';
import type { Say, TextTable } from '../table.js';

export const REFUSALS = {
  DOES_NOT_EXIST: () => 'It does not exist.',
  SKIP_NOT_KNOWN: ({ what }: { what: Message }, say: Say) =>
    `It is not known whether it was skipped (${say(what)}). Look at it before you skip it again.`,
  SKIP_NOT_TRIED: () => 'Not tried, because of what happened with the one before it.',
  WORKED_ON: () => 'It is being worked on at this moment; try again.',
  CHANGED_MEANWHILE: () => 'It changed meanwhile; look at it again.',
  NOT_FROM_HERE: ({ state }: { state: string }) =>
    `It is ${state.replace('_', ' ')}, and this cannot be done from there.`,
  HELD: () => 'An operator holds it.',
  HELD_ALREADY: () => 'It is held already.',
  NOT_HELD: () => 'No operator holds it.',
  ON_ITS_WAY: () => 'It is on its way already.',
  IN_BOOKS: () => 'It is in the books: reverse it instead.',
  IN_BOOKS_ALREADY: () => 'It is in the books already, as the bridge has on record.',
  IN_BOOKS_AND_POSTED: () => 'It is in the books, and the source says Posted.',
  IN_BOOKS_BUT_DELETED: () => 'It is in the books but was deleted at the source.',
  REVERSAL_BEGUN: () =>
    'A reversal of it was begun, and may be in the ERP: reverse it again, which looks for the first one before it sends another.',
  NO_ENTRY: ({ state }: { state: string }) =>
    `It is ${state.replace('_', ' ')}, without an entry that could be reversed.`,
  MAY_HAVE_REACHED_ERP: () => 'It may have reached the ERP: replay it, so that the bridge finds out.',
  FINDING_OUT: () => 'The bridge is still finding out what became of it; wait or replay it.',
  ENTRY_NOT_KNOWN: ({ part }: { part: 'entry' | 'settlement' }) =>
    `It is not known whether the ERP has its ${part}. Replay it, then the bridge finds out; if you looked and it is surely not there, say so with --surely-absent.`,
  SENT_TOO_RECENTLY: ({ minutes }: { minutes: number }) =>
    `It was sent within the last ${minutes} minutes, or may have been, so nobody can be sure yet. Try again later.`,
  REVERSED: () => 'Its entry was reversed; to book it again is a repost.',
  NOT_REVERSED: () => 'Only what was reversed can be posted again; reverse it first.',
  STATUS_BEING_WRITTEN: () => 'Its status is being written at the source; try again in a moment.',
  MOVED_TO_NEW: () => 'It was moved to New at the source; it comes back by itself when it is approved there.',
  COST_STANDS_AS: ({ status }: { status: string }) =>
    `It stands as ${status} at the source: move it to New and have it approved again.`,
  INVOICE_STANDS_AS: ({ status }: { status: string }) =>
    `It stands as ${status} at the source; an invoice leaves that only by the service's own hand.`,
  PAYMENTS_FIRST: ({ payments }: { payments: number }) =>
    `Its payment was booked after it (${payments}): reverse or skip that first.`,
  RELEASES_FIRST: ({ releases }: { releases: number }) =>
    `A release of it is under way or waits (${releases}): try again when it is booked, or skip it first.`,
  GOES_WITH_ITS_DAY: () =>
    'It is on its way to the ERP in the journal of its day: see to that, and this goes with it.',
  SUMMARY_AS_A_WHOLE: () =>
    'The journal of a day is neither skipped nor reversed as a whole: do so with its documents, each by itself.',
  FOLLOWING_BY_HAND: () => 'A payment or a release that was booked by hand is skipped.',
  NOT_A_DECIDED_COST: () => 'Only a cost that was skipped or rejected can be moved to New.',
} satisfies TextTable;
