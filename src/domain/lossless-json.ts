// JSON with every digit kept, read fast: what the service and the ERPs send is read several times for every document.
// The text is checked by the engine's own parser, so that what follows may rely on its grammar; numbers are kept as they were
// written. What only the library decides (a key that stands twice) is left to the library.
import { LosslessNumber, parse as parseSlowly } from 'lossless-json';

/** Throws SyntaxError or RangeError; callers treat every throw as "unreadable". */
export function parseLossless(text: string): unknown {
  JSON.parse(text);
  const reader = new Reader(text);
  const value = reader.value();
  return reader.hasRepeatedKey ? parseSlowly(text) : value;
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const LETTER_T = 116;
const LETTER_F = 102;
const LETTER_N = 110;
const COMMA = 44;
/** Blanks, tabs and ends of lines are the only ones below it that stand between tokens. */
const BLANK = 32;

class Reader {
  readonly #text: string;
  #at = 0;
  hasRepeatedKey = false;

  constructor(text: string) {
    this.#text = text;
  }

  value(): unknown {
    switch (this.#next()) {
      case OPEN_BRACE:
        return this.#object();
      case OPEN_BRACKET:
        return this.#array();
      case QUOTE:
        return this.#string();
      case LETTER_T:
        this.#at += 4;
        return true;
      case LETTER_F:
        this.#at += 5;
        return false;
      case LETTER_N:
        this.#at += 4;
        return null;
      default:
        return this.#number();
    }
  }

  /** The code of the next character that is not a blank. */
  #next(): number {
    let code = this.#text.charCodeAt(this.#at);
    while (code <= BLANK) code = this.#text.charCodeAt(++this.#at);
    return code;
  }

  #object(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    this.#at++;
    while (this.#next() !== CLOSE_BRACE) {
      if (this.#text.charCodeAt(this.#at) === COMMA) {
        this.#at++;
        this.#next();
      }
      const key = this.#string();
      this.#next();
      // The colon.
      this.#at++;
      this.#put(object, key, this.value());
    }
    this.#at++;
    return object;
  }

  #put(object: Record<string, unknown>, key: string, value: unknown): void {
    if (Object.hasOwn(object, key)) this.hasRepeatedKey = true;
    // Assigned, it would become the prototype instead of a field.
    if (key === '__proto__')
      Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
    else object[key] = value;
  }

  #array(): unknown[] {
    const array: unknown[] = [];
    this.#at++;
    while (this.#next() !== CLOSE_BRACKET) {
      if (this.#text.charCodeAt(this.#at) === COMMA) this.#at++;
      array.push(this.value());
    }
    this.#at++;
    return array;
  }

  #string(): string {
    const open = this.#at;
    let close = this.#text.indexOf('"', open + 1);
    while (this.#isEscaped(close)) close = this.#text.indexOf('"', close + 1);
    this.#at = close + 1;
    const plain = this.#text.slice(open + 1, close);
    return plain.includes('\\') ? (JSON.parse(this.#text.slice(open, close + 1)) as string) : plain;
  }

  #isEscaped(quote: number): boolean {
    let backslashes = 0;
    while (this.#text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
    return backslashes % 2 === 1;
  }

  #number(): LosslessNumber {
    const start = this.#at;
    while (isOfNumber(this.#text.charCodeAt(this.#at))) this.#at++;
    return new LosslessNumber(this.#text.slice(start, this.#at));
  }
}

/** Digits, signs, the point and the exponent's letter. */
function isOfNumber(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || code === 45 || code === 46 || code === 43 || code === 101 || code === 69
  );
}
