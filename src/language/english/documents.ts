// How a document stands, and what an act on it would do.
import type { Message } from '../../domain/message.js';
import type { Say, TextTable } from '../table.js';

export const DOCUMENTS = {
  DOCUMENT_DISCOVERED: () => 'It was found and waits for its turn; nothing has to be done.',
  DOCUMENT_MAPPED: () => 'Its journal is made and waits to be sent to the ERP; nothing has to be done.',
  DOCUMENT_POSTING: () => 'Its journal is on the way to the ERP.',
  DOCUMENT_UNCERTAIN: () =>
    'It may have reached the ERP; the bridge is finding out and posts it only if it is surely not there.',
  DOCUMENT_POSTED: () => 'It is in the books; the source is told next.',
  DOCUMENT_WRITING_BACK: () => 'It is in the books, and Posted is being written at the source.',
  DOCUMENT_ACKNOWLEDGED: ({ entry }: { entry?: string }) =>
    `It is in the books as ${entry ?? 'an entry'}, and the source says Posted.`,
  DOCUMENT_SKIPPED: ({ reason }: { reason: Message }, say: Say) => `It is not booked: ${say(reason)}`,
  DOCUMENT_REVERSED: () => 'Its entry was reversed. Repost it if it belongs in the books after all.',
  DOCUMENT_MOVED_TO_NEW: () =>
    'It was moved to New at the source, and comes back by itself when it is approved there.',
  /** Made by say() from the table of reasons. */
  CURE: ({ reason }: { reason: string }) => reason,
  NO_REASON: () => 'no reason is on record.',
  /** One after the other. */
  SENTENCES: ({ said }: { said: readonly Message[] }, say: Say) => said.map(say).join(' '),

  REPLAYS_FROM_THE_START: () => 'It is read, mapped and posted anew, under the same key.',
  REPLAYS_BY_FINDING_OUT: () => 'The bridge finds out whether the ERP has it, and goes on from there.',
  REPLAYS_THE_STATUS: () => 'It is in the books; the source is read and told again.',
  REPLAYS_NOW: () => 'It is tried now instead of later.',
  REPLAY_HOLDS_AGAIN: () =>
    'It is held again: the tenant file still lacks what it waits for. Mend the file, and it goes on by itself; replay it only if it was changed at the source.',
  REPLAY_PARKS_AGAIN: () =>
    'This ERP cannot be asked whether it has it, so it is parked again. Look there; if it is surely not there, replay with --surely-absent.',
  IS_NEW_AT_SOURCE: () =>
    'It is New at the source. Correct it there if needed and approve it: then the next sweep brings it back.',
  IS_APPROVED_AT_SOURCE: () => 'It is approved at the source already: the next sweep brings it back.',
} satisfies TextTable;
