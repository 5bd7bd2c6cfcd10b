// Drives one submission as far as it goes now. Whatever was sent, or may have been, was on record before; whatever is in doubt is
// searched for when nothing of it can be on its way any more, and is never sent on a guess. It may be killed between any two lines
// and be taken up by anybody.
import { waitMsOf } from '../domain/errors/coded-error.js';
import type { Told as Words } from '../domain/message.js';
import { message, reason, saidBy } from '../language/messages.js';
import { say } from '../language/say.js';
import type { Told } from '../origins/origin.js';
import { outageOf, reportSourceOutage, retryInMs, TRIES_MAX } from '../sync/back-off.js';
import {
  type Advanced,
  type SubmissionWork,
  doubt,
  parkWithAlarm,
  park,
  rest,
  waitForService,
  tell,
  isSameReason,
} from './submission-work.js';
import { isChangedSince, isPaidSince, lookForInvoices, nextLookForInvoiceInMs } from './change-prepared.js';
import { isDeleted, isOutdated } from './hours.js';
import { workOn } from './kinds.js';
import { isPrepared } from './take-in.js';
import {
  type SubmissionRecord,
  type SubmissionChange,
  type SubmissionStore,
  type OutboundStage,
  type OutboundTenant,
  quietPeriodMs,
  togetherInMs,
} from './stage.js';
import { mendedFiles } from './still-there.js';
import { lookAtUnread, nextLookInMs } from './cost.js';
import { withdraw } from './withdraw.js';

export type { Advanced } from './submission-work.js';

/** `askedAtMs`: by the clock of the stage, before it was claimed. */
export async function advanceSubmission(
  stage: OutboundStage,
  tenant: OutboundTenant,
  claimed: SubmissionRecord,
  askedAtMs: number,
): Promise<Advanced> {
  const given: SubmissionWork = { stage, tenant, claimed };
  const work = claimed.state === 'held' ? lookAgain(given) : given;
  await stage.failPoints.reach('after-submission-claim', claimed);
  try {
    // Nothing undoes what an origin is told: whoever slept since the claim asks first whether it is still theirs.
    const { leaseMs, sendByMs } = stage.timing;
    if (TELLS.has(claimed.state) && stage.runtime.clock.now().getTime() > askedAtMs + leaseMs - sendByMs)
      return await rest(work, { action: 'slept', dueInMs: 0 });
    switch (claimed.state) {
      case 'held':
      case 'received':
        if (neverEnds(claimed))
          return await park(work, reason('TRIES_EXHAUSTED', { last: message('WORK_NEVER_ENDS') }));
        return (await waitForDeletion(work)) ?? (await workOn(claimed.kind).begin(work));
      case 'sending':
      case 'unknown':
        if (neverEnds(claimed))
          return await parkWithAlarm(work, 'SUBMISSION_UNKNOWN', message('WORK_NEVER_ENDS'));
        return await resolveDoubt(work);
      case 'created':
        return await tellCreated(work);
      case 'refused':
      case 'skipped':
      case 'withdrawn':
        return await tellDecided(work, claimed.state);
      case 'withdrawing':
        return await withdraw(work);
      case 'acknowledged':
        return isPrepared(claimed.kind) ? await lookForInvoices(work) : await lookAtUnread(work);
      case 'parked':
        return await rest(work, { action: 'given-back', dueInMs: null });
    }
  } catch (error) {
    return failed(work, error);
  }
}

/** Work on it was begun again and again, and never came to any end. */
const neverEnds = ({ deaths }: SubmissionRecord): boolean => deaths > TRIES_MAX;

/** What was deleted a moment ago may still be listed, and would be taken for what is to be made. */
async function waitForDeletion(work: SubmissionWork): Promise<Advanced | null> {
  const { request, sentAgoMs } = work.claimed;
  const waitMs = quietPeriodMs(work.stage.timing) - (sentAgoMs ?? Number.POSITIVE_INFINITY);
  if (request?.act !== 'delete' || waitMs <= 0) return null;
  return rest(work, { action: 'waits-to-look', dueInMs: Math.ceil(waitMs) });
}

