// Waiting with an end: clients of a server that is gone wait for it for ever, those who ask do not.
import { setTimeout as sleep } from 'node:timers/promises';

/** What the work gives, or a rejection when it takes longer; the work itself goes on, and nobody hears of it any more. */
export async function inTime<T>(work: Promise<T>, ms: number, what = 'no answer'): Promise<T> {
  const late = new AbortController();
  const deadline = sleep(ms, undefined, { signal: late.signal }).then(() => {
    throw new Error(`${what} within ${ms} ms`);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    deadline.catch(() => undefined);
    work.catch(() => undefined);
    late.abort();
  }
}

/** Whether it was done in time, well or badly. */
export async function doneInTime(work: Promise<unknown>, ms: number): Promise<boolean> {
  const done = work.then(
    () => true,
    () => true,
  );
  return inTime(done, ms).catch(() => false);
}
