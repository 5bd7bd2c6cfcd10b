// What is checked before a byte leaves: the parameters of the endpoint, then the write rules of the service.
import type { IsoDate } from '../domain/source-document.js';
import { coded } from '../language/coded.js';
import { message } from '../language/messages.js';
import { firstIssue } from './wire-types.js';
import type { Params } from './build-request.js';
import type { Endpoint } from './endpoint.js';
import { breachSaid } from './write-rules.js';

/** Of those that are named. */
const BREACHES_MAX = 5;

/** `today` is the service's day (it runs on UTC): dates that are left out default to it. */
export function checkCall(endpoint: Endpoint, params: Params, today: () => IsoDate): Params {
  const checked = endpoint.params.safeParse(params);
  if (!checked.success) {
    const said = message('PARAMETER_UNFIT', { call: endpoint.name, problem: firstIssue(checked.error) });
    throw coded('SOURCE_PARAMETERS_INVALID', said);
  }
  const breaches = endpoint.rules?.(checked.data, today()) ?? [];
  if (breaches.length > 0) {
    const named = breaches.slice(0, BREACHES_MAX).map(breachSaid);
    throw coded('SOURCE_WRITE_RULE', message('RULES_BROKEN', { call: endpoint.name, breaches: named }), {
      details: { rules: breaches.map(({ rule }) => rule) },
    });
  }
  return checked.data;
}
