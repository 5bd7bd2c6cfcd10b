// What changes between two texts, line by line, with a few lines around each change.
export interface LineChange {
  readonly sign: ' ' | '+' | '-' | '…';
  readonly text: string;
}

const AROUND = 3;
/** Beyond so many pairs of lines the middle is shown as taken out and put in. */
const PAIRS_MAX = 4_000_000;

/** Every line, changed or not. */
export function allLines(before: string, after: string): readonly LineChange[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const same = (text: string): LineChange => ({ sign: ' ', text });
  const middle = between(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [...a.slice(0, start).map(same), ...middle, ...a.slice(a.length - end).map(same)];
}

export function lineChanges(before: string, after: string): readonly LineChange[] {
  return folded(allLines(before, after));
}

/** The longest common lines stay; the rest goes or comes. */
function between(a: readonly string[], b: readonly string[]): readonly LineChange[] {
  const out = (text: string): LineChange => ({ sign: '-', text });
  const into = (text: string): LineChange => ({ sign: '+', text });
  if (a.length * b.length > PAIRS_MAX) return [...a.map(out), ...b.map(into)];
  const longest = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  const at = (i: number, j: number) => longest[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const row = longest[i];
      if (row) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const changes: LineChange[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      changes.push({ sign: ' ', text: a[i] ?? '' });
      i += 1;
      j += 1;
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1)))
      changes.push(out(a[i++] ?? ''));
    else changes.push(into(b[j++] ?? ''));
  }
  return changes;
}

function folded(changes: readonly LineChange[]): readonly LineChange[] {
  const shown = changes.map((_, index) =>
    changes.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ sign }) => sign !== ' '),
  );
  return changes.flatMap((change, index) => {
    if (shown[index]) return [change];
    return shown[index - 1] === true || (index === 0 && shown.includes(true))
      ? [{ sign: '…' as const, text: '' }]
      : [];
  });
}
