// The key of what the same origin calls so: the customer, task, item or invoice that a record refers to.
import { type SubmissionKind, submissionKey } from '../domain/submission.js';
import type { SubmissionWork } from './submission-work.js';

export function keyOf({ tenant, claimed }: SubmissionWork, kind: SubmissionKind, reference: string): string {
  const { environment, sourceAccount, series } = tenant;
  return submissionKey({ environment, sourceAccount, kind, series: series[claimed.origin] ?? '', reference });
}
