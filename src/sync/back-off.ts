// When to try again: the one table of waits. docs/explanation/how-it-works.md shows it; a test compares the two.
import { CodedError, retryAfterMs } from '../domain/errors/coded-error.js';
import type { TenantName } from '../domain/ids.js';
import { keptWords } from '../domain/message.js';
import type { Randomness } from '../domain/runtime.js';
import type { BreakerStore } from './posting-records.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Waits after the first, second, … counted failure; after the last one the record is parked. */
export const RETRY_BACK_OFF_MS = [
  2 * SECOND_MS,
  10 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  4 * HOUR_MS,
  12 * HOUR_MS,
] as const;

export const TRIES_MAX = RETRY_BACK_OFF_MS.length;

/** Waits that do not count as a try. */
export const WAITS_MS = {
  /** The ERP or the source does not answer. The circuit breaker decides when the tenant continues; a posting waits at least this long. */
  outage: 5 * SECOND_MS,
  /** The upper limit of that wait, which doubles for a posting that meets one outage after another. */
  outageMost: 5 * MINUTE_MS,
  /** The ERP answered `pending`, or a draft is not posted yet. */
  pending: 5 * SECOND_MS,
  /** The tenant wants the original files stored first. The posting is also woken when the last file arrives. */
  originals: 10 * MINUTE_MS,
  /** The document is not ready. The posting is also woken when a sweep lists the document. */
  deferred: HOUR_MS,
  /**
   * A credit note waits for its invoice. The commit that books the invoice wakes it, but misses a credit note that is being examined at
   * that moment. So it is examined again after this wait, and then each time it has waited as long again.
   */
  originalInvoice: 5 * SECOND_MS,
  /** The accounting period is closed in the ERP. */
  periodClosed: DAY_MS,
  /** The ERP lacks an account, a dimension or a party. A person may create it there, and we get no event. */
  configuration: 6 * HOUR_MS,
  /** A person or new rules solve it. This check is only a safety net for a missed event. */
  heldRecheck: DAY_MS,
} as const;

/** Due an hour ago: a posting that is in the books is worked on before postings that are not. */
export const FINISH_FIRST_MS = -HOUR_MS;

/** A document that is deferred for longer is parked. */
export const DEFERRED_MAX_MS = 30 * DAY_MS;

/** The wait from the table, half of it random, so that a hundred postings do not retry in the same second. */
export function retryInMs(tries: number, random: Randomness): number {
  const full = RETRY_BACK_OFF_MS[Math.min(Math.max(tries, 1), TRIES_MAX) - 1] ?? HOUR_MS;
  return Math.round(full / 2 + random.next() * (full / 2));
}

/** The wait ± 10 %. */
export function jittered(ms: number, random: Randomness): number {
  return Math.round(ms * (0.9 + random.next() * 0.2));
}

/** After one more failure that counts: when to try again; null: all tries are used, and a person decides. */
export function nextTry(
  triesBefore: number,
  random: Randomness,
): { readonly tries: number; readonly dueInMs: number } | null {
  const tries = triesBefore + 1;
  return tries > TRIES_MAX ? null : { tries, dueInMs: retryInMs(tries, random) };
}

/** An error that says nothing about the record: a service did not answer, or refused our credentials. */
export interface Outage {
  readonly error: CodedError;
  /** Credentials or rights: a retry does not help until a person changes them. */
  readonly isRefusal: boolean;
}

/** null: the error is about the record itself, or about our own code, and counts as a try. */
export function outageOf(error: unknown): Outage | null {
  if (!(error instanceof CodedError) || error.definition.disposition === 'stop') return null;
  return { error, isRefusal: error.definition.disposition === 'pause-tenant' };
}

/** The circuit breaker of the source counts the outage. */
export async function reportSourceOutage(
  breakers: BreakerStore,
  tenantName: TenantName,
  { error, isRefusal }: Outage,
): Promise<void> {
  if (isRefusal) await breakers.refused(tenantName, 'source', keptWords(error));
  else await breakers.failed(tenantName, 'source', keptWords(error), retryAfterMs(error));
}
