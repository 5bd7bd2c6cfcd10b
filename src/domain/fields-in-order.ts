// The names of an object's fields in order, each with its name as JSON writes it. Documents of one kind have the same fields, so the
// order is worked out once for each list of names, and not for each document.

export interface OrderedField {
  readonly name: string;
  /** With the colon after it. */
  readonly written: string;
}

const LISTS_MAX = 1_000;
/** No service names a field with it; where one does, nothing is kept. */
const BETWEEN = '\u0000';
const lists = new Map<string, readonly OrderedField[]>();

export function fieldsInOrder(names: readonly string[]): readonly OrderedField[] {
  const list = names.join(BETWEEN);
  const known = lists.get(list);
  if (known?.length === names.length) return known;
  const ordered = names.toSorted().map((name) => ({ name, written: `${JSON.stringify(name)}:` }));
  if (names.some((name) => name.includes(BETWEEN))) return ordered;
  if (lists.size >= LISTS_MAX) lists.clear();
  lists.set(list, ordered);
  return ordered;
}
