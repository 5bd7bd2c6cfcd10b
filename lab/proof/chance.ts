// What is left to chance in a simulated run, decision by decision. Each has a name and a number of its own, so that a decision that
// is added to the simulator moves no other one; and a run that found something is kept as its decisions, not as a seed.
export type Decision = boolean | number;

export interface Chance {
  /** The next decision of this name: by luck (0 up to 1), or what is ordinary. */
  decide<D extends Decision>(name: string, byLuck: (luck: number) => D, ordinary: D): D;
}

/** Name → which of its decisions → what was decided. Whatever is not here is ordinary. */
export type Decisions = Readonly<Record<string, Readonly<Record<string, Decision>>>>;

/** By a seed: every name has a stream of its own. */
export class SeededChance implements Chance {
  readonly #seed: number;
  readonly #streams = new Map<string, () => number>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  decide<D extends Decision>(name: string, byLuck: (luck: number) => D): D {
    let stream = this.#streams.get(name);
    if (!stream) this.#streams.set(name, (stream = mulberry32(hashOf(name, this.#seed))));
    return byLuck(stream());
  }
}

/** Keeps what another chance decides. */
export class RecordingChance implements Chance {
  readonly #chance: Chance;
  readonly #counts = new Map<string, number>();
  readonly decisions: Record<string, Record<string, Decision>> = {};

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  decide<D extends Decision>(name: string, byLuck: (luck: number) => D, ordinary: D): D {
    const number = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, number);
    const decided = this.#chance.decide(name, byLuck, ordinary);
    if (decided !== ordinary) (this.decisions[name] ??= {})[number] = decided;
    return decided;
  }
}

/** As it was recorded. */
export class RecordedChance implements Chance {
  readonly #decisions: Decisions;
  readonly #counts = new Map<string, number>();

  constructor(decisions: Decisions) {
    this.#decisions = decisions;
  }

  decide<D extends Decision>(name: string, _byLuck: (luck: number) => D, ordinary: D): D {
    const number = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, number);
    const decided = this.#decisions[name]?.[number];
    return typeof decided === typeof ordinary ? (decided as D) : ordinary;
  }
}

/** Things that went wrong, or that somebody did: what is left of a run when times and amounts are taken for granted. */
export function faultsOf(decisions: Decisions): { readonly name: string; readonly number: number }[] {
  return Object.entries(decisions).flatMap(([name, byNumber]) =>
    Object.entries(byNumber)
      .filter(([, decided]) => decided === true)
      .map(([number]) => ({ name, number: Number(number) })),
  );
}

function hashOf(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ Math.imul(seed + 1, 0x9e3779b1);
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
