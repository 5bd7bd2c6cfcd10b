// Texts that come from outside may repeat what we sent. Every form in which a secret of this connection travels is cut out
// of them before they reach an error, a log or a person.
import { maskSecrets } from '../domain/secret.js';
import { writtenForms } from '../domain/written-forms.js';
import { type Access, basicPair } from './access.js';
import type { SourceSettings } from './source-settings.js';

const SHORTEST = 4;
const LENGTH_MAX = 300;

export class Scrubber {
  readonly #settings: SourceSettings;
  readonly #access: Access;
  #values: readonly string[] = [];
  #written: readonly string[] = [];

  constructor(settings: SourceSettings, access: Access) {
    this.#settings = settings;
    this.#access = access;
  }

  /** Cut to a length that fits into a log only after the secrets are out: half a secret would not be recognised. */
  clean(text: string): string {
    if (text === '') return '';
    let cleaned = text;
    for (const form of this.#forms()) cleaned = cleaned.replaceAll(form, '***');
    return maskSecrets(cleaned).slice(0, LENGTH_MAX);
  }

  #forms(): readonly string[] {
    const values = this.#access.secrets().map((secret) => secret.reveal());
    if (this.#settings.environment === 'development') values.push(this.#settings.maintenanceCode.reveal());
    const { auth } = this.#settings;
    if (auth.type === 'credentials') {
      values.push(basicPair(auth).reveal());
    }
    return this.#formsOf(values);
  }

  /** They change when a token is renewed, and every answer is cleaned of them. */
  #formsOf(values: readonly string[]): readonly string[] {
    const same =
      values.length === this.#values.length && values.every((value, at) => value === this.#values[at]);
    if (same) return this.#written;
    this.#values = values;
    // A very short value would cut holes into ordinary words; nothing that short is a secret worth the name.
    this.#written = values
      .flatMap(writtenForms)
      .filter((value) => value.length >= SHORTEST)
      .sort((one, other) => other.length - one.length);
    return this.#written;
  }
}
