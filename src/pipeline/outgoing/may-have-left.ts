// How often a request of a submission left, for people and for what they say of an earlier one. It is counted when it is over, or when
// somebody finds it given up: until then nobody can act on it, and one that ran out of time before a byte left is none. The count never falls.
import type { SubmissionState } from '../../domain/submission.js';
import type { SubmissionChange } from './records.js';

export function mayHaveLeft(from: SubmissionState, { to, begin, isUnsent }: SubmissionChange): boolean {
  // A deletion has no state of its own, and is counted with its intent.
  if (begin?.act === 'delete') return true;
  return from === 'sending' && to !== undefined && to !== 'sending' && isUnsent !== true;
}
