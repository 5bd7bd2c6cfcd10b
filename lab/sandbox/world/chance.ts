// Choices by chance, all from one seeded source.
import type { Random } from '../random.js';

export function pick<T>(random: Random, options: readonly [T, ...T[]] | readonly T[]): T {
  const chosen = options[random.below(options.length)];
  if (chosen === undefined) throw new RangeError('Nothing to choose from.');
  return chosen;
}

/** True once in a while: 0.1 is one time in ten. */
export function happens(random: Random, probability: number): boolean {
  return random.next() < probability;
}

/** An integer from low to high, both included. */
export function between(random: Random, low: number, high: number): number {
  return low + random.below(high - low + 1);
}

/** Small values often, large ones rarely, as prices and quantities are. */
export function skewed(random: Random, low: number, high: number): number {
  return Math.round(low * (high / low) ** random.next());
}

export function weighted<T>(random: Random, options: readonly (readonly [T, number])[]): T {
  let left = random.next() * options.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [option, weight] of options) {
    left -= weight;
    if (left < 0) return option;
  }
  const [last] = options.at(-1) ?? [];
  if (last === undefined) throw new RangeError('Nothing to choose from.');
  return last;
}
