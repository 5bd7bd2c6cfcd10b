// A posting was sent, or may have been. What happens now depends on what the ERP can promise, and on nothing else.
import { message } from '../../language/messages.js';
import type { PreparedPost } from '../../erp/erp-adapter.js';
import type { AttemptRecord } from '../../sync/posting-records.js';
import { TRIES_MAX, WAITS_MS } from './back-off.js';
import { adoptFound } from './judge-outcome.js';
import { nextPart, type Part } from './parts.js';
import { type PostingWork, quietPeriodMs, type Step } from './post-stage.js';
import { isUncertain } from '../../domain/posting.js';
import { sendJournal, sendPrepared } from './send-journal.js';
import { booked, judgeRefusalBeforeSend, parkWithAlarm, stillUnknown } from './verdicts.js';
import { withFiles } from './with-files.js';

/** A native key is trusted for this share of its documented life: clocks differ. */
const KEY_LIFE_SHARE = 0.8;

export async function resolveOutcome(work: PostingWork): Promise<Step> {
  const part = nextPart(work.posting);
  const { attempt, summary } = work.claim;
  // It is in the journal of its day: what becomes of that becomes of it, and it is never sent by itself.
  if (summary && part?.part === 'main') return work.rest({ action: 'given-back', dueInMs: null });
  // A crash between the last part's reference and the move: all is in the books.
  if (!part) return booked(work, { action: 'posted', reason: null }, work.posting.reference);
  // The first send under this key (the next part's, the next generation's), or a definite answer that a person chose to try again.
  if (attempt?.key !== part.key || !isUncertain(attempt)) return sendJournal(work);
  const prepared: PreparedPost = { key: attempt.key, request: attempt.request };
  if (attempt.outcome === 'pending' || attempt.outcome === 'draft')
    return lookUp(work, part, prepared, () => notShownYet(work));
  return resolveUnknown(work, part, prepared, attempt);
}

async function resolveUnknown(
  work: PostingWork,
  part: Part,
  prepared: PreparedPost,
  attempt: AttemptRecord,
): Promise<Step> {
  const { idempotency, nativeKeyLifeMs = 0, lookUp: sees } = work.tenant.erp.capabilities;
  const again = () => resend(work, part, prepared);
  // A restored database knows how old its own attempt is, but not since when the ERP has known the key.
  if (idempotency === 'native-key' && attempt.ageMs < nativeKeyLifeMs * KEY_LIFE_SHARE)
    return work.claim.restoredAgeMs === null || sees === 'none'
      ? again()
      : lookUp(work, part, prepared, again);
  if (idempotency === 'unique-reference') return again();
  if (sees === 'none') return parkWithAlarm(work, 'OUTCOME_UNKNOWN', message('ERP_CANNOT_TELL'));
  const waitMs = quietPeriodMs(work.stage, work.tenant) - attempt.lastSendAgeMs;
  // A look too early may miss a request that is still on its way.
  if (waitMs > 0) return work.rest({ action: 'waits-to-look', dueInMs: waitMs });
  // An ERP that hides drafts, or whose native key has run out, cannot prove an absence.
  const isProven = sees === 'posted-and-draft' && idempotency === 'none';
  const inDoubt = () => parkWithAlarm(work, 'OUTCOME_UNKNOWN', message('ABSENCE_UNPROVEN'));
  return lookUp(work, part, prepared, isProven ? again : inDoubt);
}

/** What is there is taken; what to do where nothing is, the caller knows. */
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
    default:
      return judgeRefusalBeforeSend(work, found);
  }
}

/** The identical stored request once more. A try is used up when its answer is lost, or by the process that ends with it: never by both. */
async function resend(work: PostingWork, part: Part, prepared: PreparedPost): Promise<Step> {
  if (work.posting.tries >= TRIES_MAX) return resentTooOften(work, part, prepared);
  const whole = await withFiles(work, prepared);
  const earlierAgeMs = work.claim.attempt?.lastSendAgeMs ?? Infinity;
  const { sendByMs } = work.stage.timing;
  const deadline = work.stage.runtime.clock.now().getTime() + sendByMs;
  await work.commit({ action: 'resend', attempt: { act: 'resend', sendByMs } });
  await work.stage.failPoints.reach('after-intent');
  if ((await work.stage.witness?.trusts(work.claim)) === false) return lookAtOutcomeAgain(work);
  return sendPrepared(work, part, whole, deadline, earlierAgeMs);
}

/** The database has just been found to have gone back in time. Nothing has left now; what was sent before is in doubt as it was. */
function lookAtOutcomeAgain(work: PostingWork): Promise<Step> {
  return work.rest({
    action: 'database-went-back',
    dueInMs: 0,
    attempt: { act: 'finish', outcome: 'unknown', message: 'the database went back in time' },
  });
}

/** How many processes may end with a look for what has used up its tries. */
const LOOKS_MAX = 3;

/** An entry that stands needs no person; a look that ends its process again and again does. */
function resentTooOften(work: PostingWork, part: Part, prepared: PreparedPost): Promise<Step> {
  const park = () => parkWithAlarm(work, 'OUTCOME_UNKNOWN', message('RESENT_TOO_OFTEN'));
  const sees = work.tenant.erp.capabilities.lookUp !== 'none';
  const mayLook = sees && work.posting.tries < TRIES_MAX + LOOKS_MAX;
  return mayLook ? lookUp(work, part, prepared, park) : park();
}

/** How long an ERP may take to show what it said it would post. */
const PENDING_MAX_MS = 60 * 60 * 1000;

function notShownYet(work: PostingWork): Promise<Step> {
  return work.posting.stateAgeMs < PENDING_MAX_MS
    ? work.rest({ action: 'pending', dueInMs: WAITS_MS.pending })
    : stillUnknown(work, message('TAKEN_NOT_SHOWN'));
}
