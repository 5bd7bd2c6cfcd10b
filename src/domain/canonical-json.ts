// The same value always gives the same text, whatever the order in which its keys were written. For what is compared and hashed:
// snapshots, rules, tenant files.
import { isLosslessNumber, LosslessNumber, parse as parseSlowly } from 'lossless-json';

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

// JSON with every digit kept, read fast: what the service and the ERPs send is read several times for every document.
// The engine's own parser reads the text; then its numbers, in order, take the place of what the parser made of them.
// What only the library decides (a key that stands twice) and what the engine puts in another order is left to the library.

/** Throws SyntaxError or RangeError; callers treat every throw as "unreadable". */
export function parseLossless(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  const { numbers, fields } = scan(text);
  const written = new Written(numbers);
  const value = written.valueOf(parsed);
  return written.isInOrder && written.fields === fields ? value : parseSlowly(text);
}

const QUOTE = 34;
const PLUS = 43;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const LETTER_E = 69;
const BACKSLASH = 92;
const SMALL_LETTER_E = 101;

/** The numbers of a text that is JSON, as they were written, and how many fields its objects have together. */
function scan(text: string): { readonly numbers: readonly string[]; readonly fields: number } {
  const numbers: string[] = [];
  let fields = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COLON) fields++;
    else if (code === MINUS || isDigit(code)) {
      const end = endOfNumber(text, at);
      numbers.push(text.slice(at, end));
      at = end - 1;
    }
  }
  return { numbers, fields };
}

function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (text.charCodeAt(close - 1) === BACKSLASH && isEscaped(text, close))
    close = text.indexOf('"', close + 1);
  return close;
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (isOfNumber(text.charCodeAt(at))) at++;
  return at;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

function isOfNumber(code: number): boolean {
  return (
    isDigit(code) ||
    code === POINT ||
    code === MINUS ||
    code === PLUS ||
    code === SMALL_LETTER_E ||
    code === LETTER_E
  );
}

/** Puts what was written in the place of what was read, in the same objects: nobody else has them yet. */
class Written {
  readonly #numbers: readonly string[];
  #next = 0;
  fields = 0;
  isInOrder = true;

  constructor(numbers: readonly string[]) {
    this.#numbers = numbers;
  }

  valueOf(read: unknown): unknown {
    if (typeof read === 'number') return new LosslessNumber(this.#numbers[this.#next++] ?? '');
    if (Array.isArray(read)) this.#inArray(read);
    else if (typeof read === 'object' && read !== null) this.#inObject(read as Record<string, unknown>);
    return read;
  }

  #inArray(array: unknown[]): void {
    for (let index = 0; index < array.length; index++) {
      const read = array[index];
      if (typeof read === 'number') array[index] = this.valueOf(read);
      else if (typeof read === 'object') this.valueOf(read);
    }
  }

  #inObject(object: Record<string, unknown>): void {
    for (const name in object) {
      this.fields++;
      // A name that is a number comes before all others, wherever it was written.
      if (isDigit(name.charCodeAt(0))) this.isInOrder = false;
      const read = object[name];
      if (typeof read === 'number') object[name] = this.valueOf(read);
      else if (typeof read === 'object') this.valueOf(read);
    }
  }
}
