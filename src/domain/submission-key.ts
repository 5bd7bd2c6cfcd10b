// The identity of one thing at the invoicing service that we are to make there, written into a field that the service gives back.
// Content is not in it, nor the name of the origin: a changed record keeps its key, and a renamed origin does not send anew.
import { framedKey } from './posting-key.js';
import type { SubmissionKind } from './submission.js';

export interface SubmissionIdentity {
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
