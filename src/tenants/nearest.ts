// "Did you mean …?" for keys, adapter names and the like.
const DISTANCE_MAX = 3;
const LENGTH_MAX = 64;

/** The candidate that a person most likely meant, or null when none is near enough to be worth saying. */
export function nearest(written: string, candidates: Iterable<string>): string | null {
  if (written.length > LENGTH_MAX) return null;
  let best: string | null = null;
  let bestDistance = Math.min(DISTANCE_MAX, Math.ceil(written.length / 2.5)) + 1;
  for (const candidate of candidates) {
    if (candidate.length > LENGTH_MAX) continue;
    const distance = fold(candidate) === fold(written) ? 0 : editDistance(fold(written), fold(candidate));
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** base_url, base-url and BaseURL are all baseUrl written by another habit. */
function fold(text: string): string {
  return text.toLowerCase().replaceAll(/[-_ ]/g, '');
}

/** Optimal string alignment: insertions, deletions, substitutions and swapped neighbours count one each. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min(at(rows, i - 1, j) + 1, (row[j - 1] ?? 0) + 1, at(rows, i - 1, j - 1) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        value = Math.min(value, at(rows, i - 2, j - 2) + 1);
      }
      row.push(value);
    }
    rows.push(row);
  }
  return at(rows, a.length, b.length);
}

function at(rows: readonly (readonly number[])[], i: number, j: number): number {
  return rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
}
