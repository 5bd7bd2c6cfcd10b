// The names of an object's fields in order, each with its name as JSON writes it. Documents of one kind have the same fields, so the
// order is worked out once for each list of names, and not for each document.

export interface OrderedField {
  readonly name: string;
  /** With the colon after it. */
  readonly written: string;
}

interface KnownList {
  readonly names: readonly string[];
  readonly ordered: readonly OrderedField[];
}

const LENGTHS_MAX = 200;
/** Of one length: whoever has more kinds of objects than that gains little by remembering them. */
const LISTS_MAX = 16;
const byLength = new Map<number, KnownList[]>();

export function fieldsInOrder(names: readonly string[]): readonly OrderedField[] {
  const alike = byLength.get(names.length);
  const known = alike?.find((list) => isSame(list.names, names));
  if (known) return known.ordered;
  const ordered = names.toSorted().map((name) => ({ name, written: `${JSON.stringify(name)}:` }));
  if (alike && alike.length < LISTS_MAX) {
    alike.push({ names, ordered });
  } else {
    if (byLength.size >= LENGTHS_MAX) byLength.clear();
    byLength.set(names.length, [{ names, ordered }]);
  }
  return ordered;
}

/** Of one length. Names of fields are compared by what they are to the engine, not letter by letter. */
function isSame(one: readonly string[], other: readonly string[]): boolean {
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}
