// The states of a submission, which is our work on one record of an origin that is to stand at the invoicing service, and the moves
// between them: the one table. The store moves by compare-and-set, and the database refuses anything else (a test holds the
// migration against this table).
export const SUBMISSION_MOVES = {
  received: ['sending', 'created', 'held', 'refused', 'parked', 'skipped', 'withdrawing'],
  held: ['received', 'parked', 'skipped'],
  sending: ['received', 'unknown', 'created', 'refused', 'parked'],
  unknown: ['sending', 'created', 'refused', 'parked'],
  created: ['acknowledged', 'received', 'parked', 'withdrawing'],
  acknowledged: ['received', 'parked', 'withdrawing'],
  refused: ['received', 'skipped'],
  parked: ['received', 'unknown', 'created', 'skipped'],
  skipped: ['received', 'refused'],
  withdrawing: ['withdrawn', 'acknowledged', 'received', 'parked'],
  withdrawn: ['received'],
} as const satisfies Record<string, readonly string[]>;

export type SubmissionState = keyof typeof SUBMISSION_MOVES;
export const SUBMISSION_STATES = Object.keys(SUBMISSION_MOVES) as SubmissionState[];

export function isLegalSubmissionMove(from: SubmissionState, to: SubmissionState): boolean {
  return from === to || (SUBMISSION_MOVES[from] as readonly string[]).includes(to);
}

/** What an origin may want to have at the service. */
export const SUBMISSION_KINDS = [
  'invoice',
  'draft',
  'order',
  'quote',
  'customer',
  'item',
  'cost',
  'task',
  'hours',
  'subscription',
] as const;
export type SubmissionKind = (typeof SUBMISSION_KINDS)[number];

/** The service has a way to delete these again. */
const WITHDRAWABLE: ReadonlySet<SubmissionKind> = new Set(['cost', 'draft', 'order']);

export function isWithdrawable(kind: SubmissionKind): boolean {
  return WITHDRAWABLE.has(kind);
}

/** A person has to do something. */
export const SUBMISSIONS_STUCK = ['refused', 'parked'] as const satisfies readonly SubmissionState[];
export type StuckSubmission = (typeof SUBMISSIONS_STUCK)[number];
/** Nothing of it was ever sent, as far as is on record, and nothing is in doubt. */
export const SUBMISSIONS_UNSENT = [
  'received',
  'held',
  'refused',
  'skipped',
] as const satisfies readonly SubmissionState[];

/** What became of one request: `rejected` and `not-sent` are sure, nothing else that failed is. */
export type SubmissionOutcome = 'accepted' | 'rejected' | 'not-sent' | 'unknown';
