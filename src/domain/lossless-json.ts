// JSON with every digit kept, read fast: what the service and the ERPs send is read several times for every document.
// Numbers are kept as they were written. What only the library decides (a key that stands twice) is left to the library.
import { LosslessNumber, parse as parseSlowly } from 'lossless-json';

/** Throws SyntaxError, RangeError or what a number that is none throws; callers treat every throw as "unreadable". */
export function parseLossless(text: string): unknown {
  // Control characters may stand between tokens and not within a string. Machines write none at all; where there are some,
  // the engine's own parser says whether they stand right.
  if (CONTROL.test(text)) JSON.parse(text);
  const reader = new Reader(text);
  const value = reader.whole();
  return reader.hasRepeatedKey ? parseSlowly(text) : value;
}

/** Whatever comes before the blank. */
const CONTROL = /[^ -\uffff]/;

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
const COLON = 58;
/** Blanks, tabs and ends of lines are the only ones below it that stand between tokens. */
const BLANK = 32;

class Reader {
  readonly #text: string;
  #at = 0;
  hasRepeatedKey = false;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): unknown {
    const value = this.#value();
    this.#next();
    if (this.#at < this.#text.length) this.#refuse();
    return value;
  }

  #value(): unknown {
    switch (this.#next()) {
      case OPEN_BRACE:
        return this.#object();
      case OPEN_BRACKET:
        return this.#array();
      case QUOTE:
        return this.#string();
      case LETTER_T:
        return this.#word('true', true);
      case LETTER_F:
        return this.#word('false', false);
      case LETTER_N:
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  /** The code of the next character that is not a blank; NaN at the end. */
  #next(): number {
    let code = this.#text.charCodeAt(this.#at);
    while (code <= BLANK) code = this.#text.charCodeAt(++this.#at);
    return code;
  }

  #object(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    this.#at++;
    if (this.#next() === CLOSE_BRACE) {
      this.#at++;
      return object;
    }
    let read = 0;
    do {
      if (this.#next() !== QUOTE) this.#refuse();
      const key = this.#string();
      if (this.#next() !== COLON) this.#refuse();
      this.#at++;
      put(object, key, this.#value());
      read++;
    } while (this.#goesOn(CLOSE_BRACE));
    if (Object.keys(object).length < read) this.hasRepeatedKey = true;
    return object;
  }

  #array(): unknown[] {
    const array: unknown[] = [];
    this.#at++;
    if (this.#next() === CLOSE_BRACKET) {
      this.#at++;
      return array;
    }
    do array.push(this.#value());
    while (this.#goesOn(CLOSE_BRACKET));
    return array;
  }

  /** After a member: a comma, and another follows, or the end. */
  #goesOn(close: number): boolean {
    const code = this.#next();
    if (code !== COMMA && code !== close) this.#refuse();
    this.#at++;
    return code === COMMA;
  }

  #string(): string {
    const open = this.#at;
    let close = this.#text.indexOf('"', open + 1);
    while (close > 0 && this.#text.charCodeAt(close - 1) === BACKSLASH && this.#isEscaped(close))
      close = this.#text.indexOf('"', close + 1);
    if (close < 0) this.#refuse();
    this.#at = close + 1;
    const plain = this.#text.slice(open + 1, close);
    return plain.includes('\\') ? (JSON.parse(this.#text.slice(open, close + 1)) as string) : plain;
  }

  #isEscaped(quote: number): boolean {
    let backslashes = 0;
    while (this.#text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
    return backslashes % 2 === 1;
  }

  #word<Value>(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#at)) this.#refuse();
    this.#at += word.length;
    return value;
  }

  /** Whether it is a number at all is decided by the library, which throws. */
  #number(): LosslessNumber {
    const start = this.#at;
    while (isOfNumber(this.#text.charCodeAt(this.#at))) this.#at++;
    return new LosslessNumber(this.#text.slice(start, this.#at));
  }

  #refuse(): never {
    throw new SyntaxError(`No JSON at character ${this.#at}.`);
  }
}

/** Assigned, a `__proto__` would become the prototype instead of a field. */
function put(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Digits, signs, the point and the exponent's letter. */
function isOfNumber(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || code === 45 || code === 46 || code === 43 || code === 101 || code === 69
  );
}
