// A run that broke a promise, made as small as it gets: as few documents, as few things going wrong, and everything else ordinary.
// What is left is kept as decisions and breaks the same promise.
import { type Decision, type Decisions, RecordedChance, RecordingChance, SeededChance } from './chance.js';
import { brokenPromises } from './invariants.js';
import { EndlessRun, type Run, type RunOptions, simulate } from './run.js';

export interface Recording {
  /** The promise that was broken: its number and what was said. */
  readonly broken: string;
  readonly options: Omit<RunOptions, 'seed' | 'chance'>;
  readonly decisions: Decisions;
}

export interface Shrunk extends Recording {
  readonly runs: number;
  readonly trace: readonly string[];
}

/** Runs, and how long at most. */
export interface Patience {
  readonly runsMax: number;
  isOver(): boolean;
}

interface Entry {
  readonly name: string;
  readonly number: string;
  readonly decided: Decision;
}

/** Of either direction. */
const DOCUMENTS = [1, 2, 3, 5, 8, 12, 18];

/** `options` break a promise; null: not when they are run once more. */
export async function shrink(options: RunOptions, patience: Patience): Promise<Shrunk | null> {
  const { seed, ...rest } = options;
  const first = await recorded(rest, seed);
  const [broken] = first?.broken ?? [];
  if (!first || broken === undefined) return null;
  let smallest = { ...first, options: rest };
  for (const documents of DOCUMENTS) {
    const fewer = await recorded({ ...rest, documents }, seed);
    if (!fewer || !breaksTheSame(fewer.broken, broken)) continue;
    smallest = { ...fewer, options: { ...rest, documents } };
    break;
  }
  for (const records of options.outgoing ? DOCUMENTS : []) {
    const options = { ...smallest.options, outgoing: { ...smallest.options.outgoing, records } };
    const fewer = await recorded(options, seed);
    if (!fewer || !breaksTheSame(fewer.broken, broken)) continue;
    smallest = { ...fewer, options };
    break;
  }
  const search = new Search(smallest.options, broken, patience);
  const entries = await search.fewest(entriesOf(smallest.decisions));
  const decisions = decisionsOf(entries);
  const run = await replay({ broken, options: smallest.options, decisions });
  const said = brokenPromises(run).find((one) => breaksTheSame([one], broken)) ?? broken;
  return { broken: said, options: smallest.options, decisions, runs: search.runs, trace: run.kernel.trace };
}

export function replay({ options, decisions }: Recording): Promise<Run> {
  return simulate({ ...options, seed: 0, chance: new RecordedChance(decisions) });
}

async function recorded(options: Recording['options'], seed: number) {
  const chance = new RecordingChance(new SeededChance(seed));
  const broken = await brokenIn({ ...options, seed, chance });
  return broken.length > 0 ? { broken, decisions: chance.decisions } : null;
}

/** A run that never ends shows nothing. */
async function brokenIn(options: RunOptions): Promise<readonly string[]> {
  try {
    return brokenPromises(await simulate(options));
  } catch (error) {
    if (error instanceof EndlessRun) return [];
    throw error;
  }
}

function breaksTheSame(broken: readonly string[], promise: string): boolean {
  return broken.some((one) => numberOf(one) === numberOf(promise));
}

function numberOf(promise: string): string {
  return promise.split(':')[0] ?? '';
}

/** Takes away half of what is left, then quarters, and so on, as long as the promise stays broken. */
class Search {
  runs = 0;
  readonly #options: Recording['options'];
  readonly #broken: string;
  readonly #patience: Patience;

  constructor(options: Recording['options'], broken: string, patience: Patience) {
    this.#options = options;
    this.#broken = broken;
    this.#patience = patience;
  }

  async fewest(entries: readonly Entry[]): Promise<readonly Entry[]> {
    const faultsOnly = entries.filter(({ decided }) => decided === true);
    let left = (await this.#stillBreaks(faultsOnly)) ? faultsOnly : entries;
    for (let share = 2; ; share *= 2) {
      const size = Math.max(1, Math.ceil(left.length / share));
      left = await this.#without(left, size);
      if (size === 1 || this.#isOver()) return left;
    }
  }

  async #without(entries: readonly Entry[], size: number): Promise<readonly Entry[]> {
    let left = entries;
    for (let at = 0; at < left.length && !this.#isOver();) {
      const fewer = [...left.slice(0, at), ...left.slice(at + size)];
      if (await this.#stillBreaks(fewer)) left = fewer;
      else at += size;
    }
    return left;
  }

  #isOver(): boolean {
    return this.runs >= this.#patience.runsMax || this.#patience.isOver();
  }

  async #stillBreaks(entries: readonly Entry[]): Promise<boolean> {
    this.runs++;
    const chance = new RecordedChance(decisionsOf(entries));
    return breaksTheSame(await brokenIn({ ...this.#options, seed: 0, chance }), this.#broken);
  }
}

function entriesOf(decisions: Decisions): Entry[] {
  return Object.entries(decisions).flatMap(([name, byNumber]) =>
    Object.entries(byNumber).map(([number, decided]) => ({ name, number, decided })),
  );
}

function decisionsOf(entries: readonly Entry[]): Decisions {
  const decisions: Record<string, Record<string, Decision>> = {};
  for (const { name, number, decided } of entries) (decisions[name] ??= {})[number] = decided;
  return decisions;
}
