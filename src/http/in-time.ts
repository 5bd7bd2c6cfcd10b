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

/**
 * Acts when the signal is given; what is returned takes that back. The engine links the listeners of a signal, and one that was taken
 * back and has grown old holds those that came after it until a full collection of garbage. So what it would do is taken out of it:
 * with it a call held its whole document, and every document was collected by the dearest way there is.
 */
export function whenAborted(signal: AbortSignal | undefined, act: () => void): () => void {
  if (!signal) return nothing;
  let toDo: (() => void) | null = act;
  const listener = () => toDo?.();
  signal.addEventListener('abort', listener, { once: true });
  return () => {
    signal.removeEventListener('abort', listener);
    toDo = null;
  };
}

const nothing = () => undefined;
