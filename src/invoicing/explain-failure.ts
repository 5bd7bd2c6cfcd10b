// A sentence that saves a person the next hour, where the code alone would not.
import type { FailureVerdict } from './dispositions.js';

export function explainFailure(
  verdict: FailureVerdict,
  status: number | null,
  environment: 'production' | 'development',
  everSucceeded: boolean,
): string {
  if (verdict === 'unavailable' && status === 503 && environment === 'development') {
    return everSucceeded
      ? 'The maintenance code worked before on this connection, so this is probably an outage.'
      : 'In development a 503 most likely means that the maintenance code is wrong; it may also be an outage.';
  }
  if (verdict === 'unavailable' && status === 503) {
    return 'This is an outage, or baseUrl is the development environment, which wants a maintenance code.';
  }
  if (verdict === 'unreadable') return 'Probably a maintenance page, a proxy, or a wrong base URL.';
  if (verdict === 'redirect') return 'Redirects are never followed.';
  return '';
}
