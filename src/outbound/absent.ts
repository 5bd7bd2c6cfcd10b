// A complete list does not have it, and nothing of it can be on its way any more.
import { message, reason } from '../language/messages.js';
import { TRIES_MAX } from '../sync/back-off.js';
import { notShown } from './read-back.js';
import { type Advanced, type SubmissionWork, parkWithAlarm, refuse } from './submission-work.js';

export function absent(work: SubmissionWork, sendAgain: () => Promise<Advanced>): Promise<Advanced> {
  const { outcome, tries, guid, number, paymentLink } = work.claimed;
  if (tries > TRIES_MAX) return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('REQUEST_NOT_ON_RECORD'));
  switch (outcome) {
    case 'accepted':
      return notShown(work, { guid, number, paymentLink });
    case 'rejected':
      return refuse(work, reason('SUBMISSION_REFUSED', { message: message('REFUSED_AND_ABSENT') }), {
        uploads: null,
      });
    case 'unknown':
    case 'not-sent':
    case null:
      return sendAgain();
  }
}
