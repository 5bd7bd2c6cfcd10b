// A sentence that saves a person the next hour, where the code alone would not.
import type { Message } from '../domain/message.js';
import { message } from '../language/messages.js';
import type { FailureVerdict } from './dispositions.js';

export function explainFailure(
  verdict: FailureVerdict,
  status: number | null,
  environment: 'production' | 'development',
  everSucceeded: boolean,
): Message | undefined {
  if (verdict === 'unavailable' && status === 503 && environment === 'development') {
    return message(everSucceeded ? 'CODE_WORKED_BEFORE' : 'CODE_PROBABLY_WRONG');
  }
  if (verdict === 'unavailable' && status === 503) {
    return message('OUTAGE_OR_DEVELOPMENT');
  }
  if (verdict === 'unreadable') return message('PROBABLY_A_PROXY');
  if (verdict === 'redirect') return message('REDIRECTS_NOT_FOLLOWED');
  return undefined;
}
