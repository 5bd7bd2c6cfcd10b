// Waiting with an end: clients of a server that is gone wait for it for ever, those who ask do not.

/** What the work gives, or a rejection when it takes longer; the work itself goes on, and nobody hears of it any more. */
export function inTime<T>(work: Promise<T>, ms: number, what = 'no answer'): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${what} within ${ms} ms`)), ms);
    void work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Whether it was done in time, well or badly. */
export async function doneInTime(work: Promise<unknown>, ms: number): Promise<boolean> {
  const done = work.then(
    () => true,
    () => true,
  );
  return inTime(done, ms).catch(() => false);
}
