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
