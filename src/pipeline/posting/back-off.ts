// The one table of waits. docs/how-it-works.md shows it; a test keeps the two equal.
import type { Randomness } from '../../domain/runtime.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Waits after the first, second, … failure that counts; after the last the posting is parked. */
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

/** Waits that use up no tries. */
export const WAITS_MS = {
  /** An outage: the breaker decides when the tenant goes on; this is the least wait of one posting. */
  outage: 5 * SECOND_MS,
  /** The same for a document that met one again and again: doubled each time up to this. */
  outageMost: 5 * MINUTE_MS,
  /** The ERP said `pending`, or a draft is not yet posted. */
  pending: 5 * SECOND_MS,
  /** The tenant wants the originals first: looked at now and then, and at once when the last of them has arrived. */
  originals: 10 * MINUTE_MS,
  /** A document that is not ready: looked at hourly, and at once when a sweep lists it. */
  deferred: HOUR_MS,
  /**
   * A credit note whose invoice is not booked yet: it is woken when that is, but for one that was looking just then. So it looks again
   * after this, and then each time when it has waited as long again.
   */
  originalInvoice: 5 * SECOND_MS,
  /** The ERP's period is closed. */
  periodClosed: DAY_MS,
  /** The ERP lacks an account, a dimension, a partner: it may be created there without us hearing of it. */
  configuration: 6 * HOUR_MS,
  /** A person or the rules cure it; this look is only in case we missed the event. */
  heldRecheck: DAY_MS,
} as const;

/** Finishing comes before starting: what is in the books is due before everything that is not. */
export const FINISH_FIRST_MS = -HOUR_MS;

/** Longest time a document may be deferred before a person is asked. */
export const DEFERRED_MAX_MS = 30 * DAY_MS;

/** Exponential by the table, with half of it random, so that a hundred postings do not come back in one second. */
export function retryInMs(tries: number, random: Randomness): number {
  const full = RETRY_BACK_OFF_MS[Math.min(Math.max(tries, 1), TRIES_MAX) - 1] ?? HOUR_MS;
  return Math.round(full / 2 + random.next() * (full / 2));
}

export function jittered(ms: number, random: Randomness): number {
  return Math.round(ms * (0.9 + random.next() * 0.2));
}
