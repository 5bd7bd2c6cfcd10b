// More than one thing at the service carries one mark: none of them is touched.
import { message } from '../language/messages.js';
import { type Advanced, type SubmissionWork, parkWithAlarm } from './submission-work.js';

export function several(
  work: SubmissionWork,
  found: readonly { readonly guid: string; readonly number?: string }[],
): Promise<Advanced> {
  const invoices = found
    .map(({ number, guid }) => number || guid)
    .join(', ')
    .slice(0, 200);
  return parkWithAlarm(work, 'SUBMISSION_TWICE', message('SEVERAL_CARRY_THE_MARK', { invoices }));
}
