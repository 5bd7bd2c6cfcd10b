// What one request to an ERP came to, once the adapter's own table has judged it. The outcomes are the port's, so that a
// step's answer can be handed on as the answer of the whole.
import { CodedError } from '../domain/errors/coded-error.js';
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

export type ReadFailure = Exclude<ReadAnswer<never>, Ok<never>>;

/**
 * A read that failed, or that shows why no journal can go on. Nothing was changed, so it ends the whole call: `orFailure` makes the outcome of
 * that call of it, once per method of the port. What may have changed the books is an `Answer` and is never thrown.
 */
export class ReadFailed extends Error {
  override readonly name = 'ReadFailed';
  readonly failure: ReadFailure;

  constructor(failure: ReadFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** What was read; throws `ReadFailed`. Not for requests with an effect: an `Answer` that may be unknown does not compile here. */
export function orThrow<T>(answer: ReadAnswer<T>): T {
  if (answer.outcome === 'ok') return answer.value;
  throw new ReadFailed(answer);
}

/** What the reads in it come to, or why one of them failed. */
export async function orFailure<T>(reads: () => Promise<T>): Promise<T | ReadFailure> {
  try {
    return await reads();
  } catch (error) {
    if (error instanceof ReadFailed) return error.failure;
    throw error;
  }
}

/** The same, for callers who go on after a failure. */
export function asAnswer<T>(reads: () => Promise<T>): Promise<ReadAnswer<T>> {
  return orFailure(async () => ok(await reads()));
}

/** For a request with an effect: a read beside it that fails says nothing of what became of it. */
export async function asEffect<T>(act: () => Promise<Answer<T>>): Promise<Answer<T>> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ReadFailed) return inDoubt(error.failure);
    throw error;
  }
}

export function ok<T>(value: T): Ok<T> {
  return { outcome: 'ok', value };
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

// What an ERP answers when it is read as an origin; whatever else it says is an error, and the look is repeated later.
export function answered<T>(answer: Answer<T>): T {
  if (answer.outcome === 'ok') return answer.value;
  const { message, said } = answer;
  throw new CodedError('ERP_ORIGIN_FAILED', message, said === undefined ? {} : { said });
}
