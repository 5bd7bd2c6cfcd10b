// The number series of invoices: what is missing between the first and the last of a period.
const NUMBER = /^(\D*)(\d{1,15})$/;
/** Named one by one; a series that jumps further than this is two series. */
const JUMP_MAX = 1_000;

export interface NumberSeries {
  readonly first: string;
  readonly last: string;
  readonly missing: readonly string[];
}

/** null: no invoice has a number that can be counted. Each beginning before the digits is a series of its own. */
export function numberSeries(numbers: readonly string[]): NumberSeries | null {
  const series = new Map<string, { value: number; width: number }[]>();
  for (const number of numbers) {
    const [, prefix, digits] = NUMBER.exec(number) ?? [];
    if (prefix === undefined || digits === undefined) continue;
    const known = series.get(prefix) ?? [];
    known.push({ value: Number(digits), width: digits.length });
    series.set(prefix, known);
  }
  const missing: string[] = [];
  const all: string[] = [];
  for (const [prefix, values] of [...series].sort()) {
    const sorted = values.sort((one, other) => one.value - other.value);
    for (const [index, { value, width }] of sorted.entries()) {
      all.push(`${prefix}${String(value).padStart(width, '0')}`);
      const previous = sorted[index - 1]?.value ?? value;
      if (value - previous > JUMP_MAX) continue;
      for (let gap = previous + 1; gap < value; gap++)
        missing.push(`${prefix}${String(gap).padStart(width, '0')}`);
    }
  }
  const [first] = all;
  return first === undefined ? null : { first, last: all.at(-1) ?? first, missing };
}
