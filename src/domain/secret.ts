// A Secret cannot be printed by accident: string conversion, JSON and util.inspect all show ***.
// Configuration names secrets only by reference (`env:NAME`, `file:path`); the value exists from resolution on.
import { inspect } from 'node:util';
import { FORM_LENGTH_MIN, KnownForms, writtenForms } from './written-forms.js';

const MASK = '***';

export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
    remember(value);
  }

  /** The one way to the value. Call it where it goes on the wire, never to keep the result. */
  reveal(): string {
    remember(this.#value);
    return this.#value;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [inspect.custom](): string {
    return MASK;
  }
}

// Another system may echo a secret in an error message, where no type protects it. Values that were ever a Secret are known
// here, so that logs and stored answers can be cleaned of them; those not used for longest go first when there are very many
// (tokens that were replaced), never a key that is sent every minute.
const KNOWN_MAX = 10_000;
/** Value → the forms in which it may be written, the one used last at the end. */
const known = new Map<string, readonly string[]>();
const forms = new KnownForms();

function remember(value: string): void {
  if (value.length < FORM_LENGTH_MIN) return;
  const before = known.get(value);
  const written = before ?? writtenForms(value);
  known.delete(value);
  known.set(value, written);
  if (before) return;
  for (const form of written) forms.add(form);
  if (known.size > KNOWN_MAX) forgetOldest();
}

function forgetOldest(): void {
  for (const [value, written] of known) {
    known.delete(value);
    for (const form of written) forms.remove(form);
    return;
  }
}

/** The text without any secret of this process, also where JSON or an address has escaped it. */
export function maskSecrets(text: string): string {
  return forms.mask(text, MASK);
}
