// Whether something that was sent before may stand at the service, although the submission begins anew: somebody has skipped what was in
// doubt and set it going again, or the database has forgotten. Where nothing can be searched for, only a person's word lets it go on.
import type { SubmissionRecord } from './records.js';

export function mayStand({ restoredAgoMs, surelyAbsent, request, outcome }: SubmissionRecord): boolean {
  if (surelyAbsent) return false;
  const isOpen = request?.act === 'create' && outcome !== 'rejected' && outcome !== 'not-sent';
  // It was to be deleted, and nobody has said that it is: what was made before may stand there still.
  const isKept = request?.act === 'delete' && outcome !== 'accepted';
  return restoredAgoMs !== null || isOpen || isKept;
}
