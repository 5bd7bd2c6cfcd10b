/** What goes wrong with one call. "Before the effect" is certain to have done nothing; the others are not. */
export type Fault =
  | { readonly kind: 'lose-reply' }
  | { readonly kind: 'late'; readonly ms: number }
  /** Done and answered after a while; whether anybody listens by then is nothing to it. */
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'refuse'; readonly status: 429 | 500 | 502 | 503; readonly retryAfter?: number | string }
  | { readonly kind: 'break-after'; readonly status: 500 | 502 | 504 }
  | { readonly kind: 'hang' };

interface Planned {
  readonly operation: string;
  readonly fault: Fault;
  skip: number;
  left: number;
}

/** Faults to come, by operation; the first that fits a call is used up by it. */
export class Faults {
  readonly #planned: Planned[] = [];

  /** The next `times` calls of the operation (after `after` good ones) go wrong. `*` is any operation. */
  plan(operation: string, fault: Fault, { times = 1, after = 0 } = {}): void {
    this.#planned.push({ operation, fault, left: times, skip: after });
  }

  clear(): void {
    this.#planned.length = 0;
  }

  /** Faults that no call has met: a test that planned them has not seen them. */
  unmet(): string[] {
    return this.#planned
      .filter((planned) => planned.left > 0)
      .map(({ operation, fault }) => `${operation}: ${fault.kind}`);
  }

  take(operation: string): Fault | null {
    for (const planned of this.#planned) {
      if (planned.left === 0 || (planned.operation !== '*' && planned.operation !== operation)) continue;
      if (planned.skip > 0) {
        planned.skip -= 1;
        continue;
      }
      planned.left -= 1;
      return planned.fault;
    }
    return null;
  }
}
