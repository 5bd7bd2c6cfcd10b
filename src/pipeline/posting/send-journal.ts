// Steps 4 to 6: prepare, put the exact request on record, send it, judge the answer.
import { errorWords } from '../../domain/errors/coded-error.js';
import type { PostingKey } from '../../domain/ids.js';
import type { PostOutcome, PostRequest, PreparedPost } from '../../erp/erp-adapter.js';
import type { AttemptRecord } from '../../sync/posting-records.js';
import { adoptFound, judgeOutcome } from './judge-outcome.js';
import { lookFirst, type Looked } from './look-first.js';
import { nextPart, type Part } from './parts.js';
import type { PostingWork, Step } from './post-stage.js';
import { judgeRefusalBeforeSend } from './verdicts.js';
import { withFiles } from './with-files.js';

export async function sendJournal(work: PostingWork): Promise<Step> {
  const part = nextPart(work.posting);
  if (!part) return nothingLeft(work);
  const { key, journal } = part;
  const prepared = await work.tenant.erp.prepare({ key, journal, ...earlierOf(work.claim.attempt, key) });
  if (prepared.outcome !== 'prepared') return judgeRefusalBeforeSend(work, prepared);
  const found = await lookFirst(work, part, prepared.prepared);
  if (found === 'rested') return found;
  return beginAndSend(work, part, await withFiles(work, prepared.prepared), found);
}

function earlierOf(attempt: AttemptRecord | null, key: PostingKey): Pick<PostRequest, 'earlier'> {
  if (attempt?.key !== key) return {};
  return { earlier: { request: attempt.request, isRefused: attempt.outcome === 'rejected' } };
}

/** The payment was taken back since the entry was booked: there is nothing to settle, and all of it is in the books. */
function nothingLeft(work: PostingWork): Promise<Step> {
  return work.posting.reference
    ? work.commit({ action: 'nothing-left-to-send', to: 'posting' })
    : work.rest({ action: 'nothing-left-to-send', to: 'discovered', dueInMs: 0 });
}

async function beginAndSend(
  work: PostingWork,
  part: Part,
  prepared: PreparedPost,
  found: Looked,
): Promise<Step> {
  const { sendByMs } = work.stage.timing;
  const deadline = work.stage.runtime.clock.now().getTime() + sendByMs;
  await work.commit({
    action: 'intent',
    ...(work.posting.state === 'mapped' ? { to: 'posting' as const } : {}),
    attempt: { act: 'begin', part: part.part, key: part.key, request: prepared.request, sendByMs },
  });
  await work.stage.failPoints.reach('after-intent');
  if ((await work.stage.witness?.trusts(work.claim)) === false) return lookFirstNextTime(work);
  if (found.outcome !== 'none') return adoptFound(work, part, prepared, found);
  return sendPrepared(work, part, prepared, deadline);
}

/** The database has just been found to have gone back in time. Nothing has left; the next claim knows, and looks first. */
function lookFirstNextTime(work: PostingWork): Promise<Step> {
  return work.rest({
    action: 'database-went-back',
    to: 'mapped',
    dueInMs: 0,
    attempt: { act: 'finish', outcome: 'never-sent', message: 'the database went back in time' },
  });
}

/** Sends what is on record, unless the process slept past the moment until which it may. */
export async function sendPrepared(
  work: PostingWork,
  part: Part,
  prepared: PreparedPost,
  deadline: number,
  earlierAgeMs = Infinity,
): Promise<Step> {
  const firstSend = (work.claim.attempt?.sends ?? 1) <= 1;
  if (work.stage.runtime.clock.now().getTime() > deadline) {
    // Nothing left in this claim, so it uses up no try. An earlier send of the same request may have: only a first one is surely unsent.
    const outcome = firstSend ? ('never-sent' as const) : ('unknown' as const);
    const change = {
      action: 'too-late-to-send',
      dueInMs: 0,
      attempt: { act: 'finish', outcome, message: 'slept past the deadline' },
    } as const;
    return work.rest(firstSend ? { ...change, to: 'mapped' } : change);
  }
  const outcome = await post(work, prepared);
  await work.stage.failPoints.reach('after-send');
  return judgeOutcome(work, part, prepared, outcome, { firstSend, earlierAgeMs });
}

/** Whatever an adapter throws, the request may have left. */
async function post(work: PostingWork, prepared: PreparedPost): Promise<PostOutcome> {
  try {
    return await work.tenant.erp.post(prepared);
  } catch (error) {
    return { outcome: 'unknown', ...errorWords(error) };
  }
}
