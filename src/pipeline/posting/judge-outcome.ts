// What an answer of the ERP means for the posting. One place decides: a switch over every outcome, and none is left out.
// One entry under our key that equals the journal is ours; a draft is finished; other content, or more than one entry, is
// never touched: a person decides.
import { errorWords } from '../../domain/errors/coded-error.js';
import { keptWords, type Told } from '../../domain/message.js';
import { message, saidBy, told } from '../../language/messages.js';
import { entryDifferences } from '../../erp/compare-entry.js';
import type { ErpEntry, FindOutcome, PostOutcome, PreparedPost, Rejected } from '../../erp/erp-adapter.js';
import { WAITS_MS } from './back-off.js';
import type { Part } from './parts.js';
import { type PostingWork, quietPeriodMs, type Step } from './post-stage.js';
import { isForeign, type Stop, stopTenant } from './stop-tenant.js';
import {
  acceptPosted,
  notTaken,
  parkWithAlarm,
  refused,
  refusedForGood,
  stillInDoubt,
  stillUnknown,
} from './verdicts.js';

/** What was sent before this answer. */
export interface Sent {
  readonly firstSend: boolean;
  /** Since the send before this one. It may still be on its way. */
  readonly earlierAgeMs?: number;
  /** It was only to be finished. */
  readonly draft?: ErpEntry;
}

export async function judgeOutcome(
  work: PostingWork,
  part: Part,
  prepared: PreparedPost,
  outcome: PostOutcome,
  sent: Sent,
): Promise<Step> {
  const { breakers } = work.stage;
  const { name } = work.tenant;
  switch (outcome.outcome) {
    case 'posted':
      await breakers.succeeded(name, 'erp');
      return readBack(work, part, prepared, outcome);
    case 'pending':
    case 'draft':
      await breakers.succeeded(name, 'erp');
      return work.rest({
        action: outcome.outcome,
        dueInMs: WAITS_MS.pending,
        attempt: { act: 'finish', outcome: outcome.outcome, message: '', reference: outcome.reference },
      });
    case 'rejected':
      await breakers.succeeded(name, 'erp');
      return judgeRejection(work, part, prepared, outcome, sent);
    case 'transient':
      await breakers.failed(name, 'erp', keptWords(outcome), outcome.retryAfterMs);
      return work.rest(sent.firstSend ? notTaken(work, outcome) : stillInDoubt(work, outcome));
    case 'auth':
      await breakers.refused(name, 'erp', keptWords(outcome));
      return work.rest(sent.firstSend ? notTaken(work, outcome) : stillInDoubt(work, outcome));
    case 'unknown':
      await breakers.failed(name, 'erp', keptWords(outcome), outcome.retryAfterMs);
      return stillUnknown(work, saidBy(outcome), outcome.retryAfterMs);
  }
}

/** The ERP says it has it. Believed when it can show it; an ERP that lies, or lags, leaves the outcome unknown. */
async function readBack(
  work: PostingWork,
  part: Part,
  prepared: PreparedPost,
  outcome: Extract<PostOutcome, { outcome: 'posted' }>,
): Promise<Step> {
  if (work.tenant.erp.capabilities.lookUp === 'none') {
    const entry = {
      reference: outcome.reference,
      key: part.key,
      state: 'posted',
      postingDate: part.journal.postingDate,
      lines: [],
    } as const;
    return acceptPosted(work, part, entry, {}, outcome.unmatched);
  }
  const found = await work.tenant.erp.findByKey(part.key);
  if (found.outcome === 'one' || found.outcome === 'many') {
    const { unmatched } = outcome;
    return judgeFound(work, part, prepared, found, unmatched ? { unmatched } : {});
  }
  return stillUnknown(work, message('POSTED_NOT_SHOWN'));
}

async function judgeRejection(
  work: PostingWork,
  part: Part,
  prepared: PreparedPost,
  rejected: Rejected,
  { firstSend, draft, earlierAgeMs = Infinity }: Sent,
): Promise<Step> {
  if (draft) return draftRefused(work, draft, rejected);
  // After an earlier send of the same request a refusal may only mean that the first one landed.
  if (rejected.code === 'duplicate' || rejected.code === 'collision' || !firstSend) {
    if (work.tenant.erp.capabilities.lookUp === 'none')
      return parkWithAlarm(work, 'OUTCOME_UNKNOWN', saidBy(rejected));
    const found = await work.tenant.erp.findByKey(part.key);
    if (found.outcome === 'one' || found.outcome === 'many') {
      const stop = firstSend && isForeign(work) ? stopTenant(work, entriesOf(found)) : {};
      return adoptFound(work, part, prepared, found, stop);
    }
    if (found.outcome !== 'none') return stillUnknown(work, saidBy(found));
    if (rejected.code === 'duplicate' || rejected.code === 'collision') {
      return parkWithAlarm(
        work,
        'ERP_COLLISION',
        message('KEY_REFUSED_NOT_SHOWN', { message: saidBy(rejected, 250) }),
      );
    }
    // This one was refused, but the one before may still arrive: the answer holds when nothing is on its way any more.
    if (earlierAgeMs < quietPeriodMs(work.stage, work.tenant)) return asksAgain(work, rejected);
  }
  return work.rest({
    ...refused(work, rejected),
    attempt: { act: 'finish', outcome: 'rejected', message: keptWords(rejected) },
  });
}

