// A document of a tenant who wants one journal a day waits until its day is closed, is read once more then, and waits to be taken.
// What was sent by itself before, or is booked anew after a reversal, goes on by itself: a correction is an entry of its own.
import { isSourceKind } from '../../domain/source-document.js';
import { reason } from '../../language/messages.js';
import { closingOf, isSummarised } from '../mapping/summarise.js';
import type { MappedToPost } from '../mapping/outcome.js';
import { jittered, WAITS_MS } from '../posting/back-off.js';
import type { PostingWork, Step } from '../posting/post-stage.js';
import type { PostingChange, PostingRecord } from '../../sync/posting-records.js';

export function isForSummary({ posting, claim, tenant }: PostingWork, { journal }: MappedToPost): boolean {
  const { kind, generation, reference, key } = posting;
  if (!isSourceKind(kind) || generation > 0 || reference !== null || claim.attempt?.key === key) return false;
  return isSummarised(tenant.rules, kind, journal);
}

/** It was read after its day was closed. */
export function isReady({ state, reason: why }: Pick<PostingRecord, 'state' | 'reason'>): boolean {
  return state === 'mapped' && why?.code === 'AWAITS_SUMMARY';
}

/** The state that it waits in, and how long until it is looked at again. */
export function awaitingSummary(work: PostingWork, { journal }: MappedToPost): PostingChange {
  const { clock, random } = work.stage.runtime;
  const { postingDate: day } = journal;
  const closesInMs = closingOf(work.tenant.rules, day) - clock.now().getTime();
  const waits = { action: 'awaits-summary', reason: reason('AWAITS_SUMMARY', { day }), tries: 0 } as const;
  return closesInMs > 0
    ? { ...waits, to: 'deferred', dueInMs: closesInMs }
    : { ...waits, to: 'mapped', dueInMs: jittered(WAITS_MS.deferred, random) };
}

/** Nobody has taken it for an hour: what it says may have changed. */
export function lookAgain(work: PostingWork): Promise<Step> {
  return work.commit({ action: 'looked-again', to: 'discovered', reason: null });
}
