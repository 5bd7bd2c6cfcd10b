// Setting a payment or a credit note against its invoice comes after the booking and changes no amount. It looks at what is open before it
// does anything, so that it may be tried again, whatever became of the try before; a few times, and then a person is told.
import { setTimeout as pause } from 'node:timers/promises';
import type { Told } from '../domain/message.js';
import { saidBy } from '../language/messages.js';
import { type Answer, orFailure } from './answer.js';
import type { ErpLog, PostOutcome } from './erp-adapter.js';
import { told } from './told.js';

const PAUSES_MS = [0, 300, 1_500] as const;

export interface SetAgainst {
  readonly system: string;
  /** What a bookkeeper finds the entry by. */
  readonly entry: string;
  readonly log: ErpLog;
  readonly pausesMs?: readonly number[];
}

/** Undefined when it is done, or when there is nothing to do. A read that fails in it is a try that failed. */
export async function setAgainst(
  { system, entry, log, pausesMs = PAUSES_MS }: SetAgainst,
  match: () => Promise<Answer<unknown>>,
): Promise<Told | undefined> {
  let answer: Answer<unknown> = { outcome: 'ok', value: undefined };
  for (const pauseMs of pausesMs) {
    if (pauseMs > 0) await pause(pauseMs);
    answer = await orFailure(match);
    if (answer.outcome !== 'transient' && answer.outcome !== 'unknown') break;
  }
  if (answer.outcome === 'ok') return undefined;
  const words = told('NOT_SET_AGAINST', { system, entry, why: saidBy(answer, 250) });
  log.warn({ entry }, words.message);
  return words;
}

/** What was booked stands, whether or not it was set against its invoice. */
export function withUnmatched(outcome: PostOutcome, unmatched: Told | undefined): PostOutcome {
  return outcome.outcome === 'posted' && unmatched ? { ...outcome, unmatched } : outcome;
}
