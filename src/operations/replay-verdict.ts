// May this posting be replayed, and as what? Pure, and the one place that decides: the preview shows it, the act obeys it,
// the explanation offers it. A replay keeps the key; where the outcome at the ERP is uncertain it goes on from there
// instead of beginning anew.
import type { TenantName } from '../domain/ids.js';
import type { Message } from '../domain/message.js';
import { isSourceKind } from '../domain/source-document.js';
import { message } from '../language/messages.js';
import { isMendedInFile } from './mending.js';
import { type ActFacts, type Action, ACTIONS, type Refusal, refusalOf } from './acts.js';

export interface ReplayFacts extends ActFacts {
  readonly postingId: string;
  readonly tenantName: TenantName;
  readonly fence: number;
  /** Code of what it rests for; null: it does not rest. */
  readonly reasonCode: string | null;
  /** Due now or in the past. */
  readonly due: boolean;
  /** Nobody takes it up yet: the invoicing service or the ERP that it needs is down. */
  readonly blocked: boolean;
  readonly sourceStatus: string;
  /** Our latest decided status; an invoice in Error by our hand may be tried again. */
  readonly lastWanted: string | null;
  readonly allPosted: boolean;
  /** Since the latest send that there may have been; null: never sent. */
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
  | ({ readonly eligible: false } & Refusal);

/** A request that left longer ago than this has arrived or never will, however long a call of the ERP may take. */
export const QUIET_PERIOD_MS = 15 * 60 * 1000;

export function replayVerdict(
  facts: ReplayFacts,
  { surelyAbsent, chosenAgoMs = 0 }: ReplayChoice & Partial<ChosenAgo>,
): ReplayVerdict {
  const refusal = refusalOf('replay', facts);
  if (refusal) return { eligible: false, ...refusal };
  switch (facts.state) {
    case 'deferred':
    case 'held':
      return { eligible: true, to: 'discovered' };
    case 'parked':
      return parkedVerdict(facts, surelyAbsent, QUIET_PERIOD_MS + chosenAgoMs);
    case 'skipped':
    case 'rejected':
      return decidedVerdict(facts);
    default:
      // What is due and waits for a side that was down can be hurried too: that side is tried at once.
      return facts.due && !facts.blocked ? refused(message('ON_ITS_WAY')) : { eligible: true, to: 'stay' };
  }
}

function parkedVerdict(facts: ReplayFacts, surelyAbsent: boolean, quietPeriodMs: number): ReplayVerdict {
  if (facts.allPosted) return { eligible: true, to: 'posted' };
  if (facts.attemptUncertain && surelyAbsent) {
    const settled = facts.lastSendAgeMs === null || facts.lastSendAgeMs > quietPeriodMs;
    return settled
      ? { eligible: true, to: 'discovered' }
      : refused(message('SENT_TOO_RECENTLY', { minutes: QUIET_PERIOD_MS / 60_000 }));
  }
  if (facts.attemptUncertain || facts.mainPosted) return { eligible: true, to: 'posting' };
  return { eligible: true, to: 'discovered' };
}

/** Skipped and Error are one-way for costs; move-cost-to-new and approval bring one back (Document 1, costs). */
function decidedVerdict(facts: ReplayFacts): ReplayVerdict {
  const { kind, sourceStatus: status, writeBackOpen, lastWanted } = facts;
  if (writeBackOpen) return refused(message('STATUS_BEING_WRITTEN'));
  // Nothing was told to anybody, so nothing stands in the way.
  if (!isSourceKind(kind)) return { eligible: true, to: 'discovered' };
  // What was gone is read again: the source may have been mistaken.
  if (status === 'Created' || status === 'gone') return { eligible: true, to: 'discovered' };
  if (kind === 'cost')
    return status === 'New'
      ? refused(message('MOVED_TO_NEW'))
      : refused(message('COST_STANDS_AS', { status }), 'move-to-new');
  if (status === 'Error' && lastWanted === 'Error') return { eligible: true, to: 'discovered' };
  return refused(message('INVOICE_STANDS_AS', { status }));
}

function refused(why: Message, instead: Refusal['instead'] = null): ReplayVerdict {
  return { eligible: false, why, instead };
}

/**
 * Whether what it waits for is still not in the tenant file. As soon as the rules change, everything that is held becomes due; so one that is
 * not due was looked at with the rules as they are.
 */
export function stillLacksItsRule({ state, due, reasonCode }: ReplayFacts): boolean {
  return state === 'held' && !due && reasonCode !== null && isMendedInFile(reasonCode);
}

/** Why an act is refused now; null: it may be done. A replay asks more than the table of acts. */
export function refusalNow(action: Action, facts: ReplayFacts, choice: ReplayChoice): Refusal | null {
  if (action !== 'replay') return refusalOf(action, facts);
  const verdict = replayVerdict(facts, choice);
  return verdict.eligible ? null : verdict;
}

/** What can be done with it now: whatever the table of acts allows, and helps. */
export function actionsFor(facts: ReplayFacts): Action[] {
  const replay = replayVerdict(facts, { surelyAbsent: false });
  return ACTIONS.filter((action) => {
    if (action === 'replay') return replay.eligible;
    // A cost that a replay brings back, or that is New already, needs no moving.
    if (action === 'move-to-new' && (replay.eligible || replay.instead !== 'move-to-new')) return false;
    return refusalOf(action, facts) === null;
  });
}
