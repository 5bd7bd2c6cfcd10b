// What one request to an ERP came to, once the adapter's own table has judged it. The outcomes are the port's, so that a
// step's answer can be handed on as the answer of the whole.
import type { Told } from '../domain/message.js';
import type { AuthFailed, Rejected, Transient, Unknown } from './erp-adapter.js';
import { asTold } from './told.js';

export interface Ok<T> {
  readonly outcome: 'ok';
  readonly value: T;
}
export type Answer<T> = Ok<T> | Rejected | Transient | Unknown | AuthFailed;
/** A request without effect cannot leave anything unknown. */
export type ReadAnswer<T> = Ok<T> | Rejected | Transient | AuthFailed;
/** For look-ups whose refusal says nothing about the key: it could not be looked up now. */
export type LookUpAnswer<T> = Ok<T> | Transient | AuthFailed;

export function asRead<T>(answer: Answer<T>): ReadAnswer<T> {
  return answer.outcome === 'unknown' ? { ...answer, outcome: 'transient' } : answer;
}

/** A later step failed after an earlier one had its effect: only a look-up can tell, whatever the step itself came to. */
export function inDoubt(
  failed: Exclude<Answer<unknown>, Ok<unknown>>,
  words: Told | string = failed,
): Unknown {
  const wait = 'retryAfterMs' in failed ? { retryAfterMs: failed.retryAfterMs } : {};
  return { outcome: 'unknown', ...asTold(words), ...wait };
}

export function asLookUp<T>(answer: Answer<T>): LookUpAnswer<T> {
  if (answer.outcome === 'unknown' || answer.outcome === 'rejected') {
    return { ...inDoubt(answer), outcome: 'transient' };
  }
  return answer;
}