function asksAgain(work: PostingWork, rejected: Rejected): Promise<Step> {
  return work.rest({
    action: 'refused-in-doubt',
    dueInMs: quietPeriodMs(work.stage, work.tenant),
    attempt: { act: 'finish', outcome: 'unknown', message: keptWords(rejected) },
  });
}

/**
 * The ERP has it and does not post it. A person decides, and a replay goes on from the draft: were it begun anew, a document that
 * is deleted or skipped by then would leave its draft behind.
 */
function draftRefused(work: PostingWork, { reference }: ErpEntry, rejected: Rejected): Promise<Step> {
  return work.rest({
    ...refusedForGood(rejected),
    attempt: { act: 'finish', outcome: 'draft', message: keptWords(rejected), reference },
  });
}

/** More of them say nothing new to whoever compares the two entries. */
const DIFFERENCES_MAX = 8;

type Found = Extract<FindOutcome, { outcome: 'one' | 'many' }>;

function entriesOf(found: Found): readonly ErpEntry[] {
  return found.outcome === 'one' ? [found.entry] : found.entries;
}

/** It was found, and nobody knows how far its post came: what follows a booking may be lacking. */
export async function adoptFound(
  work: PostingWork,
  part: Part,
  prepared: PreparedPost,
  found: Found,
  stop: Partial<Stop> = {},
): Promise<Step> {
  const isBooked = found.outcome === 'one' && found.entry.state === 'posted';
  const unmatched = isBooked ? await matchFound(work, part, found.entry) : undefined;
  return judgeFound(work, part, prepared, found, { stop, ...(unmatched ? { unmatched } : {}) });
}

/** Changes no amount, so that a match which fails keeps nobody from saying that the entry is there. */
async function matchFound(
  { tenant: { erp } }: PostingWork,
  { journal }: Part,
  entry: ErpEntry,
): Promise<Told | undefined> {
  if (!erp.match || entryDifferences(journal, entry, erp.capabilities).length > 0) return undefined;
  return erp.match(entry, journal).catch((error: unknown) => errorWords(error));
}

interface FoundBesides {
  readonly stop?: Partial<Stop>;
  /** It was not set against its invoice. */
  readonly unmatched?: Told;
}

async function judgeFound(
  work: PostingWork,
  part: Part,
  prepared: PreparedPost,
  found: Found,
  { stop = {}, unmatched }: FoundBesides = {},
): Promise<Step> {
  if (found.outcome === 'many') {
    const ids = found.entries.map((entry) => entry.reference.number ?? entry.reference.id).join(', ');
    const what = message('SEVERAL_ENTRIES', { entries: ids.slice(0, 200) });
    return parkWithAlarm(work, 'ERP_DUPLICATE', what, undefined, stopTenant(work, found.entries));
  }
  const { entry } = found;
  const differences = entryDifferences(part.journal, entry, work.tenant.erp.capabilities);
  if (differences.length > 0)
    return parkWithAlarm(
      work,
      'ERP_COLLISION',
      message('DIFFERENCES', { each: differences.slice(0, DIFFERENCES_MAX) }),
      undefined,
      stop,
    );
  switch (entry.state) {
    case 'posted':
      return acceptPosted(work, part, entry, stop, unmatched);
    case 'pending':
      return work.rest({
        action: 'pending',
        dueInMs: WAITS_MS.pending,
        attempt: {
          act: 'finish',
          outcome: 'pending',
          message: keptWords(told('IS_STILL_WORKING')),
          reference: entry.reference,
        },
      });
    case 'draft':
      return finishDraft(work, part, prepared, entry);
  }
}

async function finishDraft(
  work: PostingWork,
  part: Part,
  prepared: PreparedPost,
  draft: ErpEntry,
): Promise<Step> {
  if (work.tenant.erp.capabilities.finality === 'draft') {
    // This ERP has no way to post from outside: its own people do, and we wait for it.
    return work.rest({
      action: 'waits-in-draft',
      dueInMs: WAITS_MS.deferred,
      attempt: {
        act: 'finish',
        outcome: 'draft',
        message: keptWords(told('WAITS_AS_DRAFT')),
        reference: draft.reference,
      },
    });
  }
  const outcome = await resume(work, prepared, draft);
  return judgeOutcome(work, part, prepared, outcome, { firstSend: false, draft });
}

async function resume(work: PostingWork, prepared: PreparedPost, draft: ErpEntry): Promise<PostOutcome> {
  try {
    return await work.tenant.erp.resume(draft, prepared);
  } catch (error) {
    return { outcome: 'unknown', ...errorWords(error) };
  }
}
