// A posting that was sent, or may have been. What happens next depends on the capabilities of the ERP, and on nothing else; the table is in
// docs/explanation/how-it-works.md ("When the outcome is unknown").
import { isUncertain } from '../domain/posting.js';
import type { PreparedPost } from '../erp/erp-adapter.js';
import { message } from '../language/messages.js';
import { TRIES_MAX, WAITS_MS } from './back-off.js';
import { adoptFound, endBeforeSend, parkWithAlarm, recordBooked, retryUnknown } from './outcomes.js';
import type { AttemptRecord } from './posting-records.js';
import { sendJournal, sendPrepared, withFiles } from './send.js';
import { inFlightMaxMs, nextPart, type Part, type PostingWork, type Step } from './work.js';

/** Clocks differ, so a native key is used for this share of its documented life only. */
const KEY_LIFE_SHARE = 0.8;

export async function resolveOutcome(work: PostingWork): Promise<Step> {
  const part = nextPart(work.posting);
  const { attempt, summary } = work.claim;
  // The entry of this document is part of the journal of its day. The summary decides its result, and it is never sent alone.
  if (summary && part?.part === 'main') return work.commitAndRelease({ action: 'given-back', dueInMs: null });
  // A process stopped between the last reference and the move to `posted`.
  if (!part) return recordBooked(work, { action: 'posted', reason: null }, work.posting.reference);
  // The first send under this key (the next part, the next generation), or a person retries after a definite answer.
  if (attempt?.key !== part.key || !isUncertain(attempt)) return sendJournal(work);
  const prepared: PreparedPost = { key: attempt.key, request: attempt.request };
  if (attempt.outcome === 'pending' || attempt.outcome === 'draft')
    return lookUp(work, part, prepared, () => waitUntilShown(work));
  return resolveUnknown(work, part, prepared, attempt);
}

async function resolveUnknown(
  work: PostingWork,
  part: Part,
  prepared: PreparedPost,
  attempt: AttemptRecord,
): Promise<Step> {
  const { idempotency, nativeKeyLifeMs = 0, lookUp: canShow } = work.tenant.erp.capabilities;
  const sendAgain = () => resend(work, part, prepared);

  // The ERP replays by key. After a restore the ERP may know the key for longer than our attempt is old, so look first.
  if (idempotency === 'native-key' && attempt.ageMs < nativeKeyLifeMs * KEY_LIFE_SHARE) {
    const mayJustSend = work.claim.restoredAgeMs === null || canShow === 'none';
    return mayJustSend ? sendAgain() : lookUp(work, part, prepared, sendAgain);
  }
  // The ERP refuses a second entry.
  if (idempotency === 'unique-reference') return sendAgain();
  // The ERP cannot be asked.
  if (canShow === 'none') return parkWithAlarm(work, 'OUTCOME_UNKNOWN', message('ERP_CANNOT_TELL'));
  // The ERP can be asked, once nothing is in flight: an earlier look could miss a request that still arrives.
  const waitMs = inFlightMaxMs(work.deps, work.tenant) - attempt.lastSendAgeMs;
  if (waitMs > 0) return work.commitAndRelease({ action: 'waits-to-look', dueInMs: waitMs });
  // An ERP that hides drafts, or whose native key has expired, cannot prove that there is no entry.
  const provesAbsence = canShow === 'posted-and-draft' && idempotency === 'none';
  const park = () => parkWithAlarm(work, 'OUTCOME_UNKNOWN', message('ABSENCE_UNPROVEN'));
  return lookUp(work, part, prepared, provesAbsence ? sendAgain : park);
}

async function lookUp(
  work: PostingWork,
  part: Part,
  prepared: PreparedPost,
  whenNone: () => Promise<Step>,
): Promise<Step> {
  const found = await work.tenant.erp.findByKey(part.key);
  switch (found.outcome) {
    case 'one':
    case 'many':
      return adoptFound(work, part, prepared, found);
    case 'none':
      return whenNone();
    case 'transient':
    case 'auth':
      return endBeforeSend(work, found);
  }
}

/** How many processes may die while they look up a posting that has used all its tries. */
const LOOKS_MAX = 3;

/**
 * Sends the identical request again. A try is counted when the answer is lost, or when the process dies; never twice for the same send. After
 * the last try the ERP is only asked: an entry that is there needs no person.
 */
async function resend(work: PostingWork, part: Part, prepared: PreparedPost): Promise<Step> {
  const { claim, deps, posting, tenant } = work;
  if (posting.tries >= TRIES_MAX) {
    const park = () => parkWithAlarm(work, 'OUTCOME_UNKNOWN', message('RESENT_TOO_OFTEN'));
    const mayLook = tenant.erp.capabilities.lookUp !== 'none' && posting.tries < TRIES_MAX + LOOKS_MAX;
    return mayLook ? lookUp(work, part, prepared, park) : park();
  }
  const whole = await withFiles(work, prepared);
  const earlierAgeMs = claim.attempt?.lastSendAgeMs ?? Infinity;
  const { sendByMs } = deps.timing;
  const deadlineMs = work.nowMs + sendByMs;
  await work.commit({ action: 'resend', attempt: { act: 'resend', sendByMs } });
  await deps.failPoints.reach('after-intent');
  // Nothing was sent now. What was sent before stays uncertain, and the next claim knows about the rollback.
  if ((await deps.witness?.trusts(work.claim)) === false)
    return work.commitAndRelease({
      action: 'database-went-back',
      dueInMs: 0,
      attempt: { act: 'finish', outcome: 'unknown', message: 'the database went back in time' },
    });
  return sendPrepared(work, part, whole, deadlineMs, earlierAgeMs);
}

/** How long an ERP may take to show an entry that it promised to post. */
const PENDING_MAX_MS = 60 * 60 * 1000;

function waitUntilShown(work: PostingWork): Promise<Step> {
  return work.posting.stateAgeMs < PENDING_MAX_MS
    ? work.commitAndRelease({ action: 'pending', dueInMs: WAITS_MS.pending })
    : retryUnknown(work, message('TAKEN_NOT_SHOWN'));
}
