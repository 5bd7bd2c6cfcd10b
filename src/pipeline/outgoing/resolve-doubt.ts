// Somebody sent it, and nobody knows what became of it. Nothing is done before everything that was ever sent of it has arrived or
// never will; then the service is searched, and what it shows decides.
import { message, reason } from '../../language/messages.js';
import { TRIES_MAX } from '../posting/back-off.js';
import { resolveCustomer } from './customer.js';
import { type Advanced, type SubmissionWork, parkWithAlarm, refuse, rest } from './submission-work.js';
import { judgeFound, search } from './find-document.js';
import { notShown, readBackDocument } from './read-back.js';
import { sendRequest } from './send-request.js';
import { quietPeriodMs } from './stage.js';

export async function resolveDoubt(work: SubmissionWork): Promise<Advanced> {
  const { stage, claimed } = work;
  const { request, outcome } = claimed;
  // What was accepted is only waited for: the next look may show it, and nothing is sent again.
  const waitMs =
    outcome === 'accepted'
      ? 0
      : quietPeriodMs(stage.timing) - (claimed.sentAgoMs ?? Number.POSITIVE_INFINITY);
  if (waitMs > 0) return rest(work, { action: 'waits-to-look', to: 'unknown', dueInMs: Math.ceil(waitMs) });
  if (claimed.state === 'sending') return rest(work, { action: 'in-doubt', to: 'unknown', dueInMs: 0 });
  if (request === null) return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('REQUEST_NOT_ON_RECORD'));
  if (claimed.kind === 'customer') return resolveCustomer(work, request);
  if (claimed.kind !== 'invoice')
    return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('CANNOT_BE_SEARCHED'));
  const found = await search(work, request);
  if (found === 'rested' || found === 'lost') return found;
  const { guid, number, paymentLink } = claimed;
  if (found.length > 0)
    return judgeFound(work, request, found, outcome === 'accepted' ? { guid, paymentLink } : null);
  return absent(work, { guid, number, paymentLink });
}

/** A complete list does not have it, and nothing can be on its way. */
function absent(work: SubmissionWork, created: Parameters<typeof notShown>[1]): Promise<Advanced> {
  const { claimed } = work;
  const { request, outcome } = claimed;
  if (request === null || claimed.tries > TRIES_MAX)
    return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('REQUEST_NOT_ON_RECORD'));
  switch (outcome) {
    case 'accepted':
      return notShown(work, created);
    case 'rejected':
      return refuse(work, reason('SUBMISSION_REFUSED', { message: 'refused, and not there' }));
    case 'unknown':
    case 'not-sent':
    case null:
      return sendRequest(work, request, readBackDocument);
  }
}
