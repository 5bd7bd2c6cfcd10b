// Step 6: what the service shows of what it has just accepted. Its word alone is not enough where it can show the thing itself.
import type { Guid } from '../domain/ids.js';
import { message } from '../language/messages.js';
import type { TargetRequest } from '../service/invoicing-target.js';
import { retryInMs, TRIES_MAX } from '../sync/back-off.js';
import { type Advanced, type SubmissionWork, finished, parkWithAlarm, rest } from './submission-work.js';
import { judgeFound } from './find-document.js';
import type { Accepted } from './send-request.js';

/** The service says that it has it. Believed when it shows it, wherever it can. */
export async function readBackDocument(
  work: SubmissionWork,
  request: TargetRequest,
  accepted: Accepted,
): Promise<Advanced> {
  const { tenant, claimed } = work;
  if (claimed.kind !== 'invoice') return createdUnseen(work, accepted);
  const { guid, paymentLink, id } = accepted;
  const named = guid ?? id ?? null;
  const shown =
    named === null
      ? null
      : await tenant.target.readInvoice(named, claimed.key, tenant.wish.mark).catch(() => null);
  if (shown !== null) return judgeFound(work, request, [shown], accepted);
  return notShown(work, { guid, number: null, paymentLink });
}

/** It is there and is not shown yet: never sent again, whatever is found or not; after a while a person looks. */
export function notShown(
  work: SubmissionWork,
  created: {
    readonly guid: Guid | null;
    readonly number: string | null;
    readonly paymentLink: string | null;
  },
): Promise<Advanced> {
  const { claimed, stage } = work;
  const tries = claimed.tries + 1;
  const kept = { ...finished('accepted'), created, tries };
  if (tries > TRIES_MAX) return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('CREATED_NOT_SHOWN'), kept);
  const dueInMs = retryInMs(tries, stage.runtime.random);
  return rest(work, { action: 'not-shown', to: 'unknown', dueInMs, ...kept });
}

/** The service lists neither drafts, orders nor quotes: its word is all there is, and whatever it calls the thing is its name. */
function createdUnseen(work: SubmissionWork, { guid: named, id, paymentLink }: Accepted): Promise<Advanced> {
  const guid = named ?? id ?? null;
  if (guid === null)
    return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('NO_GUID_NAMED'), finished('accepted'));
  return rest(
    work,
    {
      action: 'created',
      to: 'created',
      reason: null,
      tries: 0,
      dueInMs: 0,
      created: { guid, number: null, paymentLink },
      ...finished('accepted'),
    },
    'after-submission-created',
  );
}
