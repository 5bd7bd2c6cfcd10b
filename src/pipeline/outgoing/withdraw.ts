// Taken back by a person: deleted at the service again, where its rules allow that. Deleting by guid has no second effect, so what is not
// known is looked at and asked for again; a cost that was posted meanwhile stays.
import { message, reason, saidBy, told } from '../../language/messages.js';
import type { Told } from '../../domain/message.js';
import type { TargetRequest } from '../../invoicing/invoicing-target.js';
import { hoursStand } from './hours.js';
import { retryInMs, TRIES_MAX } from '../posting/back-off.js';
import { quietPeriodMs } from './stage.js';
import { tell } from './tell-origin.js';
import { type Advanced, type SubmissionWork, finished, parkWithAlarm, rest } from './submission-work.js';

/** "Retry after about 1 s if newly created" (Document 1, cost states). */
const REFUSALS_MAX = 5;
const REFUSED_WAIT_MS = 1_500;

export async function withdraw(work: SubmissionWork): Promise<Advanced> {
  const { stage, tenant, claimed } = work;
  const { kind, guid, tries } = claimed;
  if (guid === null) return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('REQUEST_NOT_ON_RECORD'));
  if (kind === 'cost') {
    const shown = await tenant.target.readCost(guid);
    if (shown === null) return missing(work);
    if (shown.accountingStatus === 'Posted') return stays(work, told('IS_POSTED_ALREADY'));
  }
  if (kind === 'hours' && !(await hoursStand(work))) return missing(work);
  // Whether one that was asked for before may have happened.
  const inDoubt =
    claimed.request?.act === 'delete' && (claimed.outcome === null || claimed.outcome === 'unknown');
  const request: TargetRequest = { act: 'delete', kind, guid, body: {} };
  const leaveBy = new Date(stage.runtime.clock.now().getTime() + stage.timing.sendByMs);
  if (!(await stage.store.commit(claimed, { action: 'intent', begin: request, dueInMs: 0, keep: true })))
    return 'lost';
  await stage.failPoints.reach('after-submission-intent', claimed);
  const outcome = await tenant.target.send(request, leaveBy);
  await stage.failPoints.reach('after-submission-sent', claimed);
  switch (outcome.outcome) {
    case 'accepted':
      return withdrawn(work, finished('accepted'));
    case 'rejected': {
      const answer = finished('rejected', outcome);
      // One whose answer was lost may have deleted it, and this refusal may only mean that; no list tells.
      if (inDoubt && kind !== 'cost' && kind !== 'hours')
        return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('CANNOT_BE_SEARCHED'), answer);
      if (tries + 1 >= REFUSALS_MAX) return stays(work, outcome, answer);
      return rest(work, {
        action: 'not-yet',
        tries: tries + 1,
        dueInMs: REFUSED_WAIT_MS * (tries + 1),
        ...answer,
      });
    }
    case 'not-sent':
    case 'unknown': {
      const answer = finished(inDoubt ? 'unknown' : outcome.outcome, outcome);
      if (tries >= TRIES_MAX) return stays(work, outcome, answer);
      const dueInMs = retryInMs(tries + 1, stage.runtime.random);
      return rest(work, { action: 'in-doubt', tries: tries + 1, dueInMs, ...answer });
    }
  }
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

/** Somebody may have wanted it back before its origin had heard that it was made. */
async function stays(work: SubmissionWork, words: Told, more: More = {}): Promise<Advanced> {
  await tell(work, 'created', null);
  const why = reason('WITHDRAWAL_REFUSED', { message: saidBy(words) });
  return rest(work, { action: 'stays', to: 'acknowledged', reason: why, tries: 0, dueInMs: null, ...more });
}
