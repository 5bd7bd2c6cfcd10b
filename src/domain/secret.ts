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
const FORGOTTEN_AT_ONCE = 100;
interface Known {
  /** The forms in which it may be written. */
  readonly written: readonly string[];
  /** Of all uses of secrets, the last that was one of this. */
  usedAt: number;
}
const known = new Map<string, Known>();
let uses = 0;
const forms = new KnownForms();

function remember(value: string): void {
  if (value.length < FORM_LENGTH_MIN) return;
  const usedAt = ++uses;
  const before = known.get(value);
  if (before) {
    before.usedAt = usedAt;
    return;
  }
  const written = writtenForms(value);
  known.set(value, { written, usedAt });
  for (const form of written) forms.add(form);
  if (known.size > KNOWN_MAX) forgetOldest();
}

/** Several at a time: whoever looks through all of them does not do so for every new one. */
function forgetOldest(): void {
  const byUse = [...known].toSorted(([, one], [, other]) => one.usedAt - other.usedAt);
  for (const [value, { written }] of byUse.slice(0, FORGOTTEN_AT_ONCE)) {
    known.delete(value);
    for (const form of written) forms.remove(form);
  }
}

/** The text without any secret of this process, also where JSON or an address has escaped it. */
export function maskSecrets(text: string): string {
  return forms.mask(text, MASK);
}
