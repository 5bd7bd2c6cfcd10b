// Everything in the pipeline that is not a function of its input comes in through here, so that a seeded
// simulation can stand in for time and chance. Lint forbids Date.now, Math.random and setTimeout in src/pipeline.
export interface Clock {
  now(): Date;
}

export interface Timers {
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Randomness {
  /** Uniform in [0, 1). */
  next(): number;
  uuid(): string;
}

export interface Runtime {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Randomness;
}
