// May this posting be replayed, and as what? Pure, and the one place that decides: the preview shows it, the act obeys it,
// the explanation offers it. A replay keeps the key; where the outcome at the ERP is uncertain it goes on from there
// instead of beginning anew.
import type { PostingState } from '../domain/posting.js';
import type { SourceKind } from '../domain/source-document.js';

export interface ReplayFacts {
  readonly postingId: string;
  readonly tenantName: string;
  readonly kind: SourceKind;
  readonly state: PostingState;
  readonly fence: number;
  readonly held: boolean;
  readonly leased: boolean;
  /** Due now or in the past. */
  readonly due: boolean;
  /** Nobody takes it up yet: the invoicing service or the ERP that it needs is down. */
  readonly blocked: boolean;
  readonly sourceStatus: string;
  /** A status is being written at the source. */
  readonly writeBackOpen: boolean;
  /** Our latest decided status; an invoice in Error by our hand may be tried again. */
  readonly lastWanted: string | null;
  readonly mainPosted: boolean;
  readonly allPosted: boolean;
  /** The latest attempt to post may have reached the ERP. */
  readonly attemptUncertain: boolean;
  /** Since the latest send; null: never sent. */
  readonly lastSendAgeMs: number | null;
}

export interface ReplayChoice {
  /** The operator has looked in the ERP: what may have been sent is surely not there. */
  readonly surelyAbsent: boolean;
}

export interface ChosenAgo {
  /** A run may come to a document long after: what the operator said holds for what had been sent by then. */
  readonly chosenAgoMs: number;
}

export type ReplayVerdict =
  | { readonly eligible: true; readonly to: 'discovered' | 'posting' | 'posted' | 'stay' }
  | {
      readonly eligible: false;
      readonly why: string;
      readonly instead: 'move-to-new' | 'release' | 'reverse' | 'repost' | null;
    };

/** A request that left longer ago than this has arrived or never will, however long a call of the ERP may take. */
export const SETTLED_MS = 15 * 60 * 1000;

export function replayVerdict(
  facts: ReplayFacts,
  { surelyAbsent, chosenAgoMs = 0 }: ReplayChoice & Partial<ChosenAgo>,
): ReplayVerdict {
  if (facts.leased) return no('It is being worked on at this moment.');
  switch (facts.state) {
    case 'discovered':
    case 'mapped':
    case 'posting':
    case 'posted':
    case 'writing_back':
      if (facts.held) return no('An operator holds it.', 'release');
      // What is due and waits for a side that was down can be hurried too: that side is tried at once.
      return facts.due && !facts.blocked ? no('It is on its way already.') : { eligible: true, to: 'stay' };
    case 'deferred':
      return { eligible: true, to: 'discovered' };
    case 'held':
      return facts.held ? no('An operator holds it.', 'release') : { eligible: true, to: 'discovered' };
    case 'parked':
      return parkedVerdict(facts, surelyAbsent, SETTLED_MS + chosenAgoMs);
    case 'skipped':
    case 'rejected':
      return decidedVerdict(facts);
    case 'acknowledged':
      return no('It is in the books, and the source says Posted.');
    case 'orphaned':
      return no('It is in the books but was deleted at the source.', 'reverse');
    case 'reversed':
      return no('Its entry was reversed; to book it again is a repost.', 'repost');
  }
}

function parkedVerdict(facts: ReplayFacts, surelyAbsent: boolean, settledAfterMs: number): ReplayVerdict {
  if (facts.allPosted) return { eligible: true, to: 'posted' };
  if (facts.attemptUncertain && surelyAbsent) {
    const settled = facts.lastSendAgeMs === null || facts.lastSendAgeMs > settledAfterMs;
    return settled
      ? { eligible: true, to: 'discovered' }
      : no('It was sent within the last fifteen minutes, so nobody can be sure yet. Try again later.');
  }
  if (facts.attemptUncertain || facts.mainPosted) return { eligible: true, to: 'posting' };
  return { eligible: true, to: 'discovered' };
}

/** Skipped and Error are one-way for costs; move-cost-to-new and approval bring one back (Document 1, costs). */
function decidedVerdict(facts: ReplayFacts): ReplayVerdict {
  const { kind, sourceStatus, writeBackOpen, lastWanted } = facts;
  if (writeBackOpen) return no('Its status is being written at the source.');
  // What was gone is read again: the source may have been mistaken.
  if (sourceStatus === 'Created' || sourceStatus === 'gone') return { eligible: true, to: 'discovered' };
  if (kind === 'cost') {
    return sourceStatus === 'New'
      ? no('It was moved to New at the source; it comes back by itself when it is approved there.')
      : no(
          `It stands as ${sourceStatus} at the source: move it to New and have it approved again.`,
          'move-to-new',
        );
  }
  if (sourceStatus === 'Error' && lastWanted === 'Error') return { eligible: true, to: 'discovered' };
  return no(
    `It stands as ${sourceStatus} at the source; an invoice leaves that only by the service's own hand.`,
  );
}

function no(
  why: string,
  instead: Extract<ReplayVerdict, { eligible: false }>['instead'] = null,
): ReplayVerdict {
  return { eligible: false, why, instead };
}
