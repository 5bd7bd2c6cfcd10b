// An invoice, draft, order or quote that somebody sent, when nothing of it can be on its way any more: what the service shows decides.
import type { TargetRequest } from '../../invoicing/invoicing-target.js';
import { message } from '../../language/messages.js';
import { absent } from './absent.js';
import { judgeFound, search } from './find-document.js';
import { readBackDocument } from './read-back.js';
import { sendRequest } from './send-request.js';
import { type Advanced, type SubmissionWork, parkWithAlarm } from './submission-work.js';

export async function resolveDocument(work: SubmissionWork, request: TargetRequest): Promise<Advanced> {
  const { claimed } = work;
  if (claimed.kind !== 'invoice')
    return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('CANNOT_BE_SEARCHED'));
  const found = await search(work, request);
  if (found === 'rested' || found === 'lost') return found;
  const { guid, paymentLink, outcome } = claimed;
  if (found.length > 0)
    return judgeFound(work, request, found, outcome === 'accepted' ? { guid, paymentLink } : null);
  return absent(work, () => sendRequest(work, request, readBackDocument));
}
