const SEEDS_MAX = 40;

/**
 * Seeds to look for a broken promise with, beginning with the one that showed it last. When a run takes another course and that one shows
 * nothing any more, the others are asked.
 */
export function seedsFrom(last = 1): readonly number[] {
  const all = Array.from({ length: SEEDS_MAX }, (_, index) => index + 1);
  return [last, ...all.filter((seed) => seed !== last)];
}
