// Processes that died over a submission, one after the other, show it to a person at last: it may be what ends them. They are counted apart
// from what was tried in vain, because a machine that restarts often and a service that is unwell say nothing of the record together. A
// turn that came to any end begins the count anew, and so does what was held and goes on.
import type { SubmissionState } from '../../domain/submission.js';
import type { SubmissionChange } from './records.js';

export function cameToAnEnd(from: SubmissionState, { keep }: SubmissionChange): boolean {
  return keep !== true || from === 'held';
}
