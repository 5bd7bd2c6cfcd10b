// What a change makes of a claimed posting: the one definition, for whoever sees their own change before it is on record and
// for the stores that have put it there.
import type {
  AttemptChange,
  ClaimedPosting,
  PostingChange,
  PostingRecord,
  WriteBackChange,
} from './records.js';

/** What the store chose for the rows that a change adds. */
export interface MadeRows {
  readonly attempt?: { readonly id: string; readonly number: number };
  readonly writeBackId?: string;
}

export function applyChange(
  claim: ClaimedPosting,
  change: PostingChange,
  made: MadeRows = {},
): ClaimedPosting {
  return {
    ...claim,
    posting: changedPosting(claim.posting, change),
    attempt: change.attempt ? changedAttempt(claim, change.attempt, made) : claim.attempt,
    writeBack: change.writeBack ? changedWriteBack(claim, change.writeBack, made) : claim.writeBack,
  };
}

function changedPosting(posting: PostingRecord, change: PostingChange): PostingRecord {
  const { to = posting.state, reason = posting.reason, tries = posting.tries, reference } = change;
  const facts = change.document ?? { contentHash: posting.contentHash, number: posting.documentNumber };
  const mapped = change.mapped ?? posting;
  return {
    ...posting,
    state: to,
    stateAgeMs: to === posting.state ? posting.stateAgeMs : 0,
    reason,
    tries,
    contentHash: facts.contentHash,
    documentNumber: facts.number,
    rulesVersion: mapped.rulesVersion,
    journal: mapped.journal,
    settlement: mapped.settlement,
    reference: reference?.part === 'main' ? reference.reference : posting.reference,
    settlementReference: reference?.part === 'settlement' ? reference.reference : posting.settlementReference,
  };
}

function changedAttempt(
  { attempt }: ClaimedPosting,
  change: AttemptChange,
  made: MadeRows,
): ClaimedPosting['attempt'] {
  switch (change.act) {
    case 'begin':
      // A reversal is never the attempt that a claim goes on with.
      if (change.part === 'reversal') return attempt;
      return {
        id: made.attempt?.id ?? '',
        number: made.attempt?.number ?? 0,
        part: change.part,
        key: change.key,
        request: change.request,
        sends: 1,
        ageMs: 0,
        lastSendAgeMs: 0,
        outcome: null,
        reference: null,
      };
    case 'resend':
      return attempt && { ...attempt, sends: attempt.sends + 1, lastSendAgeMs: 0, outcome: null };
    case 'finish':
      if (change.reversal !== undefined || attempt === null) return attempt;
      return { ...attempt, outcome: change.outcome, reference: change.reference ?? attempt.reference };
  }
}

const NOT_SAID = { state: 'pending', sends: 0 } as const;

function changedWriteBack(
  { writeBack }: ClaimedPosting,
  change: WriteBackChange,
  made: MadeRows,
): ClaimedPosting['writeBack'] {
  if (change.act === 'decide' || change.act === 'told') {
    const { act, wanted, message } = change;
    const said = act === 'told' ? ({ state: 'acknowledged', sends: 1 } as const) : NOT_SAID;
    return { id: made.writeBackId ?? '', wanted, message, ...said };
  }
  if (writeBack === null) return null;
  switch (change.act) {
    case 'sent':
    case 'answered':
      return { ...writeBack, state: 'sent', sends: writeBack.sends + 1 };
    case 'acknowledged':
      return { ...writeBack, state: 'acknowledged', sends: Math.max(writeBack.sends, 1) };
    case 'abandoned':
      return { ...writeBack, state: 'abandoned' };
  }
}
