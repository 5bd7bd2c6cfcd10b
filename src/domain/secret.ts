// A Secret cannot be printed by accident: string conversion, JSON and util.inspect all show ***.
// Configuration names secrets only by reference (`env:NAME`, `file:path`); the value exists from resolution on.
import { inspect } from 'node:util';

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
const KNOWN_MAX = 512;
const MASKED_LENGTH_MIN = 8;
/** Value → the forms in which it may be written, the one used last at the end. */
const known = new Map<string, readonly string[]>();

function remember(value: string): void {
  if (value.length < MASKED_LENGTH_MIN) return;
  const forms = known.get(value) ?? writtenForms(value);
  known.delete(value);
  known.set(value, forms);
  for (const oldest of known.keys()) {
    if (known.size <= KNOWN_MAX) break;
    known.delete(oldest);
  }
}

/** How a value may look in a text of somebody else: as it is, inside JSON (PHP escapes the slash too), inside an address. */
export function writtenForms(value: string): readonly string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  // Unlike encodeURIComponent this one never throws; PHP and browsers write forms like it, others write %20 for a space.
  const inForm = new URLSearchParams([['', value]]).toString().slice(1);
  const inAddress = inForm.replaceAll('+', '%20');
  const unreserved = inAddress.replace(/%(21|27|28|29|7E)/g, (escaped) => decodeURIComponent(escaped));
  return [...new Set([value, inJson, inJson.replaceAll('/', '\\/'), inForm, inAddress, unreserved])];
}

/** The text without any secret of this process, also where JSON or an address has escaped it. */
export function maskSecrets(text: string): string {
  let masked = text;
  for (const forms of known.values())
    for (const form of forms) if (masked.includes(form)) masked = masked.replaceAll(form, MASK);
  return masked;
}
