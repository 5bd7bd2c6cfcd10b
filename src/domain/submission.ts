import { framedKey } from './posting-key.js';

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

// The identity of one thing at the invoicing service that we are to make there, written into a field that the service gives back.
// Content is not in it, nor the name of the origin: a changed record keeps its key, and a renamed origin does not send anew.

interface SubmissionIdentity {
  readonly environment: 'production' | 'development';
  /** Registration number of the account at the service. */
  readonly sourceAccount: string;
  readonly kind: SubmissionKind;
  /** Tells apart what two origins call the same; empty unless the tenant file says otherwise. */
  readonly series: string;
  /** The origin's own name for it. Of a customer: the kennitala, whichever origin names it. */
  readonly reference: string;
}

export function submissionKey(identity: SubmissionIdentity): string {
  const { environment, sourceAccount, kind, series, reference } = identity;
  const where = ['ledgerbridge/submission/1', environment, sourceAccount];
  // A customer is one at the service, whoever names it.
  const what = kind === 'customer' ? [kind, reference] : [kind, series, reference];
  return `O${framedKey([...where, ...what])}`;
}

/** Of a record whose reference belongs to another one. Nothing is ever sent under it. */
export function twinKey(key: string, origin: string, slot: string): string {
  return `O${framedKey(['ledgerbridge/submission-twin/1', key, origin, slot])}`;
}

const MARK = /(?<![A-Z0-9])O[A-Z2-7]{19}(?![A-Z0-9])/g;

/** The marks that stand in a text, as somebody may have written something before or after one. */
export function marksIn(text: string): readonly string[] {
  return text.match(MARK) ?? [];
}

/** The text with the mark at its end; what the origin wrote there stays. */
export function withMark(text: string, mark: string): string {
  const own = text.trim();
  return own === '' ? mark : `${own} ${mark}`;
}
