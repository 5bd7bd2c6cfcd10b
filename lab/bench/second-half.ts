// What a document costs once a process is warm: start, compiling and the listing of what waited are in the first half.

export interface OwnCost {
  readonly bridge: number;
  readonly postgres: number;
}

export interface SecondHalf {
  /** As often as somebody knows how many are done. */
  readonly look: (done: number) => void;
  /** Milliseconds a document; null where the half was never seen. */
  readonly perDocument: (done: number) => OwnCost | null;
}

/** `costs`: processor time so far, in milliseconds. */
export function secondHalf(total: number, costs: () => OwnCost): SecondHalf {
  let half: { readonly done: number; readonly cost: OwnCost } | null = null;
  return {
    look: (done) => {
      if (done >= total / 2) half ??= { done, cost: costs() };
    },
    perDocument: (done) => {
      if (half === null || half.done >= done) return null;
      const [rest, now] = [done - half.done, costs()];
      return {
        bridge: (now.bridge - half.cost.bridge) / rest,
        postgres: (now.postgres - half.cost.postgres) / rest,
      };
    },
  };
}
