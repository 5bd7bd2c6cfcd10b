// Work that may take much longer than the lease it is done under: the lease is short, so that a killed process is soon
// replaced, and renewed for as long as the work goes on.
export interface Renewal {
  readonly everyMs: number;
  /** Work that takes longer than this is not believed any more: others may begin it again. */
  readonly maxMs: number;
}

export async function keepRenewing<T>(
  { everyMs, maxMs }: Renewal,
  renew: () => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  await renew();
  const startedAt = performance.now();
  let renewing = Promise.resolve();
  const timer = setInterval(() => {
    if (performance.now() - startedAt > maxMs) clearInterval(timer);
    // A database that is away for a moment is asked again at the next turn.
    else renewing = renewing.then(renew).catch(() => undefined);
  }, everyMs);
  timer.unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
    // A renewal that came after the end would hold back the next try.
    await renewing;
  }
}