/** Telling twice is telling once (origins/origin.ts), so nothing is lost or doubled by a crash here. */
async function tellCreated(work: SubmissionWork): Promise<Advanced> {
  const isChanged = isChangedSince(work.claimed) || isPaidSince(work.claimed);
  if (isChanged || (work.claimed.kind === 'hours' && (await isOutdated(work))))
    return rest(work, { action: 'changed-meanwhile', to: 'received', dueInMs: 0 });
  await tell(work, 'created', null);
  // Killed here, the next one tells it again.
  await work.stage.failPoints.reach('after-origin-told', work.claimed);
  const dueInMs = nextLookForInvoiceInMs(work, 1) ?? nextLookInMs(work, 1);
  const reason = KEPT_REASONS.has(work.claimed.reason?.code ?? '') ? {} : { reason: null };
  return rest(work, { action: 'told', to: 'acknowledged', ...reason, tries: 0, dueInMs });
}

async function tellDecided(
  work: SubmissionWork,
  state: Exclude<Told['state'], 'created'>,
): Promise<Advanced> {
  // Its origin has taken the deletion back.
  if (state === 'withdrawn' && work.claimed.kind === 'hours' && !isDeleted(work))
    return rest(work, { action: 'changed-meanwhile', to: 'received', reason: null, dueInMs: 0 });
  await tell(work, state, work.claimed.reason === null ? null : say('en', work.claimed.reason));
  if (work.claimed.reason?.code === 'SUBMISSION_REFUSED' && isChangedSince(work.claimed))
    return rest(work, { action: 'changed-meanwhile', to: 'received', reason: null, dueInMs: 0 });
  if (state === 'refused') {
    const mended = await mendedFiles(work);
    if (mended !== null) return mended;
  }
  return rest(work, { action: 'told', tries: 0, dueInMs: null });
}

/** What says why the service and the origin differ from now on. */
const KEPT_REASONS: ReadonlySet<string> = new Set(['CHANGED_TOO_LATE', 'NOT_MARKED_PAID']);

const TELLS: ReadonlySet<string> = new Set(['created', 'refused', 'skipped', 'withdrawn', 'withdrawing']);

/** An outage uses up no tries; anything else is tried a bounded number of times and then shown to a person. */
async function failed(work: SubmissionWork, error: unknown): Promise<Advanced> {
  const { claimed, stage, tenant } = work;
  const words: Words = error instanceof Error ? error : { message: String(error) };
  const outage = outageOf(error);
  if (outage?.error.code.startsWith('SOURCE_')) {
    await reportSourceOutage(stage.breakers, tenant.name, outage);
    return waitForService(work, waitMsOf(error));
  }
  // What threw may have thrown after it was sent.
  if (claimed.state === 'sending') return doubt(work, words, 'unknown');
  const tries = claimed.tries + 1;
  // An origin that cannot be told is no reason to call a person for what was done.
  if (tries <= TRIES_MAX || TELLS.has(claimed.state))
    return rest(work, { action: 'failed', tries, dueInMs: retryInMs(tries, stage.runtime.random) });
  if (claimed.state === 'unknown') return parkWithAlarm(work, 'SUBMISSION_UNKNOWN', saidBy(words));
  return park(work, reason('TRIES_EXHAUSTED', { last: saidBy(words) }));
}

// What is held is looked at every hour, and whenever anything was created: it is worked on as if it were received. Where it has to wait on, for
// the very same, it has never moved, and the audit and `held since` say so; a thousand that wait for one customer leave no rows behind by
// looking. Whatever else becomes of it, it moves to `received` first, as the table of moves has it.

function lookAgain({ stage, tenant, claimed }: SubmissionWork): SubmissionWork {
  const held = claimed;
  let isHeld = true;
  const commit = async (by: SubmissionRecord, change: SubmissionChange): Promise<boolean> => {
    if (!isHeld) return stage.store.commit(by, change);
    if (change.to === 'held' && isSameReason(held.reason, change.reason)) {
      const { to: _same, ...stays } = change;
      return stage.store.commit(held, stays);
    }
    const moves = { action: 'looked-again', to: 'received', dueInMs: 0, keep: true } as const;
    if (!(await stage.store.commit(held, moves))) return false;
    isHeld = false;
    return stage.store.commit(by, change);
  };
  const store: SubmissionStore = {
    commit,
    cursor: (tenantName, origin) => stage.store.cursor(tenantName, origin),
    standing: (tenantName, key) => stage.store.standing(tenantName, key),
    createdGuid: (tenantName, key) => stage.store.createdGuid(tenantName, key),
    createdNumbers: (tenantName, keys) => stage.store.createdNumbers(tenantName, keys),
  };
  return { stage: { ...stage, store }, tenant, claimed: { ...held, state: 'received' } };
}

// Somebody sent it, and nobody knows what became of it. Nothing is done before everything that was ever sent of it has arrived or
// never will; then the service is searched, and what it shows decides.

async function resolveDoubt(work: SubmissionWork): Promise<Advanced> {
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
