// A subscription is one recurring template at the service, made once; the service makes the invoices. Templates are listed nowhere, so
// one whose reply was lost is never made again on a guess: a person looks. The invoices that it makes carry its mark.
import { message, told } from '../language/messages.js';
import type { TargetRequest } from '../service/invoicing-target.js';
import { subscriptionContent } from './content.js';
import { belowZero } from './below-zero.js';
import { awaitCustomer, customerGuid, lacksAmount } from './document.js';
import { search } from './find-document.js';
import { withServiceNumbers } from './item-numbers.js';
import { subscriptionRequest } from './make-request.js';
import { mayStand } from './may-stand.js';
import { readBackDocument } from './read-back.js';
import { asTaken } from './repeated-numbers.js';
import { sendRequest } from './send-request.js';
import { quietPeriodMs } from './stage.js';
import { type Advanced, type SubmissionWork, parkWithAlarm, refuseBreach, rest } from './submission-work.js';

export async function beginSubscription(work: SubmissionWork): Promise<Advanced> {
  const { stage, tenant, claimed } = work;
  const content = await withServiceNumbers(work, subscriptionContent.parse(JSON.parse(claimed.content)));
  const waitMs = claimed.restoredAgoMs === null ? 0 : quietPeriodMs(stage.timing) - claimed.restoredAgoMs;
  if (waitMs > 0) return rest(work, { action: 'waits-to-look', dueInMs: Math.ceil(waitMs) });
  const isBelowZero = belowZero(content);
  if (isBelowZero !== null) return refuseBreach(work, isBelowZero);
  const customer = await customerGuid(work, content);
  if (customer === 'awaited') return awaitCustomer(work, content.customer);
  if (lacksAmount(content)) return refuseBreach(work, told('AMOUNT_MISSING'));
  const made = subscriptionRequest(content, tenant.wish, claimed.key, customer.guid ?? '');
  const request = asTaken(claimed, made);
  const problem = tenant.target.breach(request);
  if (problem !== null) return refuseBreach(work, problem);
  if (mayStand(claimed))
    return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('SUBMISSION_MAY_BE_FORGOTTEN'));
  // Its first invoice would show that it was made before.
  const found = await search(work, request);
  if (found === 'rested' || found === 'lost') return found;
  return found.length > 0 ? isThere(work) : sendRequest(work, request, readBackDocument);
}

export async function resolveSubscription(work: SubmissionWork, request: TargetRequest): Promise<Advanced> {
  const found = await search(work, request);
  if (found === 'rested' || found === 'lost') return found;
  if (found.length > 0) return isThere(work);
  return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('CANNOT_BE_SEARCHED'));
}

/** It is, and nobody can say under which guid. */
function isThere(work: SubmissionWork): Promise<Advanced> {
  return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('TEMPLATE_MAKES_INVOICES'));
}
