// Taken back by a person, or hours by their origin: deleted at the service again, where its rules allow that. Deleting by guid has no second effect, so what is not
// known is looked at and asked for again; a cost that was posted meanwhile stays.
import { message, reason, saidBy, told } from '../language/messages.js';
import type { Told } from '../domain/message.js';
import type { SendOutcome, TargetRequest } from '../service/invoicing-target.js';
import { incident } from '../language/incidents/incident-text.js';
import { contentFacts } from './content-facts.js';
import { hoursStand, isDeleted } from './hours.js';
import { notSent } from './send-request.js';
import { retryInMs, TRIES_MAX } from '../sync/back-off.js';
import { quietPeriodMs } from './stage.js';
import {
  tell,
  type Advanced,
  type SubmissionWork,
  finished,
  parkWithAlarm,
  rest,
} from './submission-work.js';

/** "Retry after about 1 s if newly created" (Document 1, cost states). */
const REFUSALS_MAX = 5;
const REFUSED_WAIT_MS = 1_500;

export async function withdraw(work: SubmissionWork): Promise<Advanced> {
  const { stage, tenant, claimed } = work;
  const { kind, guid } = claimed;
  if (guid === null) return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('REQUEST_NOT_ON_RECORD'));
  if (kind === 'cost') {
    const shown = await tenant.target.readCost(guid);
    if (shown === null) return missing(work);
    if (shown.accountingStatus === 'Posted') return stays(work, told('IS_POSTED_ALREADY'));
  }
  if (kind === 'hours' && !(await hoursStand(work))) return missing(work);
  if (isBack(work) && !isInDoubt(work)) return backAtOrigin(work);
  const request: TargetRequest = { act: 'delete', kind, guid, body: {} };
  const leaveBy = new Date(stage.runtime.clock.now().getTime() + stage.timing.sendByMs);
  if (!(await stage.store.commit(claimed, { action: 'intent', begin: request, dueInMs: 0, keep: true })))
    return 'lost';
  await stage.failPoints.reach('after-submission-intent', claimed);
  const outcome = await tenant.target.send(request, leaveBy);
  await stage.failPoints.reach('after-submission-sent', claimed);
  return outcome.outcome === 'accepted' ? withdrawn(work, finished('accepted')) : judge(work, outcome);
}

async function judge(
  work: SubmissionWork,
  outcome: Exclude<SendOutcome, { outcome: 'accepted' }>,
): Promise<Advanced> {
  const { stage, claimed } = work;
  const { kind, tries } = claimed;
  const inDoubt = isInDoubt(work);
  switch (outcome.outcome) {
    case 'rejected': {
      const answer = finished('rejected', outcome);
      // One whose answer was lost may have deleted it, and this refusal may only mean that; no list tells.
      if (inDoubt && kind !== 'cost' && kind !== 'hours')
        return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('CANNOT_BE_SEARCHED'), answer);
      // Answers that were lost say nothing of what the service thinks: it is believed when it has said so twice running.
      const isMeant = claimed.outcome === 'rejected' || tries >= TRIES_MAX;
      if (isMeant && tries + 1 >= REFUSALS_MAX) return stays(work, outcome, answer);
      const dueInMs = REFUSED_WAIT_MS * (tries + 1);
      return rest(work, { action: 'not-yet', tries: tries + 1, dueInMs, ...answer });
    }
    case 'not-sent':
      return notSent(work, outcome, inDoubt, 'withdrawing');
    case 'unknown': {
      const answer = finished('unknown', outcome);
      if (tries >= TRIES_MAX) return stays(work, outcome, answer);
      const dueInMs = retryInMs(tries + 1, stage.runtime.random);
      return rest(work, { action: 'in-doubt', tries: tries + 1, dueInMs, ...answer });
    }
  }
}

/** Whether a deletion that was asked for before may have happened. */
function isInDoubt({ claimed: { request, outcome } }: SubmissionWork): boolean {
  return request?.act === 'delete' && (outcome === null || outcome === 'unknown');
}

/** Hours go only because their origin had deleted them, and it has them again. */
function isBack(work: SubmissionWork): boolean {
  return work.claimed.kind === 'hours' && !isDeleted(work);
}

/** They are corrected where they stand. */
function backAtOrigin(work: SubmissionWork, more: More = {}): Promise<Advanced> {
  return rest(work, {
    ...{ action: 'changed-meanwhile', to: 'received', reason: null, tries: 0, dueInMs: 0 },
    ...more,
  });
}

type More = Partial<ReturnType<typeof finished>>;

/** What was made a moment ago may not be shown yet; later, what is not shown is gone, and a deletion in doubt has happened. */
function missing(work: SubmissionWork): Promise<Advanced> {
  const { request, sentAgoMs } = work.claimed;
  const waitMs = quietPeriodMs(work.stage.timing) - (sentAgoMs ?? Number.POSITIVE_INFINITY);
  if (waitMs > 0) return rest(work, { action: 'waits-to-look', dueInMs: Math.ceil(waitMs) });
  return withdrawn(work, request?.act === 'delete' ? finished('accepted') : {});
}

/** The origin is told. */
function withdrawn(work: SubmissionWork, more: More = {}): Promise<Advanced> {
  return rest(work, { action: 'withdrawn', to: 'withdrawn', tries: 0, dueInMs: 0, ...more });
}

/** Somebody may have wanted it back before its origin had heard that it was made. Of what only an origin wanted back a person hears. */
async function stays(work: SubmissionWork, words: Told, more: More = {}): Promise<Advanced> {
  if (isBack(work)) return backAtOrigin(work, more);
  await tell(work, 'created', null);
  const { id, tenantName, kind, reference, content } = work.claimed;
  const fingerprint = `${id}:${contentFacts(kind, content).hash.slice(0, 12)}`;
  const about = { tenant: tenantName, kind, reference };
  return rest(work, {
    ...{ action: 'stays', to: 'acknowledged', tries: 0, dueInMs: null },
    reason: reason('WITHDRAWAL_REFUSED', { message: saidBy(words) }),
    ...(kind === 'hours'
      ? { incidents: [incident('SUBMISSION_CHANGED', about, { severity: 'warning', fingerprint })] }
      : {}),
    ...more,
  });
}
