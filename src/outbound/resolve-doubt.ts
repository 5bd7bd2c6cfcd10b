// Somebody sent it, and nobody knows what became of it. Nothing is done before everything that was ever sent of it has arrived or
// never will; then the service is searched, and what it shows decides.
import { message } from '../language/messages.js';
import { workOn } from './kinds.js';
import { type Advanced, type SubmissionWork, parkWithAlarm, rest } from './submission-work.js';
import { quietPeriodMs, togetherInMs } from './stage.js';

export async function resolveDoubt(work: SubmissionWork): Promise<Advanced> {
  const { stage, claimed } = work;
  const { request, outcome, state } = claimed;
  // Its process died over it, which is as much in doubt as an answer that never came, and counts as that does.
  const tries = claimed.tries + (state === 'sending' ? 1 : 0);
  // What was accepted is only waited for: the next look may show it, and nothing is sent again.
  const waitMs =
    outcome === 'accepted'
      ? 0
      : quietPeriodMs(stage.timing) - (claimed.sentAgoMs ?? Number.POSITIVE_INFINITY);
  const dueInMs = togetherInMs(stage, waitMs);
  if (waitMs > 0) return rest(work, { action: 'waits-to-look', to: 'unknown', tries, dueInMs });
  if (state === 'sending') return rest(work, { action: 'in-doubt', to: 'unknown', tries, dueInMs: 0 });
  if (request === null) return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('REQUEST_NOT_ON_RECORD'));
  return workOn(claimed.kind).resolve(work, request);
}
