// What is checked before a byte leaves: the parameters of the endpoint, then the write rules of the service.
import { CodedError } from '../domain/errors/coded-error.js';
import type { IsoDate } from '../domain/source-document.js';
import { firstIssue } from './answers.js';
import type { Params } from './build-request.js';
import type { Endpoint } from './endpoint.js';
import { sayBreach } from './write-rules/breach.js';

/** `today` is the service's day (it runs on UTC): dates that are left out default to it. */
export function checkCall(endpoint: Endpoint, params: Params, today: IsoDate): Params {
  const checked = endpoint.params.safeParse(params);
  if (!checked.success) {
    throw new CodedError('SOURCE_PARAMETERS_INVALID', `${endpoint.name}: ${firstIssue(checked.error)}.`);
  }
  const breaches = endpoint.rules?.(checked.data, today) ?? [];
  if (breaches.length > 0) {
    const message = `${endpoint.name} was not sent. ${breaches.map(sayBreach).join(' ')}`;
    throw new CodedError('SOURCE_WRITE_RULE', message, {
      details: { rules: breaches.map(({ rule }) => rule) },
    });
  }
  return checked.data;
}
