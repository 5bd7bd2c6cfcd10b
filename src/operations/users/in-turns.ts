// So many pieces of work at once, so many waiting, and nobody else.
export interface Turns {
  readonly atOnce: number;
  readonly waitingMax: number;
}

/** Resolves with what the work gave, or at once with null when too many wait already. */
export function inTurns({ atOnce, waitingMax }: Turns) {
  let working = 0;
  const waiting: (() => void)[] = [];
  return async <Result>(work: () => Promise<Result>): Promise<Result | null> => {
    if (working >= atOnce) {
      if (waiting.length >= waitingMax) return null;
      // Whoever ends hands the place over, so that nobody slips in between.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else working += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else working -= 1;
    }
  };
}
