// A question to the source has no effect, so one bad answer among a thousand pages is no reason to begin at the first page
// again: it is asked a few times more, soon. What lasts longer is an outage, which the caller rests from.
import { CodedError, waitMsOf } from '../../domain/errors/coded-error.js';
import type { Runtime } from '../../domain/runtime.js';

/** ± half of each is random. */
export const ASK_AGAIN_MS = [300, 1_500] as const;

export async function askAgain<T>(
  { timers, random }: Pick<Runtime, 'timers' | 'random'>,
  ask: () => Promise<T>,
): Promise<T> {
  for (const waitMs of ASK_AGAIN_MS) {
    try {
      return await ask();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await timers.sleep(Math.round(waitMs * (0.5 + random.next())));
    }
  }
  return ask();
}

/** Trouble of the moment; who said when to come back is not asked before. */
function isPassing(error: unknown): boolean {
  return (
    error instanceof CodedError && error.definition.disposition === 'retry' && waitMsOf(error) === undefined
  );
}
