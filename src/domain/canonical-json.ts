// The same value always gives the same text, whatever the order in which its keys were written. For what is compared and hashed:
// snapshots, rules, tenant files.
import { isLosslessNumber } from 'lossless-json';

export function canonicalJson(value: unknown): string {
  if (value === undefined) return 'null';
  if (typeof value === 'string') return jsonText(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isLosslessNumber(value)) return value.value;
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if ('toJSON' in value) return JSON.stringify(value);
  let text = '';
  for (const { name, written } of fieldsInOrder(Object.keys(value))) {
    const inner = (value as Readonly<Record<string, unknown>>)[name];
    if (inner !== undefined) text += (text === '' ? '' : ',') + written + canonicalJson(inner);
  }
  return `{${text}}`;
}

/** What JSON writes as it stands: nothing that ends the text, escapes, controls, or is half a character. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

/** The same as `JSON.stringify`, for the many texts that need no escape: they are most of every document. */
export function jsonText(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

// The names of an object's fields in order, each with its name as JSON writes it. Documents of one kind have the same fields, so the
// order is worked out once for each list of names, and not for each document.

interface OrderedField {
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
