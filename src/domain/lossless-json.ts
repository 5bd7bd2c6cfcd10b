// JSON with every digit kept, read fast: what the service and the ERPs send is read several times for every document.
// The engine's own parser reads the text; then its numbers, in order, take the place of what the parser made of them.
// What only the library decides (a key that stands twice) and what the engine puts in another order is left to the library.
import { LosslessNumber, parse as parseSlowly } from 'lossless-json';

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
