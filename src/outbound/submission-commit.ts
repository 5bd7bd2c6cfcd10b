// What a commit makes of a submission: pure functions. The simulation stores what they return. PostgreSQL does the same in SQL
// (store/submission-store.ts), and test/integration/store/submission-commits.test.ts compares the two for every legal move and every part.
import type { SubmissionState } from '../domain/submission.js';
import type { SubmissionChange, SubmissionRecord } from './stage.js';

/** A record without the ages, which depend on when it is read. */
export type StoredSubmission = Omit<SubmissionRecord, 'sentAgoMs' | 'restoredAgoMs'>;

export function changedSubmission(record: StoredSubmission, change: SubmissionChange): StoredSubmission {
  const { to = record.state, reason = record.reason, tries = record.tries, begin, finish, created } = change;
  const { fields, found, shown, uploads = record.uploads, content = record.content } = change;
  return {
    ...record,
    state: to,
    reason,
    tries,
    deaths: resetsCrashes(record.state, change) ? 0 : record.deaths,
    request: begin ?? record.request,
    outcome: begin ? null : (finish?.outcome ?? record.outcome),
    guid: created?.guid ?? record.guid,
    number: created?.number ?? record.number,
    paymentLink: created?.paymentLink ?? record.paymentLink,
    amount: shown?.amount ?? record.amount,
    surelyAbsent: record.surelyAbsent && !endsConfirmation(change.to),
    agreed: fields?.agreed ?? found ?? record.agreed,
    decided: fields ? null : record.decided,
    uploads,
    content,
  };
}

/** Moments of a submission, in milliseconds by the clock of the store. */
export interface SubmissionTimes {
  /** null: nothing was sent. */
  readonly sentAt: number | null;
  readonly dueAt: number | null;
  /** 0: nobody has claimed it. */
  readonly leaseUntil: number;
  /** Requests that may have left. */
  readonly sends: number;
}

export function changedSubmissionTimes(
  { state }: Pick<SubmissionRecord, 'state'>,
  times: SubmissionTimes,
  change: SubmissionChange,
  nowMs: number,
): SubmissionTimes {
  return {
    sentAt: change.begin ? nowMs : times.sentAt,
    dueAt: change.dueInMs === null ? null : nowMs + change.dueInMs,
    leaseUntil: change.keep === true ? times.leaseUntil : 0,
    sends: times.sends + (mayHaveLeft(state, change) ? 1 : 0),
  };
}

/**
 * Crashes while a submission was claimed are counted, because the submission may cause them; after too many a person decides. They are counted
 * apart from the tries: a machine that restarts often and a service that fails do not add up. A claim that ends in any other way starts the
 * count again, and so does a held submission that goes on.
 */
export function resetsCrashes(from: SubmissionState, { keep }: SubmissionChange): boolean {
  return keep !== true || from === 'held';
}

/**
 * A request may have left: it is counted when its result is known, or when its process is found to have died. Until then nobody can act on it,
 * and a request that was too late to be sent does not count. A deletion has no state of its own, and counts with its intent.
 */
export function mayHaveLeft(from: SubmissionState, { to, begin, isUnsent }: SubmissionChange): boolean {
  if (begin?.act === 'delete') return true;
  return from === 'sending' && to !== undefined && to !== 'sending' && isUnsent !== true;
}

/** A person confirmed that nothing is at the service; that says nothing of a request that was sent since. */
export function endsConfirmation(to: SubmissionState | undefined): boolean {
  return to === 'unknown' || to === 'created' || to === 'refused' || to === 'parked';
}

/** Submissions that wait for another record are due: it was created, or it is a customer that the service refused. */
export function wakesHeld(
  { kind }: Pick<SubmissionRecord, 'kind'>,
  to: SubmissionState | undefined,
): boolean {
  return to === 'created' || (kind === 'customer' && (to === 'refused' || to === 'parked'));
}
